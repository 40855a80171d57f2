"""Which ledgers a chat model computes, in which role and with which prompts: what is known of that without a call."""

from dataclasses import dataclass

from pagerag_pipeline.indexing.asking import describe, extract, partition, profile, records, report, summarize
from pagerag_pipeline.models.chat.client import model_fingerprint
from pagerag_pipeline.prompts.load import load_prompt
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.schema.language import Role
from pagerag_pipeline.settings import Settings

_READING = tuple(sorted(set(extract.PROMPTS.values())))


@dataclass(frozen=True, slots=True)
class Asked:
    """How a ledger is computed by a model."""

    switch: str
    """The field of `BuildSettings` that turns it on."""
    role: Role
    prompts: tuple[str, ...]
    version: str


ASKED = {
    "document_profiles": Asked("profile", "extract", (profile.PROMPT,), profile.VERSION),
    "entity_records": Asked("extract", "extract", _READING, extract.VERSION),
    "entity_passages": Asked("partition", "extract", (partition.PROMPT,), partition.VERSION),
    "passage_records": Asked("records", "extract", (records.PROMPT,), records.VERSION),
    "summaries": Asked("summarize", "summarize", (summarize.PROMPT,), summarize.VERSION),
    "descriptions": Asked("describe", "summarize", (describe.PROMPT,), describe.VERSION),
    "reports": Asked("report", "summarize", (report.PROMPT,), report.VERSION),
}
"""In flow order."""


def is_asked(name: str, settings: Settings) -> bool:
    """Whether a chat model computes a ledger under these settings."""
    return settings.chat.on and settings.build.ask and name in ASKED and bool(getattr(settings.build, ASKED[name].switch))


def prompts_of(name: str, settings: Settings) -> tuple[str, ...]:
    """The prompts that a ledger asks with."""
    gleans = name == "entity_records" and settings.build.glean_rounds > 0
    return (*ASKED[name].prompts, *([extract.GLEAN] if gleans else []))


def asked_code(name: str, settings: Settings) -> str:
    """Digest of model, prompts and settings by which a ledger is computed by a model; empty where it is not.

    The size of the model's window is left out: a wider one asks nothing anew.
    """
    if not is_asked(name, settings):
        return ""
    prints = (load_prompt(prompt).fingerprint for prompt in prompts_of(name, settings))
    shapes = {"entity_records": settings.build.glean_rounds, "reports": settings.build.evidence, "document_profiles": settings.profile.topics}
    shapes |= {"descriptions": settings.build.condense_tokens}
    return digest("asked", ASKED[name].version, model_fingerprint(settings.chat, ASKED[name].role), shapes.get(name, 0), *prints)
