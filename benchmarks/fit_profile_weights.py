"""Fits the weights of `indexing/profiling/profile_weights.json` to the labeled documents of the half `tune`, the penalty by cross validation on it.

Run: PAGERAG_EVAL=<folder of evaluation data> python -m benchmarks.fit_profile_weights [--write] [--held]

`--held` prints how the verb meets the documents that were not tuned on, `held` of at least 300 words and `short` ones; once they have been looked at
and something was changed, they are to be replaced by new ones (`fit_profile_sample.py`).
"""

import json
import os
import sys
from collections import Counter
from hashlib import sha1
from pathlib import Path
from typing import Any

import numpy as np

from pagerag_pipeline.indexing import profile as verb
from pagerag_pipeline.indexing.parse import parse_file
from pagerag_pipeline.indexing.profiling.discourse import PLAIN, WINDOW, cover, measure, sample, word_feature
from pagerag_pipeline.indexing.profiling.language import detect_language
from pagerag_pipeline.indexing.structure import find_sections
from pagerag_pipeline.schema.documents import ParsedDocument
from pagerag_pipeline.settings import ParseSettings, ProfileSettings

Row = dict[str, str]
Floats = np.ndarray[Any, np.dtype[np.float64]]

COMMAND = "python -m benchmarks.fit_profile_weights --write"
ROOT = Path(__file__).resolve().parent.parent
LABELS = ROOT / "pagerag_pipeline_tests" / "indexing" / "facts" / "profiles.jsonl"
WEIGHTS = ROOT / "pagerag_pipeline" / "indexing" / "profiling" / "profile_weights.json"
NAMED = (
    "tense events dated sequence modal opinion past present third first plural second argument research law abstract names definition citation years dialogue "
    "digits code turns tables told done stood is holds may since bare timed asks claims people reader acts plots chronicle deeds runs"
).split()
FEATURES = [*NAMED, *map(word_feature, PLAIN)]
USED = {"form": len(NAMED), "mode": len(FEATURES)}
"""So many of the features, from the first, are learned from: forms need no small words."""
RARE = 0.25
"""A document weighs 1 / (documents of its label) ** this."""
WINDOWS = 12
"""Stretches of one document that are learned from besides its sample, so that weights hold for short texts too."""
PENALTIES = (3.0, 10.0, 25.0, 60.0)
FOLDS = 10
SURE = 0.8


def load(row: Row, read: dict[str, dict[str, ParsedDocument]]) -> ParsedDocument:
    """The document of a label: a file of its set, or a row of one of the set's tables of documents."""
    folder = Path(os.environ["PAGERAG_EVAL"]) / row["set"]
    path = folder / row["id"]
    if path.exists():
        return parse_file(path.name, path.read_bytes(), ParseSettings()).documents[0]
    if row["set"] not in read:
        tables = [*sorted(folder.glob("*docs.jsonl")), *folder.glob("coref.jsonl")]
        read[row["set"]] = {d.sub_id: d for p in tables for d in parse_file(p.name, p.read_bytes(), ParseSettings()).documents}
    return read[row["set"]][row["id"]]


def stretches(document: ParsedDocument) -> list[list[float]]:
    """Square roots of the features of a document's sample and of stretches of it, with the trust in each last: the sample first."""
    text = "".join(document.text[s.start : s.end] for s in find_sections(document) if s.kind not in ("front", "back"))
    body = text if 3 * len(text) > len(document.text) else document.text
    step = max(WINDOW, len(body) // WINDOWS)
    parts = [body[at : at + WINDOW] for at in range(0, max(1, len(body) - WINDOW // 2), step)]
    length = len(document.text)
    shares = {"tables": cover(document.blocks, "table", length), "turns": cover(document.blocks, "speaker", length)}
    texts = [sample(body, verb.DOCUMENT_WINDOWS), *(parts if len(parts) > 1 else [])]
    measured = [measure(text, detect_language(body)) | shares for text in texts]
    return [[found[name] ** 0.5 for name in FEATURES] + [found["size"] / (found["size"] + verb.SHRINK_WORDS)] for found in measured]


def maximize(values: Floats, labels: Floats, weight: Floats, penalty: float) -> Floats:
    """Weights (labels, 1 + features) of a multinomial logistic regression with an L2 penalty, by Newton's method; `labels` is one-hot."""
    ones = np.c_[np.ones(len(values)), values]
    found = np.zeros((labels.shape[1], ones.shape[1]))
    size, kinds = found.shape[1], len(found)
    ridge = np.r_[1e-6, np.full(size - 1, penalty)]
    for _ in range(30):
        chances = np.exp(ones @ found.T - (ones @ found.T).max(1, keepdims=True))
        chances /= chances.sum(1, keepdims=True)
        gradient = ((chances - labels) * weight[:, None]).T @ ones + ridge * found
        curve = np.diag(np.tile(ridge, kinds) + 1e-8)
        for a in range(kinds):
            for b in range(a, kinds):
                block = (ones * (weight * chances[:, a] * ((a == b) - chances[:, b]))[:, None]).T @ ones
                curve[a * size : (a + 1) * size, b * size : (b + 1) * size] += block
                curve[b * size : (b + 1) * size, a * size : (a + 1) * size] += block if a != b else 0.0
        step = np.linalg.solve(curve, gradient.ravel()).reshape(found.shape)
        found -= step
        if abs(step).max() < 1e-6:
            break
    return found


def fit(rows: list[Row], data: list[list[list[float]]], target: str, penalty: float) -> tuple[list[str], Floats, Floats, Floats]:
    """Labels, mean, scale and weights; every document counts once, rare labels more."""
    labels, times = sorted({row[target] for row in rows}), Counter(row[target] for row in rows)
    values = np.array([part for parts in data for part in parts])
    mean, scale = values[:, :-1].mean(0), values[:, :-1].std(0) + 0.05
    truth = np.array([[float(row[target] == label) for label in labels] for row, parts in zip(rows, data, strict=True) for _ in parts])
    weight = np.array([1 / len(parts) / times[row[target]] ** RARE for row, parts in zip(rows, data, strict=True) for _ in parts])
    standard = ((values[:, :-1] - mean) / scale * values[:, -1:])[:, : USED[target]]
    found = maximize(standard, truth, weight * len(rows) / weight.sum(), penalty)
    return labels, mean, scale, np.pad(found, ((0, 0), (0, len(FEATURES) - USED[target])))


def validate(rows: list[Row], data: list[list[list[float]]], target: str, penalty: float) -> Counter[tuple[str, str]]:
    """Confusion, (label, guess) to times, of samples of documents whose fold was left out of the fit; the fold follows from the id."""
    folds = [int(sha1(row["id"].encode()).hexdigest(), 16) % FOLDS for row in rows]
    confusion: Counter[tuple[str, str]] = Counter()
    for out in range(FOLDS):
        kept = [at for at, fold in enumerate(folds) if fold != out]
        labels, mean, scale, weights = fit([rows[at] for at in kept], [data[at] for at in kept], target, penalty)
        for at in (at for at, fold in enumerate(folds) if fold == out):
            first = np.array(data[at][0])
            scores = weights @ np.r_[1.0, (first[:-1] - mean) / scale * first[-1]]
            confusion[rows[at][target], labels[int(scores.argmax())]] += 1
    return confusion


def learn(rows: list[Row], documents: list[ParsedDocument]) -> dict[str, Any]:
    """Weights in the form of the file, with the penalty that cross validation likes best."""
    data = [stretches(document) for document in documents]
    found: dict[str, Any] = {"made_by": COMMAND, "features": FEATURES}
    for target in ("form", "mode"):
        tried = {penalty: validate(rows, data, target, penalty) for penalty in PENALTIES}
        best = max(PENALTIES, key=lambda penalty: (share(tried[penalty]), penalty))
        show(f"tune {target}, cross-validated, penalty {best:g} of {PENALTIES}", tried[best])
        labels, mean, scale, weights = fit(rows, data, target, best)
        found |= {"mean": mean.round(4).tolist(), "scale": scale.round(4).tolist()}
        found[target] = {label: [round(float(v), 4) for v in row] for label, row in zip(labels, weights, strict=True)}
    return found


def share(confusion: Counter[tuple[str, str]]) -> float:
    return sum(times for (label, guess), times in confusion.items() if label == guess) / confusion.total()


def show(title: str, confusion: Counter[tuple[str, str]]) -> None:
    print(f"{title}: {share(confusion):.3f} of {confusion.total()}")
    for (label, guess), times in sorted(confusion.items()):
        print(f"    {label:15} read as {guess:15} {times}")


def main() -> None:
    rows = [json.loads(line) for line in LABELS.read_text(encoding="utf-8").splitlines()]
    read: dict[str, dict[str, ParsedDocument]] = {}
    if "--write" in sys.argv:
        tuned = [row for row in rows if row["half"] == "tune"]
        found = json.dumps(learn(tuned, [load(row, read) for row in tuned]))
        WEIGHTS.write_text(found.replace('], "', '],\n  "').replace('}, "', '},\n "').replace('": {"', '": {\n  "') + "\n", encoding="utf-8")
        verb._weights.cache_clear()
    for half in ("held", "short") if "--held" in sys.argv else ():
        kept = [row for row in rows if row["half"] == half]
        pairs = [(row, verb.profile_document(load(row, read), ProfileSettings())) for row in kept]
        for target in ("form", "mode"):
            show(f"{half} {target}", Counter((row[target], getattr(profile, target)) for row, profile in pairs))
            sure = [(row, profile) for row, profile in pairs if getattr(profile, f"{target}_confidence") >= SURE]
            show(f"    given with {SURE} or more", Counter((row[target], getattr(profile, target)) for row, profile in sure))
            print("".join(f"    {row['set']} {row['id']}\n" for row, profile in pairs if row[target] != getattr(profile, target)), end="")


if __name__ == "__main__":
    main()
