"""What is declared while a library is imported checks as it always did, and later declarations are built at once."""

import pydantic
import pytest

from pagerag_pipeline.stores.deferred import built_when_used


def test_what_is_declared_meanwhile_is_built_when_used_and_checks_as_ever() -> None:
    with built_when_used():

        class Later(pydantic.BaseModel):
            number: int

        @pydantic.validate_call
        def doubled(number: int) -> int:
            return 2 * number

    assert not Later.__pydantic_complete__
    assert Later(number=3).number == 3 and Later.__pydantic_complete__ and doubled(4) == 8
    with pytest.raises(pydantic.ValidationError):
        Later(number="many")  # type: ignore[arg-type]
    with pytest.raises(pydantic.ValidationError):
        doubled("many")  # type: ignore[arg-type]


def test_all_is_as_before_afterwards_even_after_an_error() -> None:
    checked = pydantic.validate_call
    with pytest.raises(ImportError), built_when_used():
        raise ImportError

    class AtOnce(pydantic.BaseModel):
        number: int

    assert AtOnce.__pydantic_complete__ and pydantic.validate_call is checked and pydantic.BaseModel.model_config == {}
