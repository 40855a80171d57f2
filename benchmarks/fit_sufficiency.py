"""Fit the coefficients of `pagerag_pipeline/answering/sufficiency.json` on sets that know which questions can be answered.

Each published set and, in it, answerable and unanswerable questions weigh the same, but for two sets that weigh less (`OWN`); signs are held to what the
features mean, so that no set's quirk turns one around. Figures shown are out of fold: 5 folds, grouped by the documents that a question is asked of. A
question of which nothing occurs in scope is refused before the estimate: it is not fitted on, and the figures count it with a chance of 0.
"""

import argparse
import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import corpora
import figures
import homes
import numpy as np
from scipy.optimize import minimize
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

from pagerag_pipeline.answering.sufficiency import AGAINST, Features
from pagerag_pipeline.evaluation.results import read_rows
from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.schema.asking import Question

SETS = ("bundled", "squad2", "clapnq", "mtrag_un", "rgb", "hotpotqa", "cross", "loogle")
WHOLE_POOL = ("clapnq", "mtrag_un")
"""Sets whose questions are asked of all documents."""
TARGET = corpora.ROOT / "pagerag_pipeline" / "answering" / "sufficiency.json"
NAMES = tuple(field.name for field in fields(Features))
OWN = {"bundled": 1 / 3, "loogle": 1 / 3}
"""Weight of a set beside the others: of our own making, its questions asked in the words of its documents; of four documents alone (chosen)."""
PENALTY = 0.01
BOOKS = 10
SAMPLE = 200
MORE = 300
"""Questions of squad2 of each kind that are shown, and so many more that are only fitted on."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of a set, the documents it is asked of, whether they can answer it, and whether the figures count it."""

    question: Question
    group: str
    answerable: bool
    shown: bool = True


def asked_of(name: str) -> Iterator[Asked]:
    """The questions of a set; `cross` asks each question of its own book or of another one, `loogle` of both its own long document and another."""
    if name == "cross":
        yield from _cross_book()
        return
    if name == "loogle":
        yield from _own_and_other(name)
        return
    if name == "hotpotqa":
        yield from _with_and_without_gold(name)
        return
    rows = [one for one in corpora.questions(name) if one.get("kind") != "counterfactual"]
    sampled = _sampled(rows) if name == "squad2" else [(one, True) for one in rows]
    for one, shown in sampled:
        documents = tuple(one["doc_ids"]) if one.get("doc_ids") else None
        group = documents[0] if documents else one["qid"]
        scope = None if name in WHOLE_POOL else documents
        yield Asked(Question(one["qid"], one["question"], scope), group, bool(one["answerable"]), shown)


def _with_and_without_gold(name: str) -> Iterator[Asked]:
    """Each question asked of all documents, and of all but those that hold its answer."""
    documents = [one["doc_id"] for one in corpora.documents(name)]
    for one in corpora.questions(name):
        gold = set(one["evidence"])
        yield Asked(Question(one["qid"], one["question"]), one["qid"], True)
        yield Asked(Question(one["qid"], one["question"], tuple(d for d in documents if d not in gold)), one["qid"], False)


def _own_and_other(name: str) -> Iterator[Asked]:
    """Each question asked of its own document, and of another one in turn."""
    rows = corpora.questions(name)
    documents = sorted({one["doc_ids"][0] for one in rows})
    for number, one in enumerate(rows):
        own = one["doc_ids"][0]
        other = documents[(documents.index(own) + 1 + number % (len(documents) - 1)) % len(documents)]
        yield Asked(Question(one["qid"], one["question"], (own,)), own, True)
        yield Asked(Question(one["qid"], one["question"], (other,)), other, False)


def _sampled(rows: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], bool]]:
    for flag in (True, False):
        kind = [one for one in rows if one["answerable"] is flag]
        chosen = random.Random(7).sample(kind, SAMPLE)
        taken = {one["qid"] for one in chosen}
        more = random.Random(8).sample([one for one in kind if one["qid"] not in taken], MORE)
        yield from ((one, True) for one in chosen)
        yield from ((one, False) for one in more)


def _cross_book() -> Iterator[Asked]:
    rows = corpora.questions("literaryqa")
    sizes = {book: (corpora.eval_folder() / "books" / book).stat().st_size for one in rows for book in one["doc_ids"]}
    books = sorted(sizes, key=lambda book: (sizes[book], book))[:BOOKS]
    own = [one for one in rows if one["doc_ids"][0] in books]
    for number, one in enumerate(random.Random(7).sample(own, min(SAMPLE, len(own)))):
        book = one["doc_ids"][0]
        other = books[(books.index(book) + 1 + number % (len(books) - 1)) % len(books)]
        target = book if number % 2 == 0 else other
        yield Asked(Question(one["qid"], one["question"], (target,)), target, target == book)


def measured(name: str, work: Path) -> list[dict[str, Any]]:
    """Features of each question of a set that has one part, kept in a file once measured."""
    path = work / "sufficiency" / f"{name}.jsonl"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        home = homes.ready_home("literaryqa" if name == "cross" else name, work)
        with QueryEngine(home) as engine:
            lines = [json.dumps(row) for one in asked_of(name) if (row := _row(engine, one)) is not None]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def evaluated(paths: Iterable[Path]) -> list[dict[str, Any]]:
    """Features of each question of one part that `pagerag evaluate` asked of `page`, from its `results.jsonl`: nothing is asked again."""
    rows = [row for path in paths for row in read_rows(path) if row["variant"] == "page" and row["features"] is not None]
    return [{**row["features"], **{name: row[name] for name in ("set", "group", "answerable", "confidence")}} for row in rows]


def _row(engine: QueryEngine, one: Asked) -> dict[str, Any] | None:
    """What was measured of a question of one part; without features if it was refused before they were looked at, None if it has several parts."""
    outcome = engine.ask(one.question)
    steps = [step for step in outcome.trace if step["step"] == "gate"]
    if len(steps) != 1 and outcome.reason != "no_evidence":
        return None
    row = {"group": one.group, "answerable": one.answerable, "shown": one.shown, "status": outcome.status, "confidence": outcome.confidence}
    return {**row, **(steps[0]["features"] if steps else {})}


def fit(features: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Bias and coefficients of the weighted logistic model with a small squared penalty and signs held."""

    def loss(values: np.ndarray) -> tuple[float, np.ndarray]:
        scores = values[0] + features @ values[1:]
        chances = 1 / (1 + np.exp(-scores))
        cost = np.logaddexp(0, scores) - labels * scores
        slope = weights * (chances - labels)
        penalty = PENALTY * values[1:]
        gradient = np.concatenate([[slope.sum()], slope @ features + penalty])
        return float(weights @ cost + 0.5 * penalty @ values[1:]), gradient

    bounds = [(None, None), *((None, 0.0) if name in AGAINST else (0.0, None) for name in NAMES)]
    found = minimize(loss, np.zeros(len(NAMES) + 1), jac=True, method="L-BFGS-B", bounds=bounds)
    return np.asarray(found.x)


def balanced(sets: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Weights by which every published set, and both answers in each set, count the same; those of a published set sum to 1."""
    weights = np.zeros(len(labels))
    for name in np.unique(sets):
        for label in (0.0, 1.0):
            chosen = (sets == name) & (labels == label)
            weights[chosen] = 0.5 * OWN.get(str(name), 1.0) / max(1, chosen.sum())
    return weights


def balanced_score(chances: np.ndarray, labels: np.ndarray, threshold: float) -> float:
    """Harmonic mean of the share answered of the answerable and the share refused of the others (`bbs_answered`)."""
    answered = float((chances[labels == 1] >= threshold).mean())
    refused = float((chances[labels == 0] < threshold).mean())
    return 2 * answered * refused / (answered + refused) if answered + refused else 0.0


def out_of_fold(features: np.ndarray, labels: np.ndarray, sets: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Chances of each question by a model that saw none of its documents."""
    chances = np.zeros(len(labels))
    for seen, held in GroupKFold(5).split(features, labels, groups):
        values = fit(features[seen], labels[seen], balanced(sets[seen], labels[seen]))
        chances[held] = 1 / (1 + np.exp(-(values[0] + features[held] @ values[1:])))
    return chances


def report(chances: np.ndarray, labels: np.ndarray, sets: np.ndarray) -> dict[str, dict[str, float]]:
    """AUROC, score at one half and best score of each set."""
    shown = {}
    for name in sorted(set(sets)):
        mine, truth = chances[sets == name], labels[sets == name]
        best = max(balanced_score(mine, truth, threshold) for threshold in np.unique(mine))
        shown[str(name)] = {
            "n": len(truth),
            "auroc": round(float(roc_auc_score(truth, mine)), 3),
            "bbs_at_half": round(balanced_score(mine, truth, 0.5), 3),
            "bbs_best": round(best, 3),
        }
    return shown


def _labels(rows: Sequence[Mapping[str, Any]]) -> np.ndarray:
    return np.array([float(row["answerable"]) for row in rows])


def _sets(rows: Sequence[Mapping[str, Any]]) -> np.ndarray:
    return np.array([row["set"] for row in rows], dtype=str)


def main() -> None:
    parser: argparse.ArgumentParser = homes.arguments(__doc__ or "")
    parser.add_argument("--sets", nargs="+", default=list(SETS))
    parser.add_argument("--results", nargs="+", type=Path, default=[], help="results.jsonl of evaluations, instead of --sets")
    parser.add_argument("--write", action="store_true", help="write the coefficients into the package")
    given = parser.parse_args()
    rows = evaluated(given.results) or [{**row, "set": name} for name in given.sets for row in measured(name, given.work)]
    chosen = sorted({row["set"] for row in rows}) if given.results else given.sets
    source = f"--results <those of {', '.join(chosen)}>" if given.results else f"--sets {' '.join(chosen)}"
    looked = [row for row in rows if NAMES[0] in row]
    features = np.array([[row[name] for name in NAMES] for row in looked])
    labels, sets = _labels(looked), _sets(looked)
    groups = np.array([f"{row['set']}:{row['group']}" for row in looked])
    counted = np.array([bool(row.get("shown", True)) for row in looked])
    unseen = [row for row in rows if NAMES[0] not in row and row.get("shown", True)]
    chances = np.concatenate([out_of_fold(features, labels, sets, groups)[counted], np.zeros(len(unseen))])
    shown = report(chances, np.concatenate([labels[counted], _labels(unseen)]), np.concatenate([sets[counted], _sets(unseen)]))
    values = fit(features, labels, balanced(sets, labels))
    table = {
        "made_by": f"logistic regression on {len(looked)} questions of {', '.join(chosen)}",
        "command": f"python benchmarks/fit_sufficiency.py {source} --write",
        "bias": round(float(values[0]), 3),
        "weights": {name: round(float(value), 3) for name, value in zip(NAMES, values[1:], strict=True)},
        "out_of_fold": shown,
    }
    if given.write:
        tables = json.loads(TARGET.read_text(encoding="utf-8"))
        TARGET.write_text(json.dumps({**tables, "minilm": table}, indent=2) + "\n", encoding="utf-8")
    figures.show("sufficiency", data=", ".join(chosen), n=len(rows), figures=table)


if __name__ == "__main__":
    main()
