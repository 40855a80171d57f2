"""Names of fields, fine and broad."""

import pytest

from pagerag_pipeline.fields import LONGEST, broad_field, field_name


def test_a_field_is_its_words_case_folded() -> None:
    assert field_name("Net  Operating-Revenue ") == "net_operating_revenue"
    assert field_name("Owner\u2019s name") == "owners_name"
    assert field_name("\uff2e\uff41\uff4d\uff45") == "name"
    assert len(field_name("word " * 100)) <= LONGEST


@pytest.mark.parametrize(
    ("field", "broad"),
    [
        ("net_operating_revenue", "revenue"),
        ("share_of_sales", "share"),
        ("founded_by", "founded"),
        ("founded_date", "founded_date"),
        ("is_a", "is_a"),
        ("inverse_of:chief_owner", "inverse_of:owner"),
        ("owner", "owner"),
        ("", ""),
    ],
)
def test_a_broad_field_is_what_the_fine_one_is_a_kind_of(field: str, broad: str) -> None:
    assert broad_field(field) == broad
