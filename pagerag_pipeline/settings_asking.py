"""The knobs of asking: operators and their budgets, the gate, and each system's own; `settings` holds them with the others."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pagerag_pipeline.ranges import Count, Range, Share, Tokens


@dataclass(frozen=True, slots=True)
class RetrieveSettings:
    """Operators and their budgets (PAGE-RAG, section 2.4)."""

    pool: Count = 40
    strict_width: Annotated[int, Range(1, 100)] = 2
    rrf_constant: Count = 60
    """Candidates from each of BM25 and dense, times more of them under the strict gate (chosen), constant of rank fusion; systems, section 2.4."""
    dense_weight: Annotated[float, Range(0.0, 100.0)] = 1.5
    """Of z(cosine) beside z(BM25); 1 to 2 do about equally well on hotpotqa, musique, clapnq, mtrag_un and cranfield."""
    text_passages: Count = 8
    floor_passages: Count = 3
    """Most passages shown when no budget is asked for, and passages that always come from the text operator."""
    others_share: Share = 0.25
    """Most of the budget that graph items and summaries may take, the rest stays with text; chosen, not fitted."""
    rerank_coverage: Annotated[float, Range(0.0, 100.0)] = 0.3
    rerank_graph: Annotated[float, Range(0.0, 100.0)] = 0.6
    """Weights of coverage and graph beside the text score, a sum of two z-scores: small, so that text leads (coverage above 1 was measured to hurt)."""
    tokens_local: Tokens = 2400
    tokens_relational: Tokens = 3200
    tokens_global: Tokens = 1600
    neighbor_nodes: Count = 12
    neighbor_edges: Count = 20
    neighbor_few: Annotated[int, Range(0, 10_000)] = 3
    """Fewer edges than this at one hop open the second hop. These, and the limits of paths and reports, from systems, section 2.4."""
    neighbor_read: Count = 200
    neighbor_spans: Count = 3
    """Edges ranked, the heaviest first, and bound spans shown of each; these, like all `_read`, chosen, not fitted."""
    path_edges: Annotated[int, Range(1, 10)] = 4
    paths: Count = 3
    path_penalty: Share = 0.15
    path_pairs: Count = 3
    path_read: Count = 12
    """Most edges of a path, most paths shown, what each edge after the first costs; pairs of entities tried, in order of linking, paths ranked of each."""
    reports: Count = 3
    report_tokens: Tokens = 900
    report_read: Count = 30
    """Most reports, and most summaries, shown; most tokens of each of the two kinds; how many of each are looked at, nearest first."""
    records: Count = 10
    record_read: Count = 400
    record_likeness: Share = 0.2
    """A record that shares less of the question's other terms, by weight, is about something else; records: chosen, not fitted."""
    question_characters: Annotated[int, Range(1, 10_000_000)] = 20_000
    """A longer question fails by itself, and the error says so: it would hold up those behind it (measured: 93,000 characters 12 s). Chosen."""
    spread_passages: Count = 8
    spread_text: Share = 0.5
    spread_sharpness: Annotated[float, Range(0.0, 100.0)] = 4.0
    """Best passages that activation starts from beside the named entities, their share of it, and how much of that goes to the best of them: in
    proportion to e^(sharpness x score). These and the next chosen on hotpotqa and musique, where neighbors of each value do as well."""
    spread_order_text: Annotated[float, Range(0.0, 100.0)] = 0.1
    """Weight, beside activation (1), of how near a passage's text score comes to the best one, when what was reached is ordered; found on hotpotqa, where
    0.1 to 0.4 do alike."""
    spread_damping: Annotated[float, Range(0.0, 0.999)] = 0.93
    spread_steps: Annotated[int, Range(1, 1_000)] = 8
    spread_likeness: Annotated[float, Range(0.0, 10.0)] = 0.3
    """What a node passes on, how often, and how much a passage's likeness to the question draws: it gets e^(likeness x z(cosine)) as much."""
    spread_common: Share = 0.3
    """Of a common noun beside a proper name, as a start and as a mention."""
    inner_name_weight: Annotated[float, Range(0.0, 1_000.0)] = 3.0
    """Of a name with another inside it, times the share of its words, beside the idf of mentions (4 to 8). This and the weight of common nouns chosen
    on hotpotqa and musique; what they add, and values beside them, in the benchmarks."""
    title_weight: Annotated[float, Range(0.0, 1_000.0)] = 3.0
    title_name_weight: Annotated[float, Range(0.0, 1_000.0)] = 0.5
    relation_weight: Annotated[float, Range(0.0, 1_000.0)] = 1.0
    """Of a document's title, and of a name inside it, beside one mention in a passage (1); of a governed edge beside the idf of mentions (4 to 8)."""
    link_records: bool = False
    """Whether a name that is no alias of an entity is linked by likeness to what records and nodes are called, as `ensi` does; systems, section 6.3."""
    link_nodes: Count = 6
    history_turns: Count = 2
    """Most entities that a question is linked to (systems, section 2.4), and earlier user turns that it is searched with (chosen) if it leans on them."""


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """The answer-or-refuse gate."""

    threshold: Share = 0.5
    """Estimated chance of sufficiency from which an answer is given."""
    strict_boundary: Share = 0.5
    """Boundary sensitivity (eta) from which the text pool is wider and the strict gate holds; systems, section 2.4."""
    strict_threshold: Share = 0.6
    strict_overlap: Share = 0.5
    """Chance from which the strict gate answers, if one cited sentence covers this share of what is asked (systems, section 2.5, layer 3; chosen)."""
    unknown_share: Share = 0.5
    """From this weighted share of unknown terms on a question is about something else (case INC-19); chosen, like all below, not fitted."""
    ruled_out: Share = 0.8
    years_confidence: Share = 0.9
    cell_confidence: Share = 0.9
    """Factor on the estimate when a rule refuses, so that it stays comparable (0.8 for 0.4 on the answers of one `pagerag evaluate` a
    set: AUROC of clapnq .897 for .880, mtrag_un .835 for .827, squad2 .743 for .729); estimates for a difference of two quoted years, both found by name, and for a cell whose row
    and column the question names and nothing else."""
    over_tables: Literal["refuse", "compute"] = "refuse"
    """What of a question over all rows of a table becomes in systems that read some of them: refused unless a sentence says it whole, or worked out as
    `ensi` does; refused, so that the systems stay apart (systems, section 6.3)."""
    most_sentences: Count = 3
    least_gain: Share = 0.15
    """Most quoted sentences; each after the first covers at least this weighted share of the question more."""
    enough_share: Share = 0.6
    lent_share: Share = 0.7
    """Covering so much, a sentence may answer in other words; part of a term's weight that it gets when only its passage or heading holds the term."""
    claim_overlap: Share = 0.5
    """Share of a model's claim, in content words, that the text it cites must hold, and of what the claim says beyond names, numbers and the question."""


@dataclass(frozen=True, slots=True)
class E2Settings:
    """Branches over the co-occurrence graph and the summary tree (E2GraphRAG, section 3)."""

    cut: Literal["chunk", "fixed"] = "chunk"
    """What is retrieved: the chunks that everything else stands on, or the paper's windows (`fixed`), which a refresh must have written (`chunk.fixed`)."""
    hops: Annotated[int, Range(0, 10)] = 4
    path_measure: Literal["hops", "nodes"] = "hops"
    """Two terms are related by a path of at most so many hops (the paper), or nodes (its code, one hop less); systems, section 3.6, A1."""
    siblings: Annotated[int, Range(0, 1_000)] = 0
    """Where nearer pairs share nothing, chunks are kept that have so many others under their tree parent; 0 = none are asked for. Off, as in systems,
    section 3.6, A2; the paper's code, which does not call it, has 2."""
    chunks: Count = 25
    chunk_tokens: Tokens = 30_000
    """Most chunks that are retrieved (k; the pool of dense search has twice as many), and most tokens in them: as many as 25 windows of 1,200 have."""
    summary_weight: Literal["sum", "mean"] = "sum"
    """How often a summary's leaves name what is asked about, in all or on average; systems, section 3.6, A3."""
    fill_to_k: bool = False
    """Whether nodes that name nothing fill up what occurrences leave free; systems, section 3.5, D6."""
    show: Literal["passages", "chunks"] = "passages"
    """What of the retrieved chunks is evidence: their best passages, or whole chunks, as in the paper."""
    entity_weight: Annotated[float, Range(0.0, 1_000.0)] = 1.0
    """Of the share of what is asked about that a passage names, beside its text score (a sum of two z-scores); chosen: 0 to 1000 found the same answers
    of 27 on two novels."""
    tokens: Tokens = 2400
    """Evidence tokens of an answer: as many as `page` takes for a local question."""


@dataclass(frozen=True, slots=True)
class PankSettings:
    """Plans, their hops and their reranking (PankRAG, section 4)."""

    hop_search: Literal["local", "page"] = "page"
    """How a hop is searched: by entities as in the paper (local; global for an abstract hop), or as the system `page` searches, which finds far more
    (measured on hotpotqa and musique: benchmarks)."""
    most_hops: Count = 8
    """More than any plan had among those measured in the released cache; systems, section 4.3."""
    execute_unused: bool = False
    """Whether hops are asked that the final query does not rest on; systems, section 4.3."""
    workers: Count = 2
    """Hops of a level that run at once; two, as the machine that everything was measured on has two cores."""
    hop_seconds: Annotated[float, Range(0.01, 3_600.0)] = 30.0
    """From here on a level's hops that still run have failed (chosen: far beyond any that was measured)."""
    hop_threshold: Share = 0.5
    """Estimated chance of sufficiency from which a hop's answer is known; the gate's own threshold."""
    answer_tokens: Tokens = 256
    """Of a hop's answer, so many tokens are what passages are compared with; systems, section 4.5."""
    alpha_specific: Share = 0.6
    beta_specific: Share = 0.4
    alpha_abstract: Share = 0.75
    beta_abstract: Share = 0.25
    """Weight of a passage's own score and of its likeness to earlier answers, for specific and abstract hops; each pair sums to 1; PankRAG, section 4.5."""
    entities: Count = 20
    entity_similarity: Share = 0.2
    """Entities that a local search starts from, and the cosine that they need; systems, section 4.2."""
    entity_search: Literal["handles", "passages"] = "handles"
    """Whether they are those with the nearest names (the paper's entity vectors), or those that the nearest passages name; named ones come first."""
    report_level: Annotated[int, Range(0, 100)] = 2
    report_tokens: Tokens = 3200
    relation_tokens: Tokens = 4800
    text_tokens: Tokens = 4000
    entity_tokens: Tokens = 1600
    """The finest level of reports, and most tokens of reports, relations and texts of a local search; systems, section 4.4. Those of entities chosen: 80
    for each."""
    global_reports: Count = 512
    global_tokens: Tokens = 16_384
    global_descend: Annotated[int, Range(0, 100)] = 50
    """Of a global search: most reports, the most populous first, most tokens of those told, and the score from which the finer ones below a report
    are looked at; systems, section 4.4."""
    merge_constant: Count = 1
    question_weight: Annotated[float, Range(0.0, 100.0)] = 3.0
    """Rankings of the question itself, of the final query and of the hops are joined by the sum of weight / (constant + rank), the weight being 1 for all
    but the question's; chosen on hotpotqa and musique, where constants up to 10 and weights from 1 on do about as well."""
    tokens: Tokens = 3200
    """Evidence tokens of an answer: as many as `page` takes for a question about relations."""


@dataclass(frozen=True, slots=True)
class EnsiSettings:
    """Plans over records, their matching and what is worked out over all that matches (EnSI-RAG; systems, section 5)."""

    granularity: Literal["fine", "broad"] = "fine"
    """Fields as they are stated, or by what they are a kind of; the index and the planner share it. Which is better depends on the domain."""
    entity_cosine: Share = 0.85
    entities: Count = 3
    """Likeness from which a name means an entity that no word of the question is, and most such entities; systems, section 5.4."""
    field_cosine: Share = 0.78
    value_cosine: Share = 0.86
    keep: Share = 0.35
    """Likeness from which a field, a value, and a record as a whole match; these and the weights from a sibling of the system, as in systems, section 5.4."""
    entity_weight: Share = 0.25
    type_weight: Share = 0.08
    field_weight: Share = 0.22
    value_weight: Share = 0.18
    """Weights of the parts of an anchor, over those that are known."""
    passages: Count = 5
    """Passages of a hop: best in the paper's ablation of depth, before 12 and 15."""
    guard_below: Count = 2
    guard_lexical: Count = 12
    guard_dense: Count = 8
    """Fewer passages found by records than this call for text search beside them, so many by words and by vectors; systems, section 5.4, step 3."""
    fan_out: Count = 10
    """Most entities that a bridge hands on."""
    value_reads: Count = 256
    """Most values and words that one question has embedded; what is beyond is told (chosen: about a second on one core)."""
    batch_tokens: Tokens = 2400
    """Evidence of one batch, when all that matches is more: as many tokens as an answer of another system is read from."""
    computed_confidence: Share = 0.9
    """Estimate of an answer that was worked out over rows that match in every word: as that of a difference of two dated quotes."""
    tokens: Tokens = 2400
    """Evidence tokens of a question for a single fact."""
