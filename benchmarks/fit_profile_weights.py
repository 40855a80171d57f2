"""Fits the weights of `indexing/profiling/profile_weights.json` to the labeled documents of the half `tune`, and prints how both halves are met.

Run: PAGERAG_EVAL=<folder of evaluation data> python -m benchmarks.fit_profile_weights [--write]
"""

import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from pagerag_pipeline.indexing import profile as verb
from pagerag_pipeline.indexing.parse import parse_file
from pagerag_pipeline.indexing.profiling.discourse import WINDOW, cover, measure, sample
from pagerag_pipeline.indexing.profiling.language import detect_language
from pagerag_pipeline.indexing.structure import find_sections
from pagerag_pipeline.schema import ParsedDocument
from pagerag_pipeline.settings import ParseSettings, ProfileSettings

ROOT = Path(__file__).resolve().parent.parent
LABELS = ROOT / "pagerag_pipeline_tests" / "indexing" / "facts" / "profiles.jsonl"
WEIGHTS = ROOT / "pagerag_pipeline" / "indexing" / "profiling" / "profile_weights.json"
FEATURES = (
    "tense events dated sequence modal opinion past present third first plural second argument research law abstract names definition citation years dialogue "
    "digits code turns tables"
).split()
GENRE = ("names", "years", "digits", "citation", "dialogue", "tables", "code")
"""They tell forms apart; for the mode they would only say where the labeled documents came from."""
WINDOWS = 12
"""Stretches of one document that are learned from besides its sample, so that weights hold for short texts too."""


def load(row: dict[str, str], read: dict[str, dict[str, ParsedDocument]]) -> ParsedDocument:
    folder = Path(os.environ["PAGERAG_EVAL"]) / row["set"]
    path = folder / row["id"]
    if path.exists():
        return parse_file(path.name, path.read_bytes(), ParseSettings()).documents[0]
    if row["set"] not in read:
        path = next(p for p in (folder / "docs.jsonl", folder / "coref.jsonl") if p.exists())
        read[row["set"]] = {d.sub_id: d for d in parse_file(path.name, path.read_bytes(), ParseSettings()).documents}
    return read[row["set"]][row["id"]]


def windows(document: ParsedDocument) -> list[list[float]]:
    """Square roots of the features of stretches of a document, shrunk as the verb shrinks scores, with the size last."""
    text = "".join(document.text[s.start : s.end] for s in find_sections(document) if s.kind not in ("front", "back"))
    body = text if 3 * len(text) > len(document.text) else document.text
    step = max(WINDOW, len(body) // WINDOWS)
    stretches = [body[at : at + WINDOW] for at in range(0, max(1, len(body) - WINDOW // 2), step)] + [sample(body, verb.DOCUMENT_WINDOWS)]
    length = len(document.text)
    shares = {"tables": cover(document.blocks, "table", length), "turns": cover(document.blocks, "speaker", length)}
    measured = [measure(stretch, detect_language(body)) | shares for stretch in stretches]
    return [[found[name] ** 0.5 for name in FEATURES] + [found["size"]] for found in measured]


def fit(rows: list[dict[str, str]], documents: list[ParsedDocument]) -> dict[str, Any]:
    """Weights in the form of the file, from logistic regressions in which every document counts once and rare labels count more."""
    data = [(row, window) for row, document in zip(rows, documents, strict=True) if row["half"] == "tune" for window in windows(document)]
    values = np.array([window for _, window in data])
    raw, trust = values[:, :-1], values[:, -1:] / (values[:, -1:] + verb.SHRINK_WORDS)
    mean, scale = raw.mean(0), raw.std(0) + 0.05
    standard = (raw - mean) / scale * trust
    times = Counter(row["id"] for row, _ in data)
    found: dict[str, Any] = {"features": FEATURES, "mean": mean.round(4).tolist(), "scale": scale.round(4).tolist()}
    for target in ("form", "mode"):
        labels = Counter(row[target] for row in rows if row["half"] == "tune")
        weight = np.array([1 / times[row["id"]] / labels[row[target]] ** 0.5 for row, _ in data])
        used = np.array([target == "form" or name not in GENRE for name in FEATURES])
        model = LogisticRegression(C=0.1, max_iter=5000).fit(standard * used, [row[target] for row, _ in data], sample_weight=weight / weight.mean())
        found[target] = {
            str(label): [round(float(v), 4) for v in (bias, *row)] for label, bias, row in zip(model.classes_, model.intercept_, model.coef_, strict=True)
        }
    return found


def report(rows: list[dict[str, str]], documents: list[ParsedDocument]) -> None:
    for half in ("tune", "held"):
        pairs = [(row, verb.profile_document(d, ProfileSettings())) for row, d in zip(rows, documents, strict=True) if row["half"] == half]
        for target in ("form", "mode"):
            confusion = Counter((row[target], getattr(profile, target)) for row, profile in pairs)
            right = sum(times for (label, guess), times in confusion.items() if label == guess)
            print(f"{half} {target}: {right} of {len(pairs)} = {right / len(pairs):.3f}")
            for (label, guess), times in sorted(confusion.items()):
                print(f"    {label:15} read as {guess:15} {times}")


def main() -> None:
    rows = [json.loads(line) for line in LABELS.read_text(encoding="utf-8").splitlines()]
    read: dict[str, dict[str, ParsedDocument]] = {}
    documents = [load(row, read) for row in rows]
    if "--write" in sys.argv:
        found = json.dumps(fit(rows, documents))
        WEIGHTS.write_text(found.replace('], "', '],\n  "').replace('}, "', '},\n "').replace('": {"', '": {\n  "') + "\n", encoding="utf-8")
        verb._weights.cache_clear()
    report(rows, documents)


if __name__ == "__main__":
    main()
