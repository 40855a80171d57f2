"""People across documents: full names in shared context, years, and keys of their own."""

from pagerag_pipeline.indexing.aligning.across import Clusters, People, Unit, clusters_of, group_keys, join_documents, people_of
from pagerag_pipeline_tests.indexing.aligning.told import cast

A = people_of(cast("Tom Hale slept. Tom Hale ate. Tom woke.", "Tom Hale", "Tom"))
B = people_of(cast("Tom Hale ran. Mr. Hale sang.", "Tom Hale", "Mr. Hale"))
C = people_of(cast("Tom sang.", "Tom"))


def joined(
    people: dict[str, People], contexts: dict[Unit, set[str]], years: dict[Unit, dict[str, frozenset[str]]] | None = None
) -> tuple[Clusters, list[str]]:
    clusters = clusters_of(people, years or {})
    return clusters, [one.verdict.reason for one in join_documents(clusters, contexts)]


def test_a_full_name_in_shared_context_is_one_person_with_all_its_names() -> None:
    clusters, kept = joined({"a": A, "b": B}, {("a", "tom hale"): {"farm", "bell"}, ("b", "tom hale"): {"bell"}})
    assert clusters.of(("a", "tom")) == [("a", "tom"), ("a", "tom hale"), ("b", "mr. hale"), ("b", "tom hale")]
    assert kept == []


def test_without_shared_context_namesakes_are_two() -> None:
    clusters, kept = joined({"a": A, "b": B}, {("a", "tom hale"): {"farm"}, ("b", "tom hale"): {"bell"}})
    assert clusters.of(("a", "tom hale")) != clusters.of(("b", "tom hale"))
    assert kept == ["no_shared_context"]


def test_different_years_keep_namesakes_apart_in_any_context() -> None:
    years = {("a", "tom hale"): {"born_date": frozenset({"1880"})}, ("b", "tom hale"): {"born_date": frozenset({"1912"})}}
    shared = {("a", "tom hale"): {"bell"}, ("b", "tom hale"): {"bell"}}
    assert joined({"a": A, "b": B}, shared, years)[1] == ["different_born_date"]
    years[("b", "tom hale")] = {"born_date": frozenset({"1880", "1881"})}
    assert joined({"a": A, "b": B}, shared, years)[1] == []


def test_a_name_of_one_word_is_never_joined() -> None:
    clusters, _ = joined({"a": A, "c": C}, {("a", "tom"): {"bell"}, ("c", "tom"): {"bell"}})
    assert clusters.of(("c", "tom")) == [("c", "tom")]


def test_a_third_document_joins_by_what_the_first_two_gathered() -> None:
    contexts = {("a", "tom hale"): {"farm"}, ("b", "tom hale"): {"farm", "bell"}, ("d", "tom hale"): {"bell"}}
    clusters, kept = joined({"a": A, "b": B, "d": B}, contexts)
    assert len(clusters.of(("d", "tom hale"))) == 6 and kept == []


def test_every_person_has_a_key_of_its_own() -> None:
    clusters, _ = joined({"a": A, "c": C, "d": C}, {})
    assert group_keys(clusters, {"mr. hale"}, {}) == {
        ("a", "tom"): "tom hale",
        ("a", "tom hale"): "tom hale",
        ("c", "tom"): "tom",
        ("d", "tom"): "tom (d)",
    }
    assert group_keys(clusters, {"tom"}, {})[("c", "tom")] == "tom (c)", "a place is called so"
