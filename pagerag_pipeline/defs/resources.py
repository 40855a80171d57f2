"""What jobs are given: the refresh of a home, one session a run, and the query engine over what it published."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dagster as dg
from pydantic import Field, PrivateAttr

from pagerag_pipeline.defs.runs import SKIPPED_TAG, end_abandoned_runs, sign
from pagerag_pipeline.outcomes import outcome_json
from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.refresh.report import ProductReport
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.schema.asking import Scope
from pagerag_pipeline.settings_file import home_folder, load_settings, with_ceilings
from pagerag_pipeline.stores.locks import Held

HOME = "The home: the folder that holds everything built. Empty: PAGERAG_HOME, else .pagerag in the working folder."


class RefreshResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """One refresh session a run: opened, with the home's lock, by the first asset that asks; closed with the run, however it ends.

    Under the in-process executor Dagster sets a resource up once a run and tears it down at its end, also after a failure.
    """

    home: str = Field(default="", description=HOME)
    force: bool = Field(default=False, description="Go on although the guard against sudden loss of documents says no.")
    wait: bool = Field(default=False, description="Wait for a refresh that is running, instead of ending without work.")
    max_calls: int | None = Field(default=None, description="Most calls to chat models in this run, in place of the setting.")
    max_tokens: int | None = Field(default=None, description="Most tokens of chat models in this run, in place of the setting.")
    max_usd: float | None = Field(default=None, description="Most dollars for chat models in this run, in place of the setting.")

    _session: Session | None = PrivateAttr(default=None)

    def setup_for_execution(self, context: dg.InitResourceContext) -> None:
        """Note which process works at this run, so that a later one can tell that it died."""
        if context.instance and context.run:
            sign(context.instance, context.run.run_id, os.getpid())

    def teardown_after_execution(self, context: dg.InitResourceContext) -> None:
        """Close the session: let go of files, workers and the lock."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def bring_up_to_date(self, context: dg.AssetExecutionContext, function: Callable[[Session], ProductReport]) -> ProductReport | None:
        """The report of one product function; None when another refresh holds the home, which ends this run as a reported no-op."""
        session = self.opened(context)
        if session is None:
            return None
        try:
            return function(session)
        except BaseException as error:
            session.fail(error)
            raise

    @property
    def session(self) -> Session:
        """The session of this run, once an asset has opened it."""
        if self._session is None:
            raise RuntimeError("no asset of this run has opened the session yet")
        return self._session

    @property
    def listing(self) -> str:
        """Digest of the corpus listing that this run saw; empty before it was listed."""
        return self._session.corpus_digest if self._session else ""

    def opened(self, context: dg.AssetExecutionContext) -> Session | None:
        """The session of this run, opened by the first who asks; None when another refresh holds the home."""
        if self._session is None:
            try:
                purpose = f"{context.job_name} (run {context.run.run_id[:8]})"
                home = home_folder(self.home or None)
                settings = with_ceilings(load_settings(home), max_calls=self.max_calls, max_tokens=self.max_tokens, max_usd=self.max_usd)
                self._session = Session.open(home, settings=settings, wait=self.wait, force=self.force, purpose=purpose)
            except Held as held:
                context.log.warning(f"Nothing was done. {held}")
                context.instance.add_run_tags(context.run.run_id, {SKIPPED_TAG: str(held)})
                return None
            end_abandoned_runs(context.instance)
        return self._session


class QueryResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """Answers from the published generation of a home; for assets and jobs of any code location, beside a running refresh."""

    home: str = Field(default="", description=HOME)

    _engine: QueryEngine | None = PrivateAttr(default=None)

    def teardown_after_execution(self, context: dg.InitResourceContext) -> None:
        """Close the engine that `ask` keeps warm."""
        self.close()

    def close(self) -> None:
        """Let go of the engine and of the generation it reads."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    @contextmanager
    def engine(self) -> Iterator[QueryEngine]:
        """A query engine of one's own, closed at the end of the block."""
        engine = QueryEngine(home_folder(self.home or None))
        try:
            yield engine
        finally:
            engine.close()

    def ask(
        self, question: str, *, system: str = "page", documents: Sequence[str] | None = None, budget: int | None = None
    ) -> dict[str, Any]:
        """The outcome of one question as `pagerag ask --json` prints it: an answer with citations, or a refusal with its reason."""
        if self._engine is None:
            self._engine = QueryEngine(home_folder(self.home or None))
        scope = Scope(tuple(documents)) if documents is not None else None
        return outcome_json(self._engine.ask(question, system=system, scope=scope, budget=budget))

    @property
    def folder(self) -> Path:
        """The home that is read."""
        return home_folder(self.home or None)
