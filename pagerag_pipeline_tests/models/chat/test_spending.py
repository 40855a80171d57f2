"""Every call is booked, prices make dollars of it, and no reservation goes beyond a ceiling."""

import pytest

from pagerag_pipeline.models.chat.spending import Account, Spending, estimate_tokens
from pagerag_pipeline.schema.language import Spent
from pagerag_pipeline.settings_chat import ChatSettings, Price


def book(spending: Spending, prompt: str, spent: Spent, document: str = "a.txt") -> None:
    reserved = spending.reserve("m", spent.prompt_tokens, spent.completion_tokens)
    assert isinstance(reserved, Spent)
    spending.settle(reserved, Account("extract", document, prompt, "m"), spent)


def test_sums_by_prompt_and_document_add_up_to_the_whole() -> None:
    spending = Spending(ChatSettings())
    book(spending, "records", Spent(1, 100, 10))
    book(spending, "partition", Spent(1, 50, 5), "b.txt")
    book(spending, "records", Spent(1, 7, 3), "b.txt")
    assert spending.by("prompt") == {"partition": Spent(1, 50, 5), "records": Spent(2, 107, 13)}
    assert spending.by("document") == {"a.txt": Spent(1, 100, 10), "b.txt": Spent(2, 57, 8)}
    assert spending.total() == sum(spending.by("stage").values(), Spent()) == Spent(3, 157, 18)


def test_dollars_follow_the_prices_with_read_tokens_cheaper() -> None:
    spending = Spending(ChatSettings(prices=(Price("m", 2.0, 8.0, 0.5),)))
    assert spending.usd("m", 1_000_000, 500_000, 200_000) == pytest.approx(0.8 * 2 + 0.2 * 0.5 + 0.5 * 8)
    assert spending.usd("other", 1_000_000, 1, 0) == 0.0


@pytest.mark.parametrize("ceiling", [{"max_calls": 2}, {"max_tokens": 250}, {"max_usd": 0.0025}])
def test_a_call_that_could_pass_a_ceiling_is_forbidden_by_name(ceiling: dict[str, float]) -> None:
    spending = Spending(ChatSettings(prices=(Price("m", 10.0, 10.0),), **ceiling))  # type: ignore[arg-type]
    book(spending, "records", Spent(1, 90, 10, usd=0.001))
    held = spending.reserve("m", 90, 10)
    assert isinstance(held, Spent)
    told = spending.reserve("m", 90, 10)
    assert isinstance(told, str) and f"chat.{next(iter(ceiling))}" in told
    spending.settle(held, Account("", "", "", "m"), Spent(0, 0, 0))
    assert isinstance(spending.reserve("m", 90, 10), Spent)


def test_an_estimate_errs_upward() -> None:
    assert estimate_tokens("") == 0 and estimate_tokens("Mara Quill founded Tinworks in 1901.") >= 9
    assert estimate_tokens("\u4e2d\u6587") == 2
