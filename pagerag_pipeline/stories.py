"""Stories of the graph in plain words: what an entity is and why, how an edge came about, what a decision was. Values in, text out."""

import textwrap
from collections.abc import Sequence
from typing import Any

WIDTH = 100
EDGES = 20
RECORDS = 10
DECISIONS = 40
"""Most of each that a terminal shows; `--json` has all."""

Found = dict[str, Any]

APART = {
    "ambiguous_alias": "a name is claimed by two",
    "ambiguous_name": "a name fits several people",
    "causal_link": "the text says that one causes the other",
    "family_name": "the text says the surname of a family, or speaks of it as a name",
    "family_roles": "the text gives each another place in the family",
    "gender": "they are a man and a woman",
    "generation": "they are told apart as elder and younger, or first and second",
    "governance.toml": "governance.toml says so",
    "husbands_name": "a wife is called by her husband's whole name to tell her from another",
    "incomplete_linkage": "not every pair of the names that would become one is declared, and nothing merges by a chain",
    "married": "one is married and the other is not",
    "no_shared_context": "what stands with the name in one document does not stand with it in the other",
    "numerals": "they bear different numbers",
    "one_word": "a name of one word is no name of one person across documents",
    "other_given_name": "they have different given names",
    "other_origin": "they come from different places",
    "other_surname": "they have different surnames",
    "other_title": "they bear titles that one person does not bear together",
    "stand_apart": "the text sets them side by side",
    "told_apart": "the narrator uses both alike",
}
"""Why two names are not one entity."""

TOLD = {
    ("G1", "accept", "rebound"): "its quote was found again elsewhere in its chunk: {detail}",
    ("G1", "accept", "resolved"): "an end that its own sentence does not name was found in the text before, by {detail}",
    ("G1", "reject", "unbound"): "rejected, because {detail}",
    ("G2", "accept", "predicate_mapped"): "its relation is read as a known one: {detail}",
    ("G2", "downgrade", "domain_range"): "weakened, because the relation does not join what these entities are: {detail}",
    ("G2", "downgrade", "unexpected_types"): "believed less, because its ends were read as {detail}",
    ("G2", "downgrade", "unknown_predicate"): "its relation is not in the ontology, so it says only that the two are related: {detail}",
    ("G2", "reject", "domain_range"): "rejected, because the relation does not join what these entities are: {detail}",
    ("G2", "reject", "incomplete"): "rejected, because an end or the relation is missing: {detail}",
    ("G2", "reject", "range"): "rejected, because a value stands where an entity belongs, or the reverse: {detail}",
    ("G2", "reject", "self_loop"): "rejected, because both ends have the same name: {detail}",
    ("G2", "reject", "unknown_modality"): "rejected, because it neither asserts, denies, supposes nor reports: {detail}",
    ("G2", "retype", "domain_range"): "given another type, because its use speaks against a type that little supports: {detail}",
    ("G3", "accept", "causal_cue"): "kept as a cause, because the quote says so: {detail}",
    ("G3", "downgrade", "cause_hypothetical"): "kept as a supposed cause, because the quote only supposes it: {detail}",
    ("G3", "downgrade", "cause_negated"): "kept as a denied cause, because the quote denies it: {detail}",
    ("G3", "downgrade", "no_causal_cue"): "no longer a cause, because no words of the quote say so: {detail}",
    ("G3", "merge", "forced_over_cause"): "merged by governance.toml although a cause stands between the names: {detail}",
    ("G3", "reject", "causal_self_loop"): "rejected, because a merge made it its own cause: {detail}",
    ("G3", "split", "causal_direction"): "not merged, because that would have turned a stated cause around: {detail}",
    ("G4", "accept", "confidence"): "accepted with confidence {detail}",
    ("G4", "hold", "confidence"): "held back until more places say it, with confidence {detail}",
    ("G4", "promote", "support"): "let into the graph by its support: {detail}",
    ("G4", "reject", "confidence"): "rejected, with confidence {detail}",
    ("G5", "accept", "declared"): "read as the declaration of another name: {detail}",
    ("G5", "merge", "declared"): "merged: {detail} are one, because the text declares it",
    ("G5", "merge", "answers"): "merged: {detail}",
    ("G5", "merge", "equal_key"): "merged: {detail} differ in case, spaces or a possessive only",
    ("G5", "merge", "full_name"): "merged: {detail} have given name and surname in common",
    ("G5", "merge", "given_form"): "merged: {detail} hold two forms of one given name, and nobody else is meant",
    ("G5", "merge", "given_name"): "merged: {detail} have a given name in common, and nobody else is meant",
    ("G5", "merge", "same_name"): "merged: {detail} are one name in two spellings",
    ("G5", "merge", "shared_context"): "one person across documents, named in full beside the same names or nouns: {detail}",
    ("G5", "merge", "surname"): "merged: {detail} have a surname in common, and nobody else is meant",
    ("G5", "merge", "third_name"): "merged: {detail}, and nobody else is meant",
    ("G6", "merge", "parallel"): "one edge made of {detail}",
    ("G6", "merge", "types"): "read as several types; taken as {detail}",
    ("G6", "reject", "self_loop"): "rejected, because both ends are one entity now: {detail}",
    ("G7", "isolate", "no_edge"): "kept without an edge, and left out of communities: {detail}",
    ("G7", "isolate", "topic"): "kept without an edge, as a noun that recurs in an argument, and left out of communities: {detail}",
    ("override", "hold", "distrusted"): "held back, because governance.toml distrusts its document: {detail}",
    ("override", "merge", "governance.toml"): "merged: {detail} are one, because governance.toml says so",
    ("override", "reject", "suppressed_end"): "left out, because governance.toml suppresses one of its ends: {detail}",
    ("override", "rename", "governance.toml"): "renamed by governance.toml: {detail}",
    ("override", "retype", "governance.toml"): "given another type by governance.toml: {detail}",
    ("override", "suppress", "governance.toml"): "suppressed by governance.toml, as {detail}",
}
"""What an act means, by gate, act and reason."""


def told(decision: Found, *, about: str = "") -> str:
    """One decision as a sentence, with the place that it rests on; `about` is the id of the entity that it is told of."""
    if decision["act"] == "keep_apart":
        return f"{_kept_apart(decision, about)}{_at(decision['span'])}"
    pattern = TOLD.get((decision["gate"], decision["act"], decision["reason"]), f"{decision['act']} ({decision['reason']}): {{detail}}")
    return f"{pattern.replace('{detail}', decision['detail'])}{_at(decision['span'])}"


def _kept_apart(decision: Found, about: str) -> str:
    names, _, more = decision["detail"].removeprefix("alignment_blocked: ").partition(": ")
    first, _, second = names.partition(" / ")
    other = (first if decision["other_id"] == about else decision["other"] or second) if about else f"{first} from {second}"
    reason = decision["reason"]
    why = APART.get(reason, f"their years differ ({reason.removeprefix('different_').replace('_', ' ')})" if reason.startswith("different_") else reason)
    return f"kept apart{' from' if about else ':'} {other}, because {why}" + (f": {more}" if more else "")


def _at(span: Found | None) -> str:
    return f"\n  at {place(span)}" if span else ""


def place(span: Found) -> str:
    """A span as a place with its quote."""
    return f'{span["document"]} [{span["start"]}, {span["end"]}): "{" ".join(span["quote"].split())}"'


def entity_text(entity: Found) -> str:
    """An entity: what it is, what it stands on, how it is linked, and what was decided about it, in order."""
    if entity["status"] == "ambiguous":
        return candidates_text(entity)
    if entity["status"] == "absent":
        head = [f"{entity['name']} is not in the graph.", *_story(entity["decisions"], entity["entity_id"])]
        return "\n".join(head)
    lines = [f"{entity['name']} ({entity['type']})  {entity['entity_id']}"]
    lines.append(f"types: {', '.join(f'{kind} {count}' for kind, count in entity['types'].items())}; {entity['mentions']} mentions")
    if described := entity["description"]:
        lines.append(f"described: {described['text']}  on {len(described['quotes'])} quotes{', condensed by a model' if described['condensed'] else ''}")
    lines.append("documents: " + ", ".join(f"{one['document']} ({one['mentions']})" for one in entity["documents"]))
    lines += ["names:", *(f"- {one['alias']} ({one['mentions']})" + (f", {place(one['evidence'])}" if one["evidence"] else "") for one in entity["aliases"])]
    lines += _listed("edges", [edge_line(edge) for edge in entity["edges"]], EDGES)
    lines += _listed("records", [f"{one['field']}: {one['value']}  at {place(one)}" for one in entity["records"]], RECORDS)
    lines += _listed("communities", [_community_line(one) for one in entity["communities"]], 10)
    lines += _listed("in quarantine", [f"{one['units']} {one['state']} ({one['gate']} {one['reason']})" for one in entity["quarantine"]], 10)
    hint = ["(what was decided about its statements: pagerag show edge ID)"] if entity["edges"] else []
    return "\n".join([*map(_wrapped, lines), *_story(entity["decisions"], entity["entity_id"]), *hint])


def _community_line(community: Found) -> str:
    """A community in one line, and what binds its members in one more."""
    title = f": {community['title']}" if community["title"] else ""
    bonds = f"\n  bound by: {'; '.join(community['bonds'])}" if community["bonds"] else ""
    return f"level {community['level']}, {community['size']} members{title}{bonds}"


def edge_line(edge: Found) -> str:
    """An edge in one line with its first quote."""
    mark = "" if edge["modality"] == "asserted" else f" [{edge['modality']}]"
    quote = f"\n  at {place(edge['quotes'][0])}" if edge["quotes"] else ""
    return f"{edge['head']} | {edge['predicate']} | {edge['tail']}{mark}  (confidence {edge['confidence']:.2f}, {edge['weight']} places)  {edge['edge_id']}{quote}"


def edge_text(edge: Found) -> str:
    """An edge: its ends, the places it stands on, and what was decided about it and its statements."""
    if edge["status"] == "ambiguous":
        return candidates_text(edge)
    mark = "" if edge["modality"] == "asserted" else f" [{edge['modality']}]"
    lines = [f"{edge['head']} | {edge['predicate']} | {edge['tail']}{mark}  {edge['edge_id']}"]
    lines.append(f"confidence {edge['confidence']:.2f}, {edge['weight']} places:")
    lines += [f"- {place(span)}" for span in edge["spans"]]
    return "\n".join([*map(_wrapped, lines), *_story(edge["decisions"], "")])


def decision_text(found: Found) -> str:
    """A decision: what was decided about what, by which gate, on which inputs, and what followed."""
    if found["status"] == "ambiguous":
        return candidates_text(found)
    decision = found["decision"]
    lines = [f"decision {decision['decision_id']}: gate {decision['gate']}, {decision['act']}, {decision['reason']}"]
    lines += [f"about: {_about(decision, found['element'])}", told(decision).replace("\n  at", "\nat")]
    lines += [f'its quote, which stands nowhere: "{decision["claimed"]}"'] if decision["claimed"] else []
    followed = [f"- {told(one)}" for one in found["followed"]]
    return "\n".join(map(_wrapped, [*lines, *(["then:", *followed] if followed else []), f"in the end: {_end(decision, found['element'])}"]))


def candidates_text(found: Found) -> str:
    """What a name or the beginning of an id may mean."""
    lines = [f"{found['asked']!r} means more than one:"]
    for one in found["candidates"]:
        if "decision_id" in one:
            lines.append(f"- {one['decision_id']}  {told(one).splitlines()[0]}")
        elif "edge_id" in one:
            lines.append(f"- {edge_line(one).splitlines()[0]}")
        else:
            lines.append(f"- {one['name']} ({one['type']}, {one['mentions']} mentions)  {one['entity_id']}")
    return "\n".join(lines)


def _about(decision: Found, element: Found) -> str:
    if decision["element_kind"] == "unit":
        edge = element.get("edge") or element
        ends = (edge.get("head"), edge.get("predicate"), edge.get("tail"))
        return "a statement" + (f", ({', '.join(map(str, ends))})" if all(ends) else "") + f"  {decision['element_id']}"
    if decision["element_kind"] == "edge":
        return f"the edge {edge_line(element).splitlines()[0]}" if "head" in element else f"an edge that is not in the graph, {element['edge_id']}"
    return f"{element['name']} ({element['type']})  {element['entity_id']}" if "name" in element else f"an entity that is not in the graph, {element['entity_id']}"


def _end(decision: Found, element: Found) -> str:
    if decision["element_kind"] != "unit":
        return "it is not in the graph" if element.get("state") == "absent" else "it stands in the graph"
    if element["state"] == "edge":
        return f"it stands in the graph, in the edge {element['edge']['edge_id']}"
    if element["state"] in ("held", "rejected"):
        return f"it is in quarantine, {element['state']} by {element['gate']} ({element['reason']})"
    return "it is no edge: a record keeps its value, or an entity its name"


def _story(decisions: Sequence[Found], about: str) -> list[str]:
    lines = [f"- {told(one, about=about)}  [{one['decision_id'][:12]}]" for one in decisions[:DECISIONS]]
    more = len(decisions) - DECISIONS
    return ["decisions:" if lines else "decisions: none", *map(_wrapped, lines), *([f"- and {more} more"] if more > 0 else [])]


def _listed(name: str, lines: Sequence[str], most: int) -> list[str]:
    more = len(lines) - most
    return [f"{name}:", *(f"- {line}" for line in lines[:most]), *([f"- and {more} more"] if more > 0 else [])] if lines else []


def _wrapped(text: str) -> str:
    return "\n".join(textwrap.fill(line, WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False) for line in text.splitlines())
