"""The shortest span of the chosen sentences that answers: one of the type asked for, a name that is told, or the clauses that say most of it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pagerag_pipeline.answering.asked import WHOLE_SENTENCE, Asked
from pagerag_pipeline.answering.candidates import candidates, may_hold
from pagerag_pipeline.answering.coverage import Wanted
from pagerag_pipeline.answering.latest import asks_latest, date_of
from pagerag_pipeline.answering.leaning import leans
from pagerag_pipeline.answering.quantities import weekday_runs
from pagerag_pipeline.answering.sentences import Sentence, in_passage_of
from pagerag_pipeline.answering.standing import may_stand, of_another, whole_span
from pagerag_pipeline.answering.word_families import relatives
from pagerag_pipeline.lexical import STOP_WORDS, content_terms, stem, terms, words
from pagerag_pipeline.schema.protocols import Tagger

ANSWER_WORDS = 40
"""Words of the longest answer that counts as short (chosen)."""
HEADING = 0.5
"""What a span loses that stands in a heading or a fragment; chosen."""
NEW_WORDS, FOLLOWING = 1, 3
"""Words beyond the question that a sentence may say which announces an answer; sentences behind it that are read for it; chosen."""
KIND_WORDS = 3
"""Words before a noun that say what kind of it is meant; chosen."""

_CLAUSE_END = re.compile(r"[,;:\u2014\u2013](?=\s)|\u2014|\s(?=(?:because|which|while|whereas|although|though|but|so that|in order to|when|who)\b)")
_ASKS_NAME = re.compile(r"\b(?:call(?:s|ed)?|names?|named|nick-?names?|nicknamed|known as|term(?:ed)?|titles?|titled)\b", re.IGNORECASE)
_NAME = r"(?:(?:the|a|an)\s+)?[\"\u201c\u2018*_]{0,2}(?:[A-Z\u00c0-\u00de][\w'\u2019-]*)(?:\s+(?:of\s+(?:the\s+)?)?[A-Z\u00c0-\u00de][\w'\u2019-]*)*"
_PARTICIPLE = re.compile(r"(?:called|named|nicknamed|christened|dubbed|termed|titled|entitled|known)\b")
_DAYS_ASKED = re.compile(r"\b(?:which|what) (?:\w+ )?days\b", re.IGNORECASE)
_PRONOUN = re.compile(r"\b(?:it|him|her|them)\b")
_NAMING = frozenset(stem(word) for word in "everyone everybody people they now also still commonly often usually formerly later generally sometimes simply always was been".split())
_TOLD_NAME = re.compile(
    rf"\b(?:(?:call(?:s|ed)?|named|nicknamed|christened|dubbed|termed)(?:\s+(?:it|him|her|them))?|titled|entitled|known as|by the name of"
    rf"|names? (?:of [^,.;:]{{1,60}} )?(?:is|was|were|are))\s+(?P<name>{_NAME}|[\"\u201c\u2018*_]{{1,2}}[^\"\u201d\u2019*_\n]{{2,60}}[\"\u201d\u2019*_])"
)
_ASKS = re.compile(r"\?[\"'\u201d\u2019)\]*_]*\s*$")
_SPEECH = re.compile(r"[\"\u201c\u00ab]|\b(?:ask|said|say|says|cried|wonder|inquire|demand)(?:s|ed)?\b", re.IGNORECASE)
_VAGUE = re.compile(r"(?:an?|some|one|another)\s+[a-z][\w-]*", re.IGNORECASE)
_KIND_ASKED = re.compile(r"\bwh(?:at|ich) (?:\w+ )?(?:kind|type|sort|form|style)s? of (?P<noun>[\w-]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Typed:
    """A span of the type asked for, with its sentence."""

    text: str
    sentence: Sentence
    stands: bool
    """Whether it may answer alone."""


def typed_span(asked: Asked, wanted: Wanted, chosen: Sequence[Sentence], tagger: Tagger, *, enough: float) -> str | None:
    """The text of the best span of the type asked for, whether it may stand alone or not."""
    found = typed_spans(asked, wanted, chosen, tagger, enough=enough)
    return found[0].text if found else None


def typed_spans(asked: Asked, wanted: Wanted, chosen: Sequence[Sentence], tagger: Tagger, *, enough: float) -> list[Typed]:
    """The spans of the type asked for, by their place in their sentence and by what that itself covers; ties go to the better sentence.

    A span that another sentence says as well is what is asked about sooner than the answer, so one that only its own sentence says comes first.
    A sentence that covers less than `enough`, those that it leans on counted in, and not the relation asked for, has none.
    """
    if asked.kind in WHOLE_SENTENCE:
        return []
    told = [wanted.covered_by(sentence) for sentence in chosen]
    fit = [i for i, shares in enumerate(told) if not asked.chief or shares.get(asked.chief) or wanted.share(shares) >= enough]
    fit = [i for i in fit if may_hold(chosen[i].text, asked)]
    found: list[tuple[bool, float, int, Typed]] = []
    for position, tagged in zip(fit, tagger.tag([chosen[i].text for i in fit], "en") if fit else (), strict=True):
        sentence, own = chosen[position], wanted.share(wanted.covered(chosen[position].terms))
        others = frozenset(term for one in (*chosen[:position], *chosen[position + 1 :]) for term in one.terms)
        for candidate in candidates(sentence.text, tagged, asked):
            if of_another(candidate, tagged, asked):
                continue
            repeated = len(chosen) > 1 and set(content_terms(candidate.text)) <= others
            merit = own + candidate.rank - (0.0 if sentence.whole or sentence.line else HEADING)
            stands = may_stand(candidate, sentence.text, tagged, asked)
            found.append((repeated, -round(merit, 6), position, Typed(whole_span(candidate, sentence.text, tagged, asked), sentence, stands)))
    return [one[3] for one in sorted(found, key=lambda one: one[:3])]


def short_answer(asked: Asked, wanted: Wanted, chosen: Sequence[Sentence], sentences: Sequence[Sentence]) -> tuple[str, tuple[Sentence, ...]]:
    """The answer in the words of the chosen sentences, headings left out, and the sentences beside them that it quotes.

    A name or kind that is told, else the first sentences that are short together; one that announces an answer goes with what follows it, and
    a first sentence that is too long is cut to the run of its clauses that covers most of the question.
    """
    days = told_days(asked, wanted, sentences)
    if days is not None:
        return days[0], (days[1],)
    able = [sentence for sentence in chosen if tells(asked, sentence, sentences)] or list(chosen)
    read = [sentence for sentence in able if sentence.whole] or able
    after = following(read[0], sentences)
    for one in (*read, *after):
        told = told_name(asked, one) or told_kind(asked, one)
        if told and not is_vague(told):
            return told, (one,)
    if is_question(read[0].text):
        kept = {after[0]: clipped(after[0].text, wanted)} if after else {}
    else:
        kept = {read[0]: clipped(read[0].text, wanted)}
    kept = _explained(kept, sentences) if leans(next(iter(kept.values()), "")) else kept
    announced = after if announces(read[0], wanted) else []
    for sentence in (*announced, *read[1:]):
        if sentence not in kept and not is_question(sentence.text):
            kept = _with(kept, sentence, sentences)
    return " ".join(kept.values()), tuple(kept)


def tells(asked: Asked, sentence: Sentence, sentences: Sequence[Sentence]) -> bool:
    """Whether a sentence may answer: a question only for what stands behind it, a heading only if it says more than is asked."""
    if sentence.whole:
        return not is_question(sentence.text) or any(not is_question(one.text) for one in following(sentence, sentences)[:1])
    said = set(content_terms(sentence.text)) - sentence.context
    return sentence.line or (not is_question(sentence.text) and not said <= set(asked.terms))


def is_question(text: str) -> bool:
    """Whether a sentence asks and so tells nothing: it ends with a question mark, and nobody is told to say it."""
    return _ASKS.search(text) is not None and _SPEECH.search(text) is None


def is_vague(answer: str) -> bool:
    """Whether a short answer is an indefinite noun alone (`a man`), which tells nobody who or what."""
    return _VAGUE.fullmatch(answer.strip()) is not None


def _explained(kept: Mapping[Sentence, str], sentences: Sequence[Sentence]) -> dict[Sentence, str]:
    """The first sentence behind the one that says for what its pronoun stands, where both are short together."""
    before = _before(next(iter(kept)), sentences)
    return {before: before.text, **kept} if before is not None and _fits(kept, before) else dict(kept)


def _with(kept: Mapping[Sentence, str], sentence: Sentence, sentences: Sequence[Sentence]) -> dict[Sentence, str]:
    """A further sentence behind those that are kept; one that leans on the sentence before it goes with that one, or not at all."""
    before = _before(sentence, sentences) if leans(sentence.text) else None
    if not _fits(kept, sentence) or (leans(sentence.text) and before is None):
        return dict(kept)
    if before is None or before in kept:
        return {**kept, sentence: sentence.text}
    return {**kept, before: before.text, sentence: sentence.text} if _fits(kept, before, sentence) else dict(kept)


def _fits(kept: Mapping[Sentence, str], *more: Sentence) -> bool:
    return sum(len(one.split()) for one in (*kept.values(), *(sentence.text for sentence in more))) <= ANSWER_WORDS


def _before(sentence: Sentence, sentences: Sequence[Sentence]) -> Sentence | None:
    """The whole sentence right before one in the same passage; None where a heading or nothing stands there, or one that leans on another or asks."""
    before = [one for one in in_passage_of(sentence, sentences) if one.span.start < sentence.span.start]
    last = max(before, key=lambda one: one.span.start, default=None)
    return last if last is not None and last.whole and not leans(last.text) and not is_question(last.text) else None


def announces(sentence: Sentence, wanted: Wanted) -> bool:
    """Whether a sentence says at most one word beyond the question, so that what is asked must stand behind it."""
    own = {word for word in content_terms(sentence.text) if not any(word in others for others in wanted.stand_ins.values())}
    return len(own - sentence.context) <= NEW_WORDS


def following(sentence: Sentence, sentences: Sequence[Sentence]) -> list[Sentence]:
    """The next sentences of the same passage."""
    place = sentence.span.document, sentence.item
    after = [one for one in sentences if (one.span.document, one.item) == place and one.span.start > sentence.span.start and one.whole]
    return sorted(after, key=lambda one: one.span.start)[:FOLLOWING]


def told_name(asked: Asked, sentence: Sentence) -> str:
    """What a sentence says that something is called, when that is asked and the name is not the question's own; empty otherwise."""
    if not _ASKS_NAME.search(asked.text):
        return ""
    for match in _TOLD_NAME.finditer(sentence.text):
        name = match["name"].strip(" *_\"\u201c\u201d\u2018\u2019")
        if not set(content_terms(name)) <= set(asked.terms) and _is_asked_about(asked, sentence.text[: match.start()], match.group()):
            return name
    return ""


def _is_asked_about(asked: Asked, before: str, told: str) -> bool:
    """Whether what stands right before `called` may be what is asked about: no noun that the question does not say (`an office called ...`)."""
    if not _PARTICIPLE.match(told) or _PRONOUN.search(told):
        return True
    behind = before.rstrip().rsplit(None, 1)[-1:] if not before.rstrip().endswith((",", ")")) else []
    named = [term for word in behind for term in content_terms(word)]
    return all(any(other in asked.terms for other in relatives(term)) or term in _NAMING for term in named)


def told_days(asked: Asked, wanted: Wanted, sentences: Sequence[Sentence]) -> tuple[str, Sentence] | None:
    """The run of weekdays that a sentence about the relation tells, and the sentence: the one dated last where that is asked, else the one that covers most."""
    if not _DAYS_ASKED.search(asked.text) or not asked.chief:
        return None
    found: list[tuple[tuple[int, int, int], float, str, Sentence]] = []
    for sentence in sentences:
        runs = [run for run in weekday_runs(sentence.text) if not set(content_terms(run)) <= set(asked.terms)]
        shares = wanted.covered(sentence.terms)
        if runs and sentence.whole and shares.get(asked.chief):
            dated = (date_of(sentence, sentences) or (0, 0, 0)) if asks_latest(asked.text) else (0, 0, 0)
            found.append((dated, round(wanted.share(shares), 6), max(runs, key=len), sentence))
    best = max(found, key=lambda one: one[:2], default=None)
    return None if best is None else (best[2], best[3])


def told_kind(asked: Asked, sentence: Sentence) -> str:
    """The words before a noun of which the kind is asked, with the noun; empty when the sentence has none that the question does not say."""
    match = _KIND_ASKED.search(asked.text)
    if match is None:
        return ""
    noun = stem(words(match["noun"])[0])
    tokens = list(re.finditer(r"[\w'\u2019-]+", sentence.text))
    for place, token in enumerate(tokens):
        if noun in terms(token.group()):
            start = place
            while start > 0 and place - start < KIND_WORDS and _describes(sentence.text, tokens[start - 1], tokens[start]):
                start -= 1
            said = sentence.text[tokens[start].start() : token.end()]
            if start < place and not set(content_terms(said)) <= set(asked.terms):
                return said
    return ""


def clipped(text: str, wanted: Wanted) -> str:
    """A text of at most `ANSWER_WORDS` words as it is; of a longer one the run of whole clauses that covers most, the longest of those."""
    if len(text.split()) <= ANSWER_WORDS:
        return text
    cuts = [0, *(match.end() for match in _CLAUSE_END.finditer(text)), len(text)]
    runs = [(start, end) for i, start in enumerate(cuts) for end in cuts[i + 1 :] if 0 < len(text[start:end].split()) <= ANSWER_WORDS]
    if not runs:
        return text
    start, end = max(runs, key=lambda run: (round(wanted.share(wanted.covered(set(terms(text[slice(*run)])))), 6), run[1] - run[0], -run[0]))
    return text[start:end].strip(" \n,;:\u2014\u2013")


def _describes(text: str, word: re.Match[str], following: re.Match[str]) -> bool:
    """Whether a word may describe the noun behind the next one: no function word, and only a space between the two."""
    return word.group().lower() not in STOP_WORDS and text[word.end() : following.start()].strip() == ""
