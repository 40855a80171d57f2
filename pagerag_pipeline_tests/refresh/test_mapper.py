"""The batch mapper: same results on every back end, bounded in flight."""

from collections.abc import Iterator

import pytest

from pagerag_pipeline.refresh.mapper import PART, InlineMapper, ProcessMapper, open_mapper
from pagerag_pipeline.settings import RefreshSettings

HERE = "pagerag_pipeline_tests.refresh.test_mapper"
_offset = 0


def start(offset: int) -> None:
    global _offset
    _offset = offset


def add(batch: list[int]) -> list[int]:
    return [number + _offset for number in batch]


def fail(batch: list[int]) -> list[int]:
    raise RuntimeError(f"cannot do {batch}")


def test_back_ends_agree() -> None:
    batches = [[1, 2], [3], [], [4, 5, 6]]
    results = []
    for backend in ("inline", "process"):
        mapper = open_mapper(f"{HERE}:start", (10,), RefreshSettings(backend=backend))
        results.append(sorted(mapper.map(f"{HERE}:add", iter(batches))))
        mapper.close()
    assert results[0] == results[1] == sorted((batch, [n + 10 for n in batch]) for batch in batches)


def test_only_as_many_batches_are_drawn_as_may_be_in_flight() -> None:
    drawn = 0

    def batches() -> Iterator[list[int]]:
        nonlocal drawn
        for number in range(50):
            drawn += 1
            yield [number]

    mapper = ProcessMapper(f"{HERE}:start", (0,), RefreshSettings(backend="process", workers=1, in_flight=3))
    results = mapper.map(f"{HERE}:add", batches())
    next(results)
    assert drawn <= 4
    results.close()  # type: ignore[attr-defined]
    mapper.close()


@pytest.mark.parametrize("backend", ["inline", "process"])
def test_what_a_batch_raises_reaches_the_caller(backend: str) -> None:
    mapper = open_mapper(f"{HERE}:start", (0,), RefreshSettings(backend=backend))
    with pytest.raises(RuntimeError, match="cannot do"):
        list(mapper.map(f"{HERE}:fail", iter([[1]])))
    mapper.close()


def test_inline_draws_one_batch_at_a_time() -> None:
    mapper = InlineMapper(f"{HERE}:start", (1,))
    source = iter([[1], [2], [3]])
    results = mapper.map(f"{HERE}:add", source)
    assert next(results) == ([1], [2])
    assert list(source) == [[2], [3]]


def test_inline_tells_how_far_a_batch_is_and_gives_its_result_whole() -> None:
    told: list[int] = []
    mapper = InlineMapper(f"{HERE}:start", (1,))
    batch = list(range(2 * PART + 1))
    assert list(mapper.map(f"{HERE}:add", iter([batch, [7]]), told=told.append)) == [(batch, [n + 1 for n in batch]), ([7], [8])]
    assert told == [PART, 2 * PART, 2 * PART + 1, 1]
