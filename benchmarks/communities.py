"""What communities cost on large graphs, and how many of them and of their reports stay when a few documents are deleted or edited.

`cost` clusters two synthetic graphs of 100,000 nodes and about 500,000 edges. `stability` builds a home of the first documents of a passage set,
then deletes 1 % of them, puts them back, and edits the same 1 %, at three places of the corpus.
"""

import json
import random
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import corpora
import figures
import homes

from pagerag_pipeline.indexing.cluster import cluster
from pagerag_pipeline.refresh import products
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.settings import ClusterSettings, Settings
from pagerag_pipeline.settings_file import load_settings, write_corpus_folder
from pagerag_pipeline.stores import community_rows
from pagerag_pipeline.stores.work import open_work

Edge = tuple[str, str, float]
Graph = tuple[list[str], list[Edge]]

ROUNDS = 3
NOT_NEEDED = ("chunk_embeddings", "summary_tree", "hybrid_repository")
STRANGER = "In later years Harold Finchley of Norwood kept the archive of it"
"""What an edit puts in the place of the middle sentence of a document."""


def heavy_tailed(nodes: int, degree: int, seed: int = 0) -> Graph:
    """Preferential attachment: each new node links to `degree` ends of earlier edges."""
    chance = random.Random(seed)
    ends, edges = [0], []
    for node in range(1, nodes):
        for other in chance.choices(ends, k=degree):
            edges.append((_name(node), _name(other), 1.0))
            ends.append(other)
        ends += [node, node]
    return [_name(node) for node in range(nodes)], edges


def planted(nodes: int, groups: int, edges: int, inside: float = 0.8, seed: int = 0) -> Graph:
    """Random groups; this share of the edges stays inside one."""
    chance = random.Random(seed)
    group = [chance.randrange(groups) for _ in range(nodes)]
    members: dict[int, list[int]] = {}
    for node in range(nodes):
        members.setdefault(group[node], []).append(node)
    drawn = [chance.randrange(nodes) for _ in range(edges)]
    pairs = [(one, chance.choice(members[group[one]]) if chance.random() < inside else chance.randrange(nodes)) for one in drawn]
    return [_name(node) for node in range(nodes)], [(_name(one), _name(other), 1.0) for one, other in pairs if one != other]


def _name(node: int) -> str:
    return f"n{node:06}"


def modularity(edges: Sequence[Edge], groups: Sequence[Sequence[str]]) -> float:
    """Newman's modularity at resolution 1, over weighted edges without loops."""
    group = {name: number for number, members in enumerate(groups) for name in members}
    volume: Counter[int] = Counter()
    total = inside = 0.0
    for head, tail, weight in edges:
        if weight > 0 and head != tail:
            total += weight
            inside += weight * (group[head] == group[tail])
            volume[group[head]] += weight  # type: ignore[assignment]
            volume[group[tail]] += weight  # type: ignore[assignment]
    return inside / total - sum(one * one for one in volume.values()) / (4 * total * total) if total else 0.0


def plain_leiden(graph: Graph) -> float:
    """Modularity of Leiden without bounds, until it finds nothing better; the best of five seeds."""
    import igraph
    import leidenalg

    summed: Counter[tuple[str, str]] = Counter()
    for head, tail, weight in graph[1]:
        if head != tail and weight > 0:
            summed[min(head, tail), max(head, tail)] += weight  # type: ignore[assignment]
    names = sorted({name for pair in summed for name in pair})
    place = {name: number for number, name in enumerate(names)}
    made = igraph.Graph(n=len(names), edges=[(place[one], place[other]) for one, other in summed])
    kind, weights = leidenalg.ModularityVertexPartition, list(summed.values())
    found = [leidenalg.find_partition(made, kind, weights=weights, n_iterations=-1, seed=seed) for seed in range(5)]
    return max(modularity(graph[1], [[names[vertex] for vertex in part] for part in one]) for one in found)


def _told(graph: Graph, settings: ClusterSettings) -> dict[str, Any]:
    """Figures of one method on one graph."""
    begun, cpu = time.perf_counter(), time.process_time()
    communities = cluster(*graph, settings)
    told: dict[str, Any] = {"seconds": round(time.perf_counter() - begun, 1), "cpu_seconds": round(time.process_time() - cpu, 1)}
    for level, name in ((0, "upper"), (1, "leaf")):
        groups = [one.members for one in communities if one.level == level]
        told[name] = {
            "communities": len(groups),
            "of_one": sum(len(members) == 1 for members in groups),
            "modularity": round(modularity(graph[1], groups), 4),
        }
    return told


def cost(scale: int) -> None:
    """Cluster the two synthetic graphs."""
    graphs = {"heavy-tailed": heavy_tailed(scale, 5), "planted": planted(scale, scale // 20, 5 * scale)}
    for name, graph in graphs.items():
        degrees = Counter(end for head, tail, _ in graph[1] for end in (head, tail))
        told = {"nodes": len(graph[0]), "edges": len(graph[1]), "highest_degree": max(degrees.values()), **_told(graph, ClusterSettings())}
        figures.show("communities", data=f"{name} graph", n=len(graph[1]), figures={**told, "peak_memory_mib": figures.peak_memory_mib()})


def _refreshed(home: Path) -> tuple[set[str], set[tuple[str, str]], dict[str, Any]]:
    """Ids of all communities, keys of all reports with their communities, and the shape, after a refresh as far as it is needed."""
    with Session.open(home, settings=load_settings(home), purpose="benchmark", force=True) as session:
        homes.load_models(session)
        told = {name: function(session) for name, function in products.PRODUCT_FUNCTIONS.items() if name not in NOT_NEEDED}
        communities = {str(row[0]) for row in session.tables.rows("SELECT community_id FROM communities")}
        reports = {(str(unit), str(key)) for unit, key in session.tables.rows("SELECT unit, key FROM ledger_reports WHERE status = 'ok'")}
    return communities, reports, told["communities"].details["shape"]


def _documents(corpus: Path) -> list[str]:
    """Documents of a corpus folder as lines of JSON."""
    if (corpus / "docs.jsonl").exists():
        return (corpus / "docs.jsonl").read_text(encoding="utf-8").splitlines()
    files = [path for path in sorted(corpus.rglob("*")) if path.suffix in (".md", ".txt")]
    return [json.dumps({"doc_id": path.stem, "text": path.read_text(encoding="utf-8")}) for path in files]


def _edited(document: str) -> str:
    told = json.loads(document)
    sentences = told["text"].split(". ")
    middle = len(sentences) // 2
    return json.dumps({**told, "text": ". ".join([*sentences[:middle], STRANGER, *sentences[middle + 1 :]])})


def _share(before: set[Any], after: set[Any]) -> float:
    return round(len(before & after) / len(before), 4) if before else 1.0


def stability(name: str, count: int, work: Path) -> None:
    """Delete and edit 1 % of the documents at several places, and compare with the first build."""
    lines = _documents(corpora.corpus(name, work))[:count]
    folder = (work / "corpora" / f"communities-{name}").absolute()
    folder.mkdir(parents=True, exist_ok=True)
    home = work.absolute() / "homes" / f"communities-{name}"
    file = folder / "docs.jsonl"
    if not load_settings(home).corpus.folder:
        write_corpus_folder(home, folder)
    file.write_text("\n".join(lines), encoding="utf-8")
    communities, reports, shape = _refreshed(home)
    graph = _graph(home, load_settings(home))
    shares: dict[str, Any] = {}
    for number in range(ROUNDS):
        chosen = set(range(17 + 7 * number, len(lines), 100))
        changes = {
            "delete": [line for place, line in enumerate(lines) if place not in chosen],
            "edit": [_edited(line) if place in chosen else line for place, line in enumerate(lines)],
        }
        for change, written in changes.items():
            file.write_text("\n".join(written), encoding="utf-8")
            now, reported, _ = _refreshed(home)
            shares[f"{change}_{number}"] = {"communities": _share(communities, now), "reports": _share(reports, reported)}
    told = {
        "communities": len(communities),
        "reports": len(reports),
        "shape": shape,
        "kept": shares,
        "modularity_plain_leiden": round(plain_leiden(graph), 4),
        **{method: _told(graph, ClusterSettings(method=method)) for method in ("linkage", "leiden")},  # type: ignore[arg-type]
    }
    figures.show("communities", data=name, n=len(lines), figures=told)


def _graph(home: Path, settings: Settings) -> Graph:
    with open_work(home, settings.store) as tables:
        return community_rows.weighted_edges(tables)


def main() -> None:
    parser = homes.arguments(__doc__ or "")
    parser.add_argument("data", choices=("cost", *corpora.PASSAGE_SETS, "bundled"), help="cost: synthetic graphs; else stability on a passage set")
    parser.add_argument("--documents", type=int, default=500, help="first documents of the set (default: 500)")
    parser.add_argument("--nodes", type=int, default=100_000, help="nodes of the synthetic graphs (default: 100000)")
    given = parser.parse_args()
    if given.data == "cost":
        cost(given.nodes)
    else:
        stability(given.data, given.documents, given.work)


if __name__ == "__main__":
    main()
