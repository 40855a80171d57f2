"""People whom governance.toml, or one document for all, keeps apart."""

from pagerag_pipeline.indexing.aligning.across import Clusters, People, Unit, clusters_of, join_documents, people_of
from pagerag_pipeline.indexing.aligning.casts import Verdict
from pagerag_pipeline.indexing.aligning.kept_apart import kept_by_people, vetoes_of
from pagerag_pipeline.indexing.overrides import FILE, Overrides
from pagerag_pipeline_tests.indexing.aligning.told import cast

A = people_of(cast("Tom Moss slept. Tommy Moss ate.", "Tom Moss", "Tommy Moss"))
B = people_of(cast("Tom Moss slept. Thomas Moss ate.", "Tom Moss", "Thomas Moss"))


def joined(people: dict[str, People], overrides: Overrides) -> tuple[Clusters, list[Verdict]]:
    clusters = clusters_of(people, {}, kept_by_people(overrides))
    contexts: dict[Unit, set[str]] = {(document, key): {"mill"} for document, one in people.items() for key in one.names}
    return clusters, [one.verdict for one in join_documents(clusters, contexts)]


def test_a_pair_that_people_keep_apart_holds_for_the_whole_of_two_people() -> None:
    clusters, kept = joined({"a": A, "b": B}, Overrides())
    assert len(clusters.of(("a", "tom moss"))) == 4 and kept == []
    clusters, kept = joined({"a": A, "b": B}, Overrides(keep_apart=(("thomas moss", "tommy moss"),)))
    assert clusters.of(("a", "tom moss")) == [("a", "tom moss"), ("a", "tommy moss")]
    assert kept == [Verdict(FILE, "thomas moss and tommy moss")]


def test_a_name_with_the_mark_of_its_document_is_kept_from_its_namesakes() -> None:
    clusters, kept = joined({"a": A, "B.txt": B, "c": A}, Overrides(keep_apart=(("tom moss", "tom moss (b.txt)"),)))
    assert clusters.of(("B.txt", "tom moss")) == [("B.txt", "thomas moss"), ("B.txt", "tom moss")]
    assert clusters.of(("a", "tom moss")) == clusters.of(("c", "tom moss"))
    assert kept == [Verdict(FILE, "tom moss and tom moss (b.txt)")]


def test_names_that_people_merged_answer_for_each_other() -> None:
    kept = kept_by_people(Overrides(merge=(("ann", "nan"),), keep_apart=(("nan", "odo"),)))
    assert kept.within("a", ["ann", "odo", "tom"]) == {("ann", "odo"): Verdict(FILE)}


def test_a_mark_holds_in_its_document_alone() -> None:
    kept = kept_by_people(Overrides(keep_apart=(("ann (b.txt)", "odo"),)))
    assert kept.within("B.txt", ["ann", "odo"]) == {("ann", "odo"): Verdict(FILE)}
    assert kept.within("a", ["ann", "odo"]) == {}


def test_what_one_document_tells_apart_no_other_joins() -> None:
    told = people_of(cast("Tom Moss and Tommy Moss met. Tom Moss saw Tommy Moss.", "Tom Moss", "Tommy Moss"))
    clusters, kept = joined({"a": A, "b": told}, Overrides())
    assert clusters.of(("b", "tom moss")) == [("b", "tom moss")]
    assert {verdict.reason for verdict in kept} == {"stand_apart"}


def test_a_name_of_one_word_and_a_doubt_veto_nothing_elsewhere() -> None:
    names = cast("Tom Moss slept. Tommy Moss ate. Tom woke.", "Tom Moss", "Tommy Moss", "Tom").names
    groups = [(key,) for key in names]
    assert vetoes_of(names, groups, {("tom", "tom moss"): Verdict("stand_apart")}) == {}
    assert vetoes_of(names, groups, {("tom moss", "tommy moss"): Verdict("ambiguous_name")}) == {}
    assert set(vetoes_of(names, groups, {("tom moss", "tommy moss"): Verdict("gender")})) == {("tom moss", "tommy moss")}
