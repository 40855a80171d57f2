"""What an estimate says of itself in words: why its least and its most are apart, what it leaves out, and what would stop the refresh; only what applies."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pagerag_pipeline.models.chat.dialects import Dialects
from pagerag_pipeline.refresh.expecting import AROUND, CHARACTERS, KNOWN, PASSAGES, Expected
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.settings_file import CEILINGS
from pagerag_pipeline.stores.servers import ChatServers


@dataclass(frozen=True, slots=True)
class Reckoned:
    """What an estimate found, by stage."""

    stages: Mapping[str, Expected]
    models: Mapping[str, str]
    apart: frozenset[str]
    """Stages whose units are not counted but lie between two numbers."""


def notes(home: Path, settings: Settings, found: Reckoned) -> list[str]:
    """One sentence or two for each thing that holds of these figures; empty when nothing is asked."""
    asked = {name: one for name, one in found.stages.items() if one.calls[1]}
    if not asked:
        return []
    return [*_apart(settings, asked, found.apart), *_unprobed(home, settings, {found.models[name] for name in asked}), _stops(settings)]


def _apart(settings: Settings, asked: Mapping[str, Expected], apart: frozenset[str]) -> list[str]:
    """Why the least and the most are apart."""
    by_size = [name for name, one in asked.items() if not one.known]
    known = [name for name in asked if name not in by_size]
    told = {
        f"Of {', '.join(by_size)} fewer than {KNOWN} units were asked of this model before: tokens are reckoned from the sizes of prompts and texts, at "
        f"{CHARACTERS[0]:g} to {CHARACTERS[1]:g} characters each, and from usual lengths of replies.": bool(by_size),
        f"Of {', '.join(known)} the means of earlier runs are taken, times {AROUND[0]:g} to {AROUND[1]:g}.": bool(known),
        "Reports are guessed from chunks that the graph does not know yet.": "reports" in asked and "reports" in apart,
        "Profiles: a changed document is asked about again only if what is read for its profile changed, which shows when it is read.": "document_profiles" in asked
        and "document_profiles" in apart,
        f"Extraction may take up to {settings.build.glean_rounds} calls more a chunk (build.glean_rounds); they end when nothing new comes.": "entity_records" in by_size
        and settings.build.glean_rounds > 0,
        f"Records are asked for by passage: one to {PASSAGES} a chunk.": "passage_records" in by_size,
    }
    return [sentence for sentence, holds in told.items() if holds]


def _unprobed(home: Path, settings: Settings, models: set[str]) -> list[str]:
    """Models whose server is still to be probed."""
    dialects = Dialects(settings.chat.base_url, ChatServers(home))
    new = sorted(model for model in models if not dialects.is_known(model))
    return [f"Not counted: a short probe or two of {', '.join(new)}, whose server was not probed for it before."] if new else []


def _stops(settings: Settings) -> str:
    """What stops the refresh before it costs more, or would."""
    begun = "The next refresh asks this much: [build] ask = false leaves the model to questions"
    held = [f"{name} = {most:g}" for name in CEILINGS if (most := getattr(settings.chat, name))]
    if held:
        return f"{begun}, [chat] {' and '.join(held)} {'stops' if len(held) == 1 else 'stop'} it before it costs more."
    return f"{begun}. No ceiling is set: [chat] max_calls or max_tokens, or with prices max_usd, would stop it before it costs more."
