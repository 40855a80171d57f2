"""An engine that notes the evidence behind its latest outcome: a judge is shown it, the scores by word do not need it."""

from pagerag_pipeline.evaluation.measure import Asked
from pagerag_pipeline.schema.asking import Evidence, Outcome, Question
from pagerag_pipeline.systems.gathering import Gathered


class Overheard:
    """Asks and gathers as the engine behind it does."""

    def __init__(self, engine: Asked) -> None:
        self._engine = engine
        self.contexts: list[str] = []
        """Texts of the evidence of the latest outcome, best first, each under its titles; empty after a fault."""

    def ask(self, question: Question, *, system: str, plan: str) -> Outcome:
        """What the engine makes of a question."""
        self.contexts = []
        outcome = self._engine.ask(question, system=system, plan=plan)
        self.contexts = [_told(item) for item in sorted(outcome.evidence, key=lambda item: (-item.score, item.label))]
        return outcome

    def gather(self, question: Question, *, system: str, budget: int, plan: str) -> Gathered:
        """What the engine gathers."""
        return self._engine.gather(question, system=system, budget=budget, plan=plan)


def _told(item: Evidence) -> str:
    return f"{item.context}\n{item.text}" if item.context else item.text
