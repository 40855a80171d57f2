"""How well hops find what they are asked for: of multi-hop questions, whose hop evidence holds the gold of the steps before the last.

Where the set tells how a question is resolved (`decomposition`), a step counts as found when its gold answer stands in the evidence of a hop, and as
answered when a hop's own answer says it. Elsewhere the share of gold documents counts that stand in the evidence of the hops and of the final query.
`alone` is the same for the question asked without a plan.
"""

import statistics
from collections import Counter
from pathlib import Path
from typing import Any

import corpora
import figures
import homes
from recall import asked_tasks

from pagerag_pipeline.evaluation.datasets import Task
from pagerag_pipeline.evaluation.metrics import holds, normalized
from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.schema.asking import Question
from pagerag_pipeline.systems.gathering import Gathered

TOP = 5
"""Passages of a hop that count as its evidence."""


def steps_of(gathered: Gathered) -> list[dict[str, Any]]:
    """The hops that were asked, the final query last."""
    return [step for step in gathered.trace if step["step"] == "hop" and step["status"] != "unused"]


def kind_of(gathered: Gathered) -> str:
    """What the planner saw: the words before the colon of its first reason."""
    return gathered.plan.why[0].partition(":")[0] if gathered.plan.why else ""


def shown(engine: QueryEngine, question: Question, step: dict[str, Any], how: dict[str, str]) -> list[tuple[str, str]]:
    """Document and text of the first passages that a hop's text finds."""
    ranked = engine.gather(Question(question.qid, step["asked"]), **how).ranked[:TOP]
    return [(corpora.document_name(item.spans[0].document), item.text) for item in ranked]


def found_of(answers: list[str], texts: list[str]) -> int:
    """How many of some answers stand in one of some texts."""
    return sum(holds([normalized(text) for text in texts], [answer]) for answer in answers)


def counts(engine: QueryEngine, task: Task, one: dict[str, Any], how: dict[str, str]) -> Counter[str]:
    """What the hops of one question find, as counts."""
    question = task.question
    planned = engine.gather(question, **how)
    steps = steps_of(planned)
    evidence = {step["hop"]: shown(engine, question, step, how) for step in steps}
    alone = shown(engine, question, {"asked": question.text}, how)
    every = [passage for passages in evidence.values() for passage in passages]
    gold = set(task.gold.relevant)
    middle = [step["answer"] for step in one.get("decomposition", [])[:-1]]
    before = [text for name, passages in evidence.items() if name != "final" or len(steps) == 1 for _, text in passages]
    told = Counter(
        questions=1, planned=len(steps) > 1, hops=len(steps) - 1, known=sum(step["answer"] is not None for step in steps[:-1]),
        gold=len(gold), gold_found=len(gold & {name for name, _ in every}), gold_alone=len(gold & {name for name, _ in alone}),
        steps=len(middle), steps_found=found_of(middle, before), steps_alone=found_of(middle, [text for _, text in alone]),
        steps_answered=found_of(middle, [step["answer"] or "" for step in steps[:-1]]),
    )  # fmt: skip
    told[f"by {kind_of(planned)}"] += 1
    return told


def main() -> None:
    parser = homes.arguments(__doc__ or "")
    parser.add_argument("data", choices=("bundled", *corpora.PASSAGE_SETS))
    parser.add_argument("--system", default="pank", help="pank, or a system that the planner stands in front of (default: %(default)s)")
    parser.add_argument("--limit", type=int, help="ask the first questions only")
    parser.add_argument("--home", type=Path, help="a built home to ask as it stands, without a refresh")
    given = parser.parse_args()
    tasks = asked_tasks(given.data)[: given.limit]
    gold = {one["qid"]: one for one in corpora.questions(given.data)}
    how = {"system": given.system} if given.system == "pank" else {"system": given.system, "plan": "pank"}
    engine = QueryEngine(given.home or homes.ready_home(given.data, given.work))
    each = [counts(engine, task, gold[task.question.qid], how) for task in tasks]
    engine.close()
    total: Counter[str] = sum(each, Counter())
    shares = {
        "planned": total["planned"] / total["questions"],
        "hops_mean": total["hops"] / total["questions"],
        "hops_median": statistics.median(one["hops"] for one in each),
        "known": total["known"] / max(1, total["hops"]),
        "gold_found": total["gold_found"] / max(1, total["gold"]),
        "gold_alone": total["gold_alone"] / max(1, total["gold"]),
    }
    if total["steps"]:
        shares |= {name: total[name] / total["steps"] for name in ("steps_found", "steps_alone", "steps_answered")}
    kinds = {name: count for name, count in sorted(total.items()) if name.startswith("by ")}
    figures.show("plans", data=given.data, n=len(tasks), figures={**{name: round(value, 3) for name, value in shares.items()}, "steps": total["steps"], **kinds})


if __name__ == "__main__":
    main()
