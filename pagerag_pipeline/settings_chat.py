"""The knobs of chat mode: which server and models, how they are asked, and what may be spent; `settings` holds them with the others."""

from dataclasses import dataclass
from typing import Annotated

from pagerag_pipeline.ranges import Count, Range, Share, Tokens
from pagerag_pipeline.schema.language import Role

Dollars = Annotated[float, Range(0.0, 1_000_000.0)]
Seconds = Annotated[float, Range(0.01, 86_400.0)]
Most = Annotated[int, Range(0, 1_000_000_000_000)]
"""A ceiling; 0 = none."""


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars per million tokens of one model."""

    model: str = ""
    input: Dollars = 0.0
    output: Dollars = 0.0
    cached: Dollars = 0.0
    """Of prompt tokens that the server had read before; 0 = as `input`."""


@dataclass(frozen=True, slots=True)
class ChatSettings:
    """A chat model behind an OpenAI-compatible endpoint; off unless `base_url` and `model` are set. Keys stand in the environment alone."""

    base_url: str = ""
    """Like http://127.0.0.1:11434/v1."""
    model: str = ""
    """The model of every role that names none of its own."""
    extract_model: str = ""
    summarize_model: str = ""
    plan_model: str = ""
    answer_model: str = ""
    judge_model: str = ""
    revision: str = ""
    """Any text; another one says that the server has another model under the same name, so that nothing kept of the old one is used."""
    context_tokens: Tokens = 8192
    """Tokens that the server's window holds, prompt and reply together. Small, as many local servers are started; set it to what yours has."""
    reply_tokens: Tokens = 2048
    """Most tokens of a reply; a list of units of a 1,200-token chunk needs up to about as many again (chosen)."""
    temperature: Annotated[float, Range(0.0, 2.0)] = 0.0
    """0: as repeatable as the server can be. Left out where a server refuses it."""
    seed: Annotated[int, Range(0, 2**31 - 1)] = 13
    """Sent where a server takes it."""
    concurrency: Count = 4
    requests_per_minute: Most = 0
    tokens_per_minute: Most = 0
    """Calls at once, calls and tokens in any minute, over all threads of a process together; 0 = no limit."""
    timeout_seconds: Seconds = 120.0
    total_seconds: Seconds = 600.0
    attempts: Count = 6
    """One call; all calls and waits for one request; most calls for it (chosen)."""
    backoff_seconds: Annotated[float, Range(0.0, 3_600.0)] = 1.0
    backoff_most: Annotated[float, Range(0.0, 3_600.0)] = 60.0
    """First wait before another call, doubled each time up to the most, of which a random part is left out; a server's Retry-After goes before it."""
    max_calls: Most = 0
    max_tokens: Most = 0
    max_usd: Dollars = 0.0
    """What a run may spend: a call that could go beyond is not made; 0 = no ceiling."""
    prices: tuple[Price, ...] = ()
    """Of models that cost money: `[[chat.prices]]`."""

    @property
    def on(self) -> bool:
        """Whether a server and a model are named."""
        return bool(self.base_url and self.model)

    def model_of(self, role: Role) -> str:
        """The model that a role is asked of."""
        return str(getattr(self, f"{role}_model")) or self.model

    def price_of(self, model: str) -> Price | None:
        """What a model costs, None when no price is set."""
        return next((price for price in self.prices if price.model == model), None)


@dataclass(frozen=True, slots=True)
class BuildSettings:
    """What a chat model makes of an index, once a server is set; the rest is made as without one. Each may be switched by itself.

    On are the calls of PAGE-RAG and E2GraphRAG: one a document, one a chunk, one a group of the tree, one a community. Records and passages of EnSI-RAG
    are off, since they take a call a chunk and one a passage more, which doubles a build; without them records come from the units that were read.
    """

    ask: bool = True
    """Whether a refresh asks at all; false leaves the server to questions. On, since who sets a server wants its index (architecture, section 5), and
    `estimate` and `doctor` tell what that costs before the first call."""
    profile: bool = True
    """Form, mode and topics of a document."""
    extract: bool = True
    """Units of a chunk, and the records of them."""
    partition: bool = False
    """Where a chunk is parted into passages around one main entity."""
    records: bool = False
    """Records of each such passage, besides those of units."""
    summarize: bool = True
    """Summaries of the tree."""
    report: bool = True
    """Reports on communities."""
    describe: bool = False
    """Descriptions of entities, which `show entity` tells: one call for each of which the graph quotes `condense_tokens` or more. Off, since no answer
    rests on them."""
    condense_tokens: Tokens = 500
    """Tokens of the joined quotes of an entity from which they are condensed, and most of what comes of it (PankRAG's code; systems, section 4.2)."""
    glean_rounds: Annotated[int, Range(0, 5)] = 0
    """Calls more a chunk that ask for what was missed, until nothing new comes; each costs about as much as the first (PAGE-RAG asks once)."""
    evidence: Annotated[int, Range(1, 1_000)] = 40
    """Most pieces of evidence that a report is made of (chosen); what does not fit the model's window is left out from the end."""
    max_failed_share: Share = 0.2
    """A product fails when more than this share of the units that a model was asked for failed: more than without one, for each is asked again by
    the next refresh (chosen)."""


@dataclass(frozen=True, slots=True)
class AskSettings:
    """What a chat model does for a question before the answer itself, once a server is set; each may be switched by itself, and has a way without it.

    On is what the papers of PankRAG and EnSI-RAG ask a model for.
    """

    plan: bool = True
    """The plan of `pank` and of `--plan pank`: one call; PankRAG, section 4.3."""
    hop_answers: bool = True
    """The answer of each hop: one call a hop; systems, section 4.6."""
    rephrase: bool = True
    """Hops of sequence 0 said anew with what was found: one call each; systems, section 4.9, PK-13."""
    hop_words: Count = 60
    """Most words of a hop's answer; systems, section 4.6."""
    map_calls: Annotated[int, Range(0, 1_000)] = 4
    """Most calls that score the reports of one search for an abstract hop or question of `pank`; 0 = cosines. Chosen: four windows of 8,192 tokens hold
    about a hundred reports; the released cache of PankRAG has some 20 calls an abstract hop (systems, section 4.3)."""
    profile: bool = False
    """Whether `page` has questions profiled by a model beside its rules: one call a question; systems, section 2.4."""
    record_plan: bool = True
    """The plan of `ensi` over records: one call; systems, section 5.4, step 1."""
    letters: bool = True
    """Whether a question with options is answered by comparing how likely a model is to write each option's letter next, where the server tells it:
    one call of a few tokens; E2GraphRAG (systems, section 3.8, E2-15). Else by the structured answer that any question gets."""
    bridges: bool = True
    """What a hop of `ensi` hands on where no record says it: one call; systems, section 5.4, step 4."""
