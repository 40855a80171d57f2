"""Global search O_g (PankRAG, section 4.4): reports from the coarsest level down, the finer ones only below those that bear on the question."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pagerag_pipeline.retrieval.evidence import Found, count_tokens
from pagerag_pipeline.schema.asking import Evidence, Scope
from pagerag_pipeline.schema.protocols import Tokenizer
from pagerag_pipeline.settings_asking import PankSettings
from pagerag_pipeline.stores.found import Quoted
from pagerag_pipeline.stores.repository import Repository
from pagerag_pipeline.stores.surroundings import SeenReport, reports_seen


@dataclass(frozen=True, slots=True)
class Mapped:
    """A report with its map score, 0 (bears on nothing) to 100."""

    report: SeenReport
    score: int


Score = Callable[[Sequence[tuple[str, str]]], Mapping[str, int] | str]
"""Scores from 0 to 100 of texts, by their key; one that is not among them was not read. A text in their place says why there are none."""


def search_reports(vector: np.ndarray, repository: Repository, *, scope: Scope, settings: PankSettings, tokenizer: Tokenizer) -> Found:
    """Reports that bear on a question, best first, within `global_tokens`, told in their quotes in scope.

    A map score is made by a model in the paper; here it is the report's cosine with the question, scaled so that the least among all reports
    looked at has 0 and the most 100. Those of 0 are left out.
    """
    every = reports_seen(repository, scope, level=settings.report_level)
    looked = every[: settings.global_reports]
    vectors = repository.vectors("reports", sorted({one.embed_key for one in looked})) if looked else {}
    mapped = map_scores(looked, {key: float(own @ vector) for key, own in vectors.items()})
    chosen = descend(mapped, settings.global_descend)
    told = _told(chosen, repository, scope)
    notes = {"map": "cosine, scaled: no model read the reports", "looked_at": len(looked)}
    return _within(chosen, told, (settings.global_tokens, tokenizer), cut=len(every) - len(looked), notes=notes)


def map_reports(score: Score, repository: Repository, *, scope: Scope, settings: PankSettings, tokenizer: Tokenizer) -> Found | str:
    """Reports that a model finds to bear on a question, as `search_reports` tells them, or why it scored none.

    The coarsest level is scored first, then what is below the reports that have at least `global_descend`; those that were not read are counted.
    """
    every = reports_seen(repository, scope, level=settings.report_level)
    looked = every[: settings.global_reports]
    told = _told([Mapped(one, 0) for one in looked], repository, scope)
    by_parent = _by_parent([Mapped(one, 0) for one in looked])
    chosen: list[Mapped] = []
    scores: dict[str, int] = {}
    unread = 0
    level = by_parent.get("", [])
    while level:
        # A community with one part says the same on two levels.
        texts = {key: told[key].text for one in level if (key := one.report.embed_key) in told and key not in scores}
        new = score(list(texts.items())) if texts else {}
        if isinstance(new, str):
            return new
        scores |= new
        unread += sum(one.report.embed_key not in scores for one in level)
        level = [Mapped(one.report, scores[one.report.embed_key]) for one in level if one.report.embed_key in scores]
        chosen += level
        level = [child for one in level if one.score >= settings.global_descend for child in by_parent.get(one.report.community_id, [])]
    notes = {"map": "scores of a model", "looked_at": len(chosen), "unread": unread}
    return _within(_best(chosen), told, (settings.global_tokens, tokenizer), cut=len(every) - len(looked), notes=notes)


def _told(mapped: Sequence[Mapped], repository: Repository, scope: Scope) -> dict[str, Quoted]:
    """What these reports say in scope, by key."""
    return {one.key: one for one in repository.reports(list(dict.fromkeys(one.report.embed_key for one in mapped)), scope)}


def _within(chosen: Sequence[Mapped], told: Mapping[str, Quoted], limit: tuple[int, Tokenizer], *, cut: int, notes: dict[str, Any]) -> Found:
    """These reports as evidence, each text once, as many as fit the tokens."""
    most, tokenizer = limit
    shown: dict[str, Evidence] = {}
    used = 0
    for one in chosen:
        quoted = told.get(one.report.embed_key)
        tokens = count_tokens(quoted.text, tokenizer) if quoted else 0
        if quoted is not None and quoted.key not in shown and used + tokens <= most:
            used += tokens
            shown[quoted.key] = Evidence("report", quoted.text, one.score / 100, quoted.spans, tokens, scores=(("map", float(one.score)),))
    levels = {f"level_{level}": sum(one.report.level == level for one in chosen) for level in sorted({one.report.level for one in chosen})}
    return Found(tuple(shown.values()), left_out=len(chosen) - len(shown), cut=cut, notes={**notes, **levels})


def map_scores(reports: Sequence[SeenReport], cosines: Mapping[str, float]) -> list[Mapped]:
    """Reports with their cosines scaled to whole numbers from 0 to 100; 100 where all are equal."""
    values = [round(cosines.get(one.embed_key, 0.0), 5) for one in reports]
    low, high = min(values, default=0.0), max(values, default=0.0)
    return [Mapped(one, round(100 * (value - low) / (high - low)) if high > low else 100) for one, value in zip(reports, values, strict=True)]


def descend(mapped: Sequence[Mapped], least: int) -> list[Mapped]:
    """The reports of the coarsest level, and those below one that has at least `least`, level by level; none of 0, best first, ties by id.

    A report whose community's parent has none is looked at as if it were of the coarsest level.
    """
    by_parent = _by_parent(mapped)
    chosen: list[Mapped] = []
    level = by_parent.get("", [])
    while level:
        chosen += level
        level = [child for one in level if one.score >= least for child in by_parent.get(one.report.community_id, [])]
    return _best(chosen)


def _by_parent(mapped: Sequence[Mapped]) -> dict[str, list[Mapped]]:
    """Reports by the community above theirs; without a name where that has none."""
    found: dict[str, list[Mapped]] = {}
    known = {one.report.community_id for one in mapped}
    for one in mapped:
        found.setdefault(one.report.parent_id if one.report.parent_id in known else "", []).append(one)
    return found


def _best(chosen: Sequence[Mapped]) -> list[Mapped]:
    return sorted((one for one in chosen if one.score > 0), key=lambda one: (-one.score, one.report.community_id))
