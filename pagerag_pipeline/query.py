"""The query engine: opens the published generation, lets a system gather evidence, and ends in an answer or a refusal."""

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from pagerag_pipeline.answering.asked import needs_tagger
from pagerag_pipeline.answering.computed import decide_computed, said_whole
from pagerag_pipeline.answering.gate import Readers, beyond_scope, decide, nothing_known
from pagerag_pipeline.answering.generative import answer_by_model
from pagerag_pipeline.answering.lettered import choose_by_letter
from pagerag_pipeline.answering.options import choose_option
from pagerag_pipeline.models.chat.opening import Chat, open_chat
from pagerag_pipeline.models.endpoint.embedder import BY_WORDS
from pagerag_pipeline.models.endpoint.line import EmbeddingFault
from pagerag_pipeline.models.ready import Models, OtherModel
from pagerag_pipeline.outcomes import LongQuestion, decided, failed, generated, looked, refused, with_calls
from pagerag_pipeline.schema.asking import Outcome, Plan, Question, Scope, Usage
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.settings_file import load_settings
from pagerag_pipeline.stores.documents import UnknownDocument
from pagerag_pipeline.stores.generations import GenerationError, current_name
from pagerag_pipeline.stores.opening import open_repository
from pagerag_pipeline.stores.published import NoIndex
from pagerag_pipeline.stores.questions import sound
from pagerag_pipeline.stores.repository import Repository
from pagerag_pipeline.stores.servers import ChatServers
from pagerag_pipeline.stores.tables import is_interrupt
from pagerag_pipeline.systems.ablations import ABLATIONS, NO_EVIDENCE_CONSTRAINT, check_ablations
from pagerag_pipeline.systems.asking.models import Asking, asking_of
from pagerag_pipeline.systems.clock import Clock
from pagerag_pipeline.systems.e2 import gather_e2
from pagerag_pipeline.systems.ensi import gather_ensi
from pagerag_pipeline.systems.gathering import Gathered, Means, with_history
from pagerag_pipeline.systems.grounding import grounds_of
from pagerag_pipeline.systems.page import gather_page
from pagerag_pipeline.systems.pank import PLANNABLE, gather_pank
from pagerag_pipeline.systems.passages import gather_passages
from pagerag_pipeline.systems.tables import over_tables

LOGGER = logging.getLogger(__name__)

SYSTEMS = {"page": gather_page, "passages": gather_passages, "e2": gather_e2, "pank": gather_pank, "ensi": gather_ensi}
TAGGED = frozenset({"e2", "pank", "ensi"})
"""Systems that read every question by the tagger; others only if the answer may need it."""
PLANS = ("", "pank")
"""Planners that may stand in front of a system; none without a name."""
_NO_PLAN = Plan({}, (), {}, ())
_BEGINNING = 200
"""Characters of a ranked passage that are shown."""


@dataclass(frozen=True, slots=True)
class Result:
    """One line of a ranking."""

    document: str
    chunk_id: str
    score: float
    section: tuple[str, ...]
    start: int
    end: int
    """Character offsets into the document."""
    text: str
    """The beginning of what stands there."""


class QueryEngine:
    """Answers from whatever generation is current when a question comes. Safe to use from many threads.

    `ablations` are for comparisons: what a system is asked without. Raises ValueError for one that is not known, or that a system has not.
    `chat` are models that several engines share with their spending; without it, an engine opens what its settings name.
    With `plan` "pank", a question's hops are planned first, and the system gathers each of them.
    """

    def __init__(self, home: Path | str, settings: Settings | None = None, *, ablations: Collection[str] = (), chat: Chat | None = None) -> None:
        if unknown := sorted(set(ablations) - set(ABLATIONS)):
            raise ValueError(f"unknown ablations {', '.join(unknown)}; known are {', '.join(ABLATIONS)}")
        self._ablations = frozenset(ablations)
        self._home = Path(home)
        self._settings = load_settings(self._home) if settings is None else settings
        self._models = Models(self._settings, ChatServers(self._home))
        chat = chat or open_chat(self._settings.chat, ChatServers(self._home))
        self._model = chat.model("answer") if chat else None
        self._planner = chat.model("plan") if chat else None
        self._lock = threading.Lock()
        self._held: _Held | None = None

    def ask(
        self, question: str | Question, *, system: str = "page", scope: Scope | None = None, budget: int | None = None, plan: str = ""
    ) -> Outcome:
        """What came of a question: an answer with checked citations, part of one, or a refusal.

        A fault in one question is an outcome with status `failed`; ValueError is raised for an unknown system, plan or document alone.
        """
        asked = _as_question(question)
        gather = self._system(system, plan)
        clock, asking = Clock(), self._asking()
        started = time.perf_counter()
        try:
            self._check_length(asked)
            with self._repository(tagger=bool(plan) or system in TAGGED or needs_tagger(asked.text)) as repository:
                means = replace(self._means(repository, _scope(asked, scope, repository), budget), clock=clock, asking=asking)
                outcome = self._answer(asked, system, gather(asked, means), means)
        except NoIndex as error:
            outcome = refused(asked, system, "no_index", str(error))
        except UnknownDocument:
            raise
        except (GenerationError, OtherModel, EmbeddingFault, LongQuestion) as error:
            outcome = failed(asked, system, str(error))
        except Exception as error:
            if is_interrupt(error):
                raise KeyboardInterrupt from error
            LOGGER.exception("question %s failed", asked.qid)
            outcome = failed(asked, system, f"{type(error).__name__}: {error}")
        steps = {step: round(seconds, 5) for step, seconds in clock.seconds.items()}
        usage = with_calls(outcome.usage, asking.tally.spent) if asking else outcome.usage
        return replace(outcome, usage=replace(usage, seconds=round(time.perf_counter() - started, 4), steps=steps))

    def ask_all(self, questions: Sequence[Question], *, system: str = "page", budget: int | None = None, plan: str = "") -> Iterator[Outcome]:
        """Outcomes of a batch in order; a question that names an unknown document fails alone."""
        for question in questions:
            try:
                yield self.ask(question, system=system, budget=budget, plan=plan)
            except UnknownDocument as error:
                yield failed(question, system, str(error))

    def gather(
        self, question: str | Question, *, system: str = "page", scope: Scope | None = None, budget: int | None = None, plan: str = ""
    ) -> Gathered:
        """What a system finds for a question, before anything is answered: its ranking and its packed evidence. No model is asked. Raises as `retrieve` does."""
        asked = _as_question(question)
        self._check_length(asked)
        with self._repository() as repository:
            return self._system(system, plan)(asked, self._means(repository, _scope(asked, scope, repository), budget))

    def resolve(self, names: Iterable[str]) -> dict[str, str]:
        """The full id of each document that a name means. Raises NoIndex, UnknownDocument."""
        with self._repository() as repository:
            return {name: repository.resolve_document(name) for name in names}

    def retrieve(
        self, question: str | Question, *, system: str = "page", top: int = 10, scope: Scope | None = None, plan: str = ""
    ) -> list[Result]:
        """The best passages, best first, each place of a repeated text on its own line; no model is asked. Raises NoIndex, and ValueError as `ask` does."""
        asked = _as_question(question)
        self._check_length(asked)
        gather = self._system(system, plan)
        with self._repository() as repository:
            means = self._means(repository, _scope(asked, scope, repository), None)
            ranked = gather(asked, means).ranked
            found = [(item.score, span) for item in ranked for span in item.spans][:top]
            places = repository.places(sorted({span.chunk_id for _, span in found}))
        return [
            Result(span.document, span.chunk_id, score, places[span.chunk_id].section, span.start, span.end, span.quote[:_BEGINNING])
            for score, span in found
        ]

    def close(self) -> None:
        """Let go of the open generation; it closes when the last running question ends."""
        with self._lock:
            held, self._held = self._held, None
        if held is not None:
            held.drop()

    def __enter__(self) -> "QueryEngine":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _repository(self, *, tagger: bool = False) -> Iterator[Repository]:
        """The current generation, open for one question; an older one closes after its last question."""
        retired: _Held | None = None
        with self._lock:
            current = current_name(self._home)
            if current is None:
                raise NoIndex(f"Nothing is published in {self._home} yet: run a refresh first.")
            if self._held is None:
                self._models.warm(tagger=tagger)
            if self._held is None or self._held.repository.generation != current:
                retired, self._held = self._held, _Held(open_repository(self._home, self._settings))
            held = self._held
            if held.asked:
                held.repository.keep()
            held.take()
        if retired is not None:
            retired.drop()
        try:
            yield held.repository
        finally:
            held.drop()

    def _check_length(self, question: Question) -> None:
        """Raises LongQuestion, before anything is read for a question."""
        knobs = self._settings.retrieve
        if (length := len(with_history(question, knobs.history_turns))) > knobs.question_characters:
            most = knobs.question_characters
            raise LongQuestion(f"The question has {length} characters, at most {most} are read: shorten it, or raise [retrieve] question_characters.")

    def _means(self, repository: Repository, scope: Scope, budget: int | None) -> Means:
        manifest = repository.manifest
        embedder = self._models.embedder(manifest.settings["embed"], manifest.fingerprints["embedder"])
        settings = self._settings
        readers = Readers(self._models.splitter, self._models.tagger, embedder)
        means = Means(repository, embedder, settings.retrieve, settings.answer, scope, budget, self._ablations, readers=readers)
        return replace(means, e2=settings.e2, pank=settings.pank, ensi=settings.ensi)

    def _asking(self) -> Asking | None:
        """The chat models of one question, with an account of its own; None without a server."""
        if self._model is None or self._planner is None:
            return None
        return asking_of(self._planner, self._model, chat=self._settings.chat, settings=self._settings.ask)

    def _system(self, name: str, plan: str) -> Callable[[Question, Means], Gathered]:
        """What gathers for a system, behind a planner where one is named. Raises ValueError."""
        if name not in SYSTEMS:
            raise ValueError(f"unknown system {name!r}; known are {', '.join(SYSTEMS)}")
        if plan not in PLANS:
            raise ValueError(f"unknown plan {plan!r}; known are {', '.join(filter(None, PLANS))}")
        if plan and name not in PLANNABLE:
            raise ValueError(f"no planner stands in front of {name}; one may stand in front of {', '.join(PLANNABLE)}")
        check_ablations(self._ablations, name, planned=bool(plan))
        return PLANNABLE[name] if plan else SYSTEMS[name]

    def _answer(self, question: Question, system: str, gathered: Gathered, means: Means) -> Outcome:
        reading, repository = gathered.reading, means.repository
        constrained = NO_EVIDENCE_CONSTRAINT not in means.ablations
        gathered = means.clock.run("tables", over_tables, question, gathered, means) if constrained else gathered
        outcome = looked(question, system, gathered, repository.generation)
        outcome = replace(outcome, trace=(*outcome.trace, BY_WORDS)) if repository.manifest.settings["embed"].get("base_url") else outcome
        if not gathered.ranked or (constrained and nothing_known(reading.parts, reading.statistics)):
            return replace(outcome, reason="no_evidence", evidence=(), usage=Usage(), missing=(question.text,))
        if not gathered.evidence:
            return replace(outcome, reason="ceiling", missing=(question.text,))
        if gathered.computed is not None:
            return means.clock.run("cite", decided, outcome, decide_computed(gathered.computed, gathered.evidence, question.text), repository)
        grounds = grounds_of(question, gathered, means, constrained=constrained)
        readers = means.readers or Readers(self._models.splitter, self._models.tagger, means.embedder)
        decision = means.clock.run("gate", decide, reading.parts, grounds, readers=readers, settings=self._settings.answer)
        if gathered.beyond and constrained:
            decision = beyond_scope(decision, reading.parts, gathered.beyond, self._settings.answer)
        elif gathered.unread:
            decision = said_whole(decision, reading.parts, gathered.unread)
        elif self._model is not None:
            known = (readers.splitter, self._settings.answer)
            by_model = choose_by_letter if question.options and self._settings.ask.letters else answer_by_model
            made = means.clock.run("model", by_model, question, grounds, decision, model=self._model, readers=known)
            outcome = generated(outcome, made)
            return outcome if made.decision is None else means.clock.run("cite", decided, outcome, made.decision, repository)
        return means.clock.run("cite", decided, outcome, choose_option(decision, question.options), repository)


class _Held:
    """An open repository with the number of its users, its engine being the first; the last one closes it."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.asked = False
        """Whether a question was asked of it before."""
        self._users = 1
        self._lock = threading.Lock()

    def take(self) -> None:
        with self._lock:
            self._users += 1
            self.asked = True

    def drop(self) -> None:
        with self._lock:
            self._users -= 1
            last = self._users == 0
        if last:
            self.repository.close()


def _as_question(question: str | Question) -> Question:
    if isinstance(question, Question):
        return replace(question, text=sound(question.text))
    return Question(digest("question", sound(question))[:12], sound(question))


def _scope(question: Question, scope: Scope | None, repository: Repository) -> Scope:
    """The documents that both the question and the caller allow, by their full ids."""
    own = repository.resolve_scope(question.doc_ids).documents
    given = None if scope is None else repository.resolve_scope(scope.documents).documents
    if own is None or given is None:
        return Scope(own if given is None else given)
    return Scope(tuple(sorted(set(own) & set(given))))
