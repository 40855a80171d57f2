"""Every knob, a frozen slice per verb; defaults and their origin live here only. `settings_file` reads them."""

from dataclasses import dataclass, field, fields
from typing import Annotated, Any, Literal

from pagerag_pipeline.ranges import Bytes, Count, Range, Share, Tokens
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.settings_asking import AnswerSettings, E2Settings, EnsiSettings, PankSettings, RetrieveSettings
from pagerag_pipeline.settings_chat import AskSettings, BuildSettings, ChatSettings, Seconds


@dataclass(frozen=True, slots=True)
class CorpusSettings:
    """Where documents come from, and when a listing is too suspicious to act on."""

    folder: str = ""
    """The corpus folder, absolute or relative to the home's parent; only read."""
    guard_share: Share = 0.5
    """A refresh that would lose more than this share of the documents ..."""
    guard_documents: Annotated[int, Range(0, 1_000_000)] = 10
    """... and more than this many is refused unless forced (an unmounted disk must not erase an index); architecture, section 4."""
    max_file_bytes: Bytes = 512 * 1024 * 1024
    """Larger files are skipped by name: parsing holds a file in memory."""


@dataclass(frozen=True, slots=True)
class ParseSettings:
    """How bytes become text."""

    max_documents_per_file: Annotated[int, Range(1, 1_000_000_000)] = 1_000_000
    max_unpacked_bytes: Bytes = 256 * 1024 * 1024
    """A file that would unpack to more (EPUB, Office files, PDF text, Parquet) is skipped or cut, with the reason."""


@dataclass(frozen=True, slots=True)
class ProfileSettings:
    """How a document is profiled (PAGE-RAG, section 2.3 step 1)."""

    topics: Annotated[int, Range(1, 100)] = 5
    """At most this many topic labels."""


@dataclass(frozen=True, slots=True)
class ChunkSettings:
    """How text is cut. Tokens are those of the embedder's tokenizer."""

    chunk_tokens: Tokens = 1200
    """Target size of a `chunk`; the chunk size of E2GraphRAG and PankRAG."""
    chunk_min_tokens: Tokens = 600
    """A content-defined boundary may close a chunk from here on; half the target keeps the mean near it."""
    passage_tokens: Tokens = 180
    """Target size of a `passage`; with its context it fits a 256-token encoder, and it is the best size in our baseline tables."""
    context_tokens: Annotated[int, Range(0, 1_000_000)] = 60
    """Most tokens of title and section path that are embedded with a text; longer ones lose their outermost parts first."""
    embed_window: Tokens = 254
    """A passage or row, its context and one token more stay within this: the window of all-MiniLM-L6-v2 without special tokens."""
    fixed_tokens: Tokens = 1200
    fixed_overlap: Annotated[int, Range(0, 1_000_000)] = 100
    fixed: bool = False
    """Also write the papers' fixed windows (kind `fixed`), for comparison: `e2.cut` retrieves them."""


@dataclass(frozen=True, slots=True)
class EmbedSettings:
    """Which model embeds, and how."""

    model: str = "minilm"
    """minilm (all-MiniLM-L6-v2 from the installed package) | hash (deterministic, for tests) | the folder of a sentence-transformers model; with
    `base_url`, a model of that server"""
    batch_size: Count = 8
    """Texts a forward pass; the fastest size for 256-token texts on two CPU threads (measured)."""
    index_rows: Annotated[int, Range(1, 1_000_000_000)] = 20_000
    """Up to here exact search is fast enough; above, an IVF_FLAT index is built (measured: recall@10 1.000)."""
    base_url: str = ""
    """Of an OpenAI-compatible server with /embeddings, like http://127.0.0.1:11434/v1; empty: the model runs here. Keys stand in the environment alone."""
    dimensions: Annotated[int, Range(0, 65_536)] = 0
    """Asked of the server, where its model can shorten its vectors; 0 = as many as it has."""
    window: Tokens = 254
    """Tokens of a text, by the bundled tokenizer, that the server's model reads; a longer text is parted and has the mean of its parts, so that no server
    cuts it off. As that of the bundled model, until it is set to what yours has together with chunk.embed_window."""
    request_texts: Count = 32
    request_tokens: Tokens = 8_000
    """Most texts and tokens of one request (chosen: below the limits of common servers)."""
    timeout_seconds: Seconds = 60.0
    total_seconds: Seconds = 600.0
    attempts: Count = 6
    backoff_seconds: Annotated[float, Range(0.0, 3_600.0)] = 1.0
    """One call; all calls and waits for one request; most calls for it; first wait before another, doubled each time: as in chat mode."""

    def __repr__(self) -> str:
        """All fields; those of a server only where one is named, so that digests of settings without one do not depend on them."""
        shown = [one.name for one in fields(self)][: None if self.base_url else _LOCAL]
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"


_LOCAL = 3
"""The first fields of EmbedSettings: those of a model that runs here."""


@dataclass(frozen=True, slots=True)
class ExtractSettings:
    """Which tagger reads, and what counts as a statement."""

    tagger: Literal["spacy", "rules"] = "spacy"
    """spacy: installed pipelines by language; rules: deterministic, no model."""
    batch_size: Count = 32
    """Texts a tagger call."""


@dataclass(frozen=True, slots=True)
class PartitionSettings:
    """How a chunk is parted into passages around one main entity (EnSI-RAG, EN-1)."""

    most_tokens: Tokens = 1200
    """A passage is cut after a paragraph before it has more; systems, section 5.3 step 1."""
    least_tokens: Tokens = 240
    """A passage goes on until it has as many, whoever is spoken of: a turn of a dialogue is no passage of its own."""


@dataclass(frozen=True, slots=True)
class GovernSettings:
    """Gates of the governed graph (PAGE-RAG, section 2.3 step 4)."""

    accept_confidence: Share = 0.75
    hold_confidence: Share = 0.45
    promote_spans: Count = 2
    """A held unit is promoted when at least this many distinct spans state it."""
    downgrade_factor: Share = 0.7
    """Confidence of a statement whose predicate is not in the ontology, or does not join the types of its ends. Kept at 0.9 where the predicate is
    unknown, it let in 32 statements of three books, of which 24 stood as such in their quotes, and found no more passages (musique, hotpotqa)."""
    topic_mentions: Count = 3
    """A noun of a conceptual or argumentative text is a topic when it is named at least so often (systems, G7: kept, but marked), or, as a phrase that
    statements speak of, in enough chunks; own choice, made by reading what was left out of two books at 1 to 4 mentions."""
    topic_chunks: Count = 2
    """Chunks that a topic is at least spread over; own choice, as above."""
    topics_per_thousand: Annotated[float, Range(0.0, 1000.0)] = 20.0
    """Most topics a thousand tokens of such text, those in most chunks first: a bound for glossaries and catalogues (measured: 8.1 and 12.0 in two books)."""
    confidence_cap: Share = 0.99
    silent_words: Count = 40
    """A text of at least this many different words, in sentences, in which nothing was found is suspicious (measured: none of 7,573 chunks of five corpora)."""
    max_silent_share: Share = 0.1
    """Most characters of the corpus that may stand in such texts; more is an error: a reader that finds nothing has failed, not succeeded."""


@dataclass(frozen=True, slots=True)
class ClusterSettings:
    """One hierarchy of communities."""

    method: Literal["linkage", "leiden"] = "linkage"
    """`linkage` joins neighbors from below, so a change moves communities near it; `leiden` splits components from above, as the papers do."""
    resolution: Annotated[float, Range(0.001, 1000.0)] = 1.0
    """Of `leiden` alone, as is the seed."""
    seed: Annotated[int, Range(0, 2**31 - 1)] = 13
    max_upper: Annotated[int, Range(2, 1_000_000)] = 40
    """Most members of a community above the leaves; architecture, section 2."""
    max_leaf: Annotated[int, Range(2, 1_000_000)] = 10
    """Most members of a leaf community; PankRAG's code."""
    min_report: Count = 3
    """Smaller communities get no report."""


@dataclass(frozen=True, slots=True)
class SummarizeSettings:
    """Extractive summaries, reports and the tree."""

    group_size: Annotated[int, Range(2, 10_000)] = 5
    """Mean group of the tree (E2GraphRAG: g = 5), and the size of fixed ones; content-defined groups hold 3 to 8."""
    group_min: Annotated[int, Range(2, 10_000)] = 3
    group_max: Annotated[int, Range(2, 10_000)] = 8
    grouping: Literal["content", "fixed"] = "content"
    """Where groups close: where the leaves' contents say, up to one root, so that an edit moves little; or after every `group_size` nodes, up to a level
    of at most 1.2 times as many, as in E2GraphRAG; systems, section 3.3."""
    force_root: bool = False
    """Whether fixed groups go on up to one root a document; systems, section 3.6, A4."""
    summary_tokens: Tokens = 180
    """Most tokens of a summary or report: it fits the embedder's window whole."""
    report_quotes: Count = 8
    """Most quotes of a report; systems, section 2.3 step 5."""
    report_evidence: Count = 24
    """Most quotes of a member that a report chooses from; the choice is quadratic in them."""


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """Memory and sizes of the engines."""

    duckdb_memory: str = "4GB"
    duckdb_threads: Count = 2
    kuzu_buffer_bytes: Annotated[int, Range(2**20, 2**46)] = 512 * 1024 * 1024
    kuzu_max_bytes: Annotated[int, Range(2**23, 2**46)] = 16 * 1024 * 1024 * 1024
    """Address space reserved for the graph file; the engine's default of 8 TiB fails in small containers."""
    kuzu_timeout_ms: Annotated[int, Range(1, 86_400_000)] = 5_000
    """A graph query that runs longer is stopped and reported."""
    kept_bytes: Annotated[int, Range(0, 2**46)] = 384 * 1024 * 1024
    """Memory for what asking looks up by key, read from the second question of a process on; what finds no room is asked of the engines each time.
    Room for 2 million tokens (measured: 157 MiB of them, 65 in bindings, 29 in vectors and 21 in terms; beside these, 48 bytes a token of signs, about
    100 MiB), and half as much again."""
    keep_generations: Count = 3
    """Generations kept besides those that a reader holds."""


@dataclass(frozen=True, slots=True)
class RefreshSettings:
    """How work is spread and committed."""

    backend: Literal["inline", "process"] = "inline"
    workers: Count = 2
    batch_units: Annotated[int, Range(1, 1_000_000)] = 256
    """Units a commit: a crash loses at most one batch ..."""
    batch_characters: Annotated[int, Range(1, 1_000_000_000)] = 200_000
    """... or this much text, whichever comes first: some ten seconds of model work on two CPU cores (measured)."""
    in_flight: Count = 2
    """Batches queued per worker."""
    max_attempts: Count = 3
    """Refreshes that retry a failed unit; then it stays failed until its input changes."""
    max_failed_share: Share = 0.02
    """A product fails when more than this share of its units failed; systems, section 6.2."""


@dataclass(frozen=True, slots=True)
class ScheduleSettings:
    """The one switch for unattended refreshes."""

    enabled: bool = False
    cron: str = "0 3 * * *"
    sensor_seconds: Annotated[int, Range(1, 86_400)] = 60
    debounce_seconds: Annotated[int, Range(0, 86_400)] = 30
    """The corpus must have been quiet for this long before a sensor starts a run."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All slices."""

    corpus: CorpusSettings = field(default_factory=CorpusSettings)
    parse: ParseSettings = field(default_factory=ParseSettings)
    profile: ProfileSettings = field(default_factory=ProfileSettings)
    chunk: ChunkSettings = field(default_factory=ChunkSettings)
    embed: EmbedSettings = field(default_factory=EmbedSettings)
    extract: ExtractSettings = field(default_factory=ExtractSettings)
    partition: PartitionSettings = field(default_factory=PartitionSettings)
    govern: GovernSettings = field(default_factory=GovernSettings)
    cluster: ClusterSettings = field(default_factory=ClusterSettings)
    summarize: SummarizeSettings = field(default_factory=SummarizeSettings)
    store: StoreSettings = field(default_factory=StoreSettings)
    refresh: RefreshSettings = field(default_factory=RefreshSettings)
    retrieve: RetrieveSettings = field(default_factory=RetrieveSettings)
    answer: AnswerSettings = field(default_factory=AnswerSettings)
    e2: E2Settings = field(default_factory=E2Settings)
    pank: PankSettings = field(default_factory=PankSettings)
    ensi: EnsiSettings = field(default_factory=EnsiSettings)
    schedule: ScheduleSettings = field(default_factory=ScheduleSettings)
    chat: ChatSettings = field(default_factory=ChatSettings)
    build: BuildSettings = field(default_factory=BuildSettings)
    ask: AskSettings = field(default_factory=AskSettings)


def slice_digest(*slices: Any) -> str:
    """Digest of settings slices: what a verb's code version includes."""
    return digest(*(repr(one) for one in slices))
