"""Question sets: what a system may see of a question, and the gold that it is judged by, kept apart from the first line on."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pagerag_pipeline.evaluation.rows import Pair, read_pairs
from pagerag_pipeline.evaluation.sources import EvaluationError, Sources, find_sources
from pagerag_pipeline.schema.asking import Question

SEED = 7
"""Of samples and of the other document in `cross`; the seed of the published baselines."""

SPLITS = frozenset("train training dev development valid validation val test testing eval evaluation".split())
"""Names of folders that hold one part of several data sets each."""


@dataclass(frozen=True, slots=True)
class Gold:
    """What an outcome is judged by. No system is ever given one."""

    answerable: bool
    answers: tuple[str, ...] = ()
    """Reference answers; empty when there are none, or the question cannot be answered."""
    relevant: Mapping[str, int] = field(default_factory=dict)
    """Names of the documents that bear on it, each with its grade; empty when no ranking can be judged."""
    kind: str = ""
    group: str = ""
    """The documents it is asked of, for folds that keep them together."""
    crossed: bool = False
    """Whether it is asked of a document that it is not about."""


@dataclass(frozen=True, slots=True)
class Task:
    """A question and, apart from it, its gold."""

    question: Question
    gold: Gold


@dataclass(frozen=True, slots=True)
class Selection:
    """Which questions of a set are asked, and of what."""

    questions: str = ""
    """The question file, by itself or in the set's folder; empty: `questions.jsonl`, else every file whose name ends so."""
    where: tuple[tuple[str, str], ...] = ()
    """Fields and their values: values of one field are alternatives, all fields must hold."""
    shortest: int | None = None
    """Only questions of so many documents, the smallest."""
    limit: int | None = None
    """At most so many questions, answerable and unanswerable in equal parts where there are both."""
    seed: int = SEED
    cross: bool = False
    """Ask each answerable question of another document too, as unanswerable."""
    pool: bool = False
    """Ask of all documents; those that a question names are then gold."""
    last_turn: bool = False
    """Ask without the earlier turns."""


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """The tasks of one set and the files that they are asked of."""

    name: str
    split: str
    """Which part of a data set it is: what its rows say (`split`), else the folder of sets it stands in where that is called so, else its question files."""
    tasks: tuple[Task, ...]
    files: Mapping[str, Path] = field(default_factory=dict)
    """Place in the corpus to the file that belongs there."""
    skipped: tuple[tuple[str, str], ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    """How many questions were not asked, by reason."""
    noted: tuple[str, ...] = ()
    """What else is not as it may seem, in words."""


def read_set(
    given: Path, selection: Selection, *, corpus: Path | None = None, held: Callable[[str], bool] | None = None
) -> QuestionSet:
    """The set in a folder, or of one question file. With `held`, what a home knows, documents are asked for by the names they have.

    Raises EvaluationError for a set without questions, with a row that cannot be meant, or whose documents cannot be found.
    """
    if selection.cross and selection.pool:
        raise EvaluationError("Of all documents, no question can be asked of another one: cross and pool exclude each other.")
    if not given.exists():
        raise EvaluationError(f"There is no folder or question file {given}.")
    folder = given if given.is_dir() else given.parent
    files = [given] if given.is_file() else _question_files(folder, selection.questions)
    every = [pair for file in files for pair in read_pairs(file)]
    selected = [(question, row) for question, row in every if _fits(row, selection.where)]
    sources = _sources(folder, [question for question, _ in selected], corpus, held)
    kept = _shortest(selected, sources, selection.shortest)
    counts = Counter(not_selected=len(every) - len(selected), of_longer_documents=len(selected) - len(kept))
    chosen = [_task(question, row, sources, selection) for question, row in kept]
    noted = _noted(kept, sources)
    if selection.cross:
        counts["unanswerable_of_its_own"] = sum(not task.gold.answerable for task in chosen)
        chosen, alone = crossed(chosen, selection.seed)
        noted += [f"{alone} questions asked of their own documents alone: nothing to cross with"] if alone else []
    sample = sampled(chosen, selection.limit, selection.seed)
    counts["beyond_limit"] = len(chosen) - len(sample)
    if not sample:
        raise EvaluationError(f"{given}: no question is left to ask.")
    name = f"{folder.resolve().name}-cross" if selection.cross else folder.resolve().name
    left = {reason: count for reason, count in counts.items() if count}
    return QuestionSet(
        name,
        _split(folder, files, [row for _, row in kept]),
        tuple(sample),
        _files([question for question, _ in kept], sources),
        sources.skipped,
        left,
        tuple(noted),
    )


def _sources(folder: Path, questions: Sequence[Question], corpus: Path | None, held: Callable[[str], bool] | None) -> Sources:
    """Where the documents of these questions stand. Raises EvaluationError when one stands nowhere and no home is asked."""
    named = {one for question in questions for one in question.doc_ids or ()}
    sources = replace(find_sources(folder, corpus, named), held=held)
    if held is None:
        _check_documents(folder, questions, sources)
    return sources


def crossed(tasks: Sequence[Task], seed: int) -> tuple[list[Task], int]:
    """Every answerable task, each followed by its question asked of other documents, drawn by seed; and how many found none."""
    scopes = sorted({task.question.doc_ids for task in tasks if task.question.doc_ids})
    draw = random.Random(seed)
    found: list[Task] = []
    alone = 0
    for task in tasks:
        own = set(task.question.doc_ids or ())
        others = [scope for scope in scopes if not own & set(scope)] if own and task.gold.answerable else []
        found += [task] if task.gold.answerable else []
        if others:
            other = draw.choice(others)
            question = replace(task.question, qid=f"{task.question.qid}@{other[0]}", doc_ids=other)
            found.append(Task(question, Gold(False, kind=task.gold.kind, group=other[0], crossed=True)))
        elif task.gold.answerable:
            alone += 1
    return found, alone


def sampled(tasks: Sequence[Task], limit: int | None, seed: int) -> list[Task]:
    """At most `limit` tasks drawn by seed: half of them answerable where there are both kinds, more of one where the other has too few."""
    if limit is None or limit >= len(tasks):
        return list(tasks)
    kinds = [[task for task in tasks if task.gold.answerable is flag] for flag in (True, False)]
    few = min(range(2), key=lambda one: len(kinds[one]))
    sizes = [0, 0]
    sizes[few] = min(len(kinds[few]), limit // 2)
    sizes[1 - few] = limit - sizes[few]
    return [task for kind, size in zip(kinds, sizes, strict=True) for task in random.Random(seed).sample(kind, size)]


def _question_files(folder: Path, given: str) -> list[Path]:
    if given:
        files = [path for path in (Path(given), folder / given) if path.is_file()][:1]
    else:
        own = folder / "questions.jsonl"
        files = [own] if own.is_file() else sorted(folder.glob("*questions.jsonl"))
    if not files:
        raise EvaluationError(f"{folder} holds no {given or 'questions.jsonl'}: name its question file with --questions.")
    return files


def _split(folder: Path, files: Sequence[Path], rows: Sequence[Mapping[str, Any]]) -> str:
    own = sorted({str(row["split"]) for row in rows if row.get("split")})
    around = folder.resolve().parent.name
    return ", ".join(own) or (around if around.lower() in SPLITS else ", ".join(file.name for file in files))


def _noted(pairs: Sequence[Pair], sources: Sources) -> list[str]:
    """Files that are not asked of, and evidence that names no document."""
    noted: list[str] = []
    if sources.held is None and sources.beside and any(question.doc_ids is None for question, _ in pairs):
        noted.append(
            f"{len(sources.beside)} plain files beside the set's JSON lines are not asked of ({sources.beside[0]} ...): "
            "name their folder with --corpus to ask of them too"
        )
    given = [str(one) for _, row in pairs if _ranks_by_evidence(row) for one in row.get("evidence") or ()]
    lost = [one for one in given if not sources.knows(one)]
    if lost:
        first = " ".join(lost[0].split())[:60]
        noted.append(f"{len(lost)} of {len(given)} pieces of evidence name no document, no ranking is judged by them: {first}")
    return noted


def _ranks_by_evidence(row: Mapping[str, Any]) -> bool:
    return bool(row.get("answerable", True)) and not isinstance(row.get("qrels"), dict)


def _fits(row: Mapping[str, Any], where: Sequence[tuple[str, str]]) -> bool:
    wanted: dict[str, set[str]] = {}
    for key, value in where:
        wanted.setdefault(key, set()).add(value)
    return all(str(row.get(key)) in values for key, values in wanted.items())


def _check_documents(folder: Path, questions: Iterable[Question], sources: Sources) -> None:
    for question in questions:
        lacking = [one for one in question.doc_ids or () if sources.get(one) is None]
        if lacking:
            unread = "".join(f" Skipped {file}: {why}" for file, why in sources.skipped if file.startswith("../"))
            raise EvaluationError(
                f"{folder}: question {question.qid} asks of {lacking[0]}, which stands nowhere: "
                f"name the folder of documents with --corpus.{unread}"
            )
        if question.doc_ids is None and not sources.whole:
            raise EvaluationError(
                f"{folder}: question {question.qid} asks of all documents, and there are none: name their folder with --corpus."
            )


def _task(question: Question, row: Mapping[str, Any], sources: Sources, selection: Selection) -> Task:
    names = None if question.doc_ids is None else tuple(_name(one, sources) for one in question.doc_ids)
    answerable = bool(row.get("answerable", True))
    answers = tuple(str(one) for one in row.get("answers") or ()) if answerable else ()
    relevant = _relevant(row, sources) if answerable else {}
    if selection.pool and answerable and not relevant:
        relevant = dict.fromkeys(names or (), 1)
    asked_of = None if selection.pool else names
    if asked_of is not None and set(asked_of) <= set(relevant):
        relevant = {}
    group = (names or (question.qid,))[0]
    asked = replace(question, doc_ids=asked_of, history=() if selection.last_turn else question.history)
    return Task(asked, Gold(answerable, answers, relevant, str(row.get("kind", "")), group))


def _relevant(row: Mapping[str, Any], sources: Sources) -> dict[str, int]:
    """Gold documents of a row: graded ones, or the evidence that names documents; evidence in words names none."""
    graded = row.get("qrels")
    if isinstance(graded, dict):
        return {_name(str(one), sources): int(grade) for one, grade in graded.items() if int(grade) > 0}
    return {_name(str(one), sources): 1 for one in row.get("evidence") or () if sources.knows(str(one))}


def _name(document: str, sources: Sources) -> str:
    source = sources.get(document)
    return source.name if source else document


def _shortest(pairs: Sequence[Pair], sources: Sources, most: int | None) -> list[Pair]:
    """Those that are asked of the `most` smallest documents alone."""
    if most is None:
        return list(pairs)
    named = {one for question, _ in pairs for one in question.doc_ids or ()}

    def size(document: str) -> tuple[int, str]:
        source = sources.get(document)
        return source.size if source else 0, _name(document, sources)

    kept = set(sorted(named, key=size)[:most])
    return [(question, row) for question, row in pairs if question.doc_ids and set(question.doc_ids) <= kept]


def _files(questions: Iterable[Question], sources: Sources) -> dict[str, Path]:
    """The files that these are asked of, by their places; a file of many documents comes whole."""
    needed: set[str] = set()
    for question in questions:
        needed |= sources.whole if question.doc_ids is None else set(question.doc_ids)
    found = [source for one in needed if (source := sources.get(one))]
    return {source.place: source.file for source in sorted(found, key=lambda source: source.place)}
