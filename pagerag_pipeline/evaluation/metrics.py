"""What one outcome is worth beside its gold: answers word for word, evidence that holds them, and rankings of documents."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

LENIENT_F1 = 0.5
"""Token F1 with a reference from which an answer counts as lenient (chosen)."""
STRICT_WORDS = 40
"""Words of the longest answer that can be strict (chosen)."""
CUTS = (2, 5, 10)
"""Depths of recall."""
ALL_GOLD = 8
"""Depth within which all gold documents must stand."""
RANKING = (*(f"recall@{k}" for k in CUTS), f"all_gold@{ALL_GOLD}", "mrr@10", "ndcg@10", "map")

_SPACELESS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0e7f"
_WORD = re.compile(rf"[{_SPACELESS}]|[^\W_{_SPACELESS}]+")
_ARTICLES = ("a", "an", "the")


def normalized(text: str) -> str:
    """Lower-case words without punctuation and English articles, one space between them and one at both ends (SQuAD's normalization).

    A character of a script without spaces is a word of its own.
    """
    words = _WORD.findall(unicodedata.normalize("NFKC", text).lower())
    return f" {' '.join(word for word in words if word not in _ARTICLES)} "


def holds(texts: Iterable[str], answers: Iterable[str]) -> bool:
    """Whether one of the texts, normalized already, holds one of the answers as whole words."""
    wanted = [answer for answer in map(normalized, answers) if answer.strip()]
    return any(answer in text for text in texts for answer in wanted)


def token_f1(answer: str, reference: str) -> float:
    """Harmonic mean of the shares of common words in both texts, normalized; 0 when one has none."""
    given, wanted = Counter(normalized(answer).split()), Counter(normalized(reference).split())
    common = sum((given & wanted).values())
    return 2 * common / (given.total() + wanted.total()) if common else 0.0


def is_lenient(answer: str, quotes: Iterable[str], answers: Sequence[str]) -> bool:
    """Whether a reference stands in a cited quote, or the answer shares half its words with one (token F1)."""
    return holds(map(normalized, quotes), answers) or any(token_f1(answer, one) >= LENIENT_F1 for one in answers)


def is_strict(answer: str, answers: Sequence[str]) -> bool:
    """Whether a reference stands in an answer of at most 40 words."""
    return len(answer.split()) <= STRICT_WORDS and holds([normalized(answer)], answers)


def ranking_values(ranked: Mapping[str, Sequence[str]], relevant: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, float]]:
    """By question, the value of each of RANKING: rankings of documents, each once and best first, beside graded gold, by `ir-measures`."""
    from ir_measures import AP, RR, Qrel, R, ScoredDoc, iter_calc, nDCG

    names = {
        **{R @ k: f"recall@{k}" for k in CUTS},
        R @ ALL_GOLD: f"all_gold@{ALL_GOLD}",
        RR @ 10: "mrr@10",
        nDCG @ 10: "ndcg@10",
        AP: "map",
    }
    gold = [Qrel(qid, document, grade) for qid, graded in relevant.items() for document, grade in graded.items()]
    # Scores fall with the rank: the measures sort by score themselves, ties by name.
    run = [ScoredDoc(qid, one, -float(place)) for qid in relevant for place, one in enumerate(ranked.get(qid, ()))]
    values = {qid: dict.fromkeys(RANKING, 0.0) for qid in relevant}
    for metric in iter_calc(list(names), gold, run) if run else ():
        name = names[metric.measure]
        values[metric.query_id][name] = float(metric.value == 1.0) if name.startswith("all_gold") else float(metric.value)
    return values
