"""How well hops find what they are asked for: of multi-hop questions, whose hop evidence holds the gold of the steps before the last.

Where the set tells how a question is resolved (`decomposition`), a step counts as found when its gold answer stands in the evidence of a hop, and as
answered when a hop's own answer says it. Elsewhere the share of gold documents counts that stand in the evidence of the hops and of the final query.
A hop's evidence are the five passages that it ranks first; `alone` is the same for five of the question asked without a plan, by `page` or the system
that the planner stands in front of.
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
from pagerag_pipeline.schema.asking import Scope
from pagerag_pipeline.settings_file import load_settings
from pagerag_pipeline.stores.opening import open_repository
from pagerag_pipeline.stores.repository import Repository
from pagerag_pipeline.systems.gathering import Gathered
from pagerag_pipeline.systems.planning.execution import FIRST


def kind_of(gathered: Gathered) -> str:
    """What the planner saw: the words before the colon of its first reason."""
    return gathered.plan.why[0].partition(":")[0] if gathered.plan.why else ""


def found_of(answers: list[str], texts: list[str]) -> int:
    """How many of some answers stand in one of some texts."""
    return sum(holds([normalized(text) for text in texts], [answer]) for answer in answers)


def counts(engine: QueryEngine, repository: Repository, task: Task, one: dict[str, Any], how: dict[str, str]) -> Counter[str]:
    """What the hops of one question find, as counts."""
    planned = engine.gather(task.question, **how)
    alone = engine.gather(task.question, system=how["system"] if "plan" in how else "page").ranked[:FIRST]
    steps = [step for step in planned.trace if step["step"] == "hop" and step["status"] != "unused"]
    passages = {one.chunk_id: one for one in repository.passages_by_id([chunk for step in steps for chunk in step["first"]], Scope())}
    before = [passages[chunk].text for step in steps if step["hop"] != "final" or len(steps) == 1 for chunk in step["first"]]
    gold, middle = set(task.gold.relevant), [step["answer"] for step in one.get("decomposition", [])[:-1]]
    told = Counter(
        questions=1, planned=len(steps) > 1, hops=len(steps) - 1, known=sum(step["answer"] is not None for step in steps[:-1]),
        gold=len(gold), gold_found=len(gold & {corpora.document_name(one.document) for one in passages.values()}),
        gold_alone=len(gold & {corpora.document_name(item.spans[0].document) for item in alone}),
        steps=len(middle), steps_found=found_of(middle, before), steps_alone=found_of(middle, [item.text for item in alone]),
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
    home = given.home or homes.ready_home(given.data, given.work)
    engine = QueryEngine(home)
    repository = open_repository(home, load_settings(home))
    each = [counts(engine, repository, task, gold[task.question.qid], how) for task in tasks]
    repository.close()
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
