"""Whatever is stated and whatever people decide: the governed tables keep every invariant that the checks of the asset ask for."""

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from pagerag_pipeline.defs.assets.governed_graph import CHECKS
from pagerag_pipeline.defs.assets.raw_graph import CHECKS as RAW_CHECKS
from pagerag_pipeline.indexing.overrides import OverridesError
from pagerag_pipeline.schema.documents import Span
from pagerag_pipeline.schema.knowledge import Extraction, Unit
from pagerag_pipeline.stores.audits import offenders
from pagerag_pipeline.stores.knowledge import unit_counts
from pagerag_pipeline_tests.stores.knowledge_case import add_chunks, derive, empty_work

NAMES = ("Ann", "Ben", "Cid", "Dee", "Garrow Mill")
PREDICATES = {"married": "married", "founded": "founded", "lives_in": "lives in", "causes": "caused", "also_known_as": "was also known as", "frobs": "frobs"}


def stated(head: str, predicate: str, tail: str, kinds: tuple[str, str], more: tuple[str, float, bool]) -> Unit:
    modality, confidence, bound = more
    quote = f"{head} {PREDICATES[predicate]} {tail}."
    return Unit("relation", head, kinds[0], predicate, tail, kinds[1], modality, confidence, 0, len(quote), quote if bound else "nowhere")  # type: ignore[arg-type]


kinds = st.tuples(st.sampled_from(("PERSON", "GPE", "ORG", "NOUN")), st.sampled_from(("PERSON", "FAC", "MISC", "DATE")))
more = st.tuples(st.sampled_from(("asserted", "negated", "hypothetical")), st.sampled_from((0.3, 0.5, 0.7, 0.8, 0.95)), st.sampled_from((True, True, True, False)))
units = st.builds(stated, st.sampled_from(NAMES), st.sampled_from(sorted(PREDICATES)), st.sampled_from(NAMES), kinds, more)
entries = st.sampled_from(
    (
        'suppress = ["Ann"]', 'merge = [["Ann", "Ben"]]', 'merge = [["Ann", "Ben", "Cid"]]', 'keep_apart = [["Ann", "Ben"], ["Cid", "Dee"]]',
        'distrust = ["b.txt"]', '[retype]\nAnn = "PERSON"\n"Garrow Mill" = "FAC"', '[rename]\nAnn = "Zoe"', '[rename]\nAnn = "Ben"', "",
    )
)  # fmt: skip


@settings(max_examples=15, deadline=None, derandomize=True, phases=[Phase.generate], suppress_health_check=[HealthCheck.too_slow])
@given(first=st.lists(units, max_size=12), second=st.lists(units, max_size=8), overrides=entries)
def test_no_statement_and_no_decision_breaks_an_invariant(first: list[Unit], second: list[Unit], overrides: str) -> None:
    with tempfile.TemporaryDirectory() as folder, empty_work(Path(folder)) as tables:
        for document, stated in (("a.txt", first), ("b.txt", second)):
            tables.execute("INSERT INTO ledger_source_documents (unit, key, status) VALUES (?, ?, 'ok')", [document, document])
            tables.execute("INSERT INTO parsed (key, ordinal, sub_id) VALUES (?, 0, '')", [document])
            texts = [f"{unit.head} {PREDICATES[unit.predicate]} {unit.tail}." for unit in stated]
            add_chunks(tables, document, texts, [Extraction((Span(0, len(text)),), (), (unit,), ()) for text, unit in zip(texts, stated, strict=True)])
        try:
            derive(tables, overrides)
        except OverridesError:
            return
        found = {check.name: offenders(tables, check.name).first for check in (*RAW_CHECKS, *CHECKS)}
        assert {name: first for name, first in found.items() if first} == {}
        counts = unit_counts(tables)
        assert counts["in"] == len(first) + len(second)
