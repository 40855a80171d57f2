"""The chat models of one question over a model that says one thing."""

from typing import Any

from pagerag_pipeline.settings_chat import AskSettings, ChatSettings
from pagerag_pipeline.systems.asking.models import Asking, asking_of
from pagerag_pipeline_tests.fakes import SayingModel


def asking(model: SayingModel, **settings: Any) -> Asking:
    return asking_of(model, model, chat=ChatSettings(concurrency=2), settings=AskSettings(**settings))
