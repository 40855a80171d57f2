"""What a scripted chat server says to the prompts of a build and of questions: always the same for the same words, with quotes that stand in them."""

import re
from collections.abc import Callable
from typing import Any

from pagerag_pipeline_tests.scripted_server import Say

_FENCE = re.compile(r"^===== [0-9a-f]{16} =====\n(.*?)\n===== [0-9a-f]{16} =====$", re.DOTALL | re.MULTILINE)
_SENTENCE = re.compile(r"[A-Z][^.!?\n]{8,}?[.!?]")
_NAME = re.compile(r"\b(?!The\b|She\b|They\b|And\b|But\b|What\b|When\b|There\b|This\b|That\b|It\b|His\b|Her\b)[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})?\b")
_LABELED = re.compile(r"^\[(S\d+)\] (.+)$", re.MULTILINE)
_EVIDENCE = re.compile(r"^(E\d+):\n===== [0-9a-f]{16} =====\n(.*?)\n=====", re.DOTALL | re.MULTILINE)
_BEGINNINGS = {
    "profile": "You describe one document",
    "glean": "You read one piece of a document that was read before",
    "extract": "You read one piece of a document and write down",
    "records": "You read one passage of a document",
    "partition": "You part a text into passages",
    "summarize": "You condense consecutive pieces",
    "describe": "You describe one entity",
    "report": "You report on a group of entities",
    "plan": "You plan how one question is resolved",
    "hop": "You answer one small question",
    "rephrase": "You put one part of a question anew",
    "map": "You judge how far reports",
    "record_plan": "You plan how one question is looked up",
    "bridge": "You find what one look-up leads to",
    "route": "You say what kind of search",
    "answer": "You answer one question",
    "grade": "You grade one answer",
    "compare": "You compare two answers",
    "reverse": "You write the questions",
    "statements": "You break an answer",
    "entail": "You judge for each of several statements",
    "useful": "You judge for each of several pieces",
}


def prompt_of(request: dict[str, Any]) -> str:
    """The name of the prompt that a request asks with; the three of extraction are `extract`."""
    said = asked(request)
    return next((name for name, beginning in _BEGINNINGS.items() if said.startswith(beginning)), "")


def asked(request: dict[str, Any]) -> str:
    """The words that a request puts to the model, the first time."""
    return next(str(message["content"]) for message in request["messages"] if message["role"] == "user")


def reply(request: dict[str, Any]) -> Say:
    """What fits the prompt of a request; tokens are counted as a quarter of the characters."""
    said = asked(request)
    content = REPLIES[prompt_of(request)](said)
    usage = {"prompt_tokens": sum(len(str(m["content"])) for m in request["messages"]) // 4, "completion_tokens": len(repr(content)) // 4}
    return Say(content, usage=usage)


def fenced(said: str, title: str) -> str:
    """What stands between the fences below a title."""
    found = _FENCE.search(said, said.index(f"\n{title}\n"))
    return found.group(1) if found else ""


def _profile(said: str) -> dict[str, Any]:
    topics = [{"label": "letters", "weight": 3.0 / 4}, {"label": "trade", "weight": 1.0 / 4}]
    return {"form": "fiction", "form_confidence": 0.9, "mode": "narrative", "mode_confidence": 0.8, "topics": topics, "language": "en", "rationale": "It tells."}


def _pairs(text: str) -> list[tuple[str, str, str]]:
    """Per sentence with two different names, these and the sentence."""
    found = []
    for sentence in _SENTENCE.findall(text):
        names = list(dict.fromkeys(_NAME.findall(sentence)))
        if len(names) > 1:
            found.append((names[0], names[1], sentence))
    return found


def _units(said: str) -> dict[str, Any]:
    units = [
        {
            "kind": "relation", "head": head, "head_type": "PERSON", "predicate": "friend_of", "tail": tail, "tail_type": "PERSON", "modality": "asserted",
            "confidence": 0.9, "quote": quote, "qualifiers": [],
        }
        for head, tail, quote in _pairs(fenced(said, "The piece:"))
    ]  # fmt: skip
    return {"units": units}


def _records(said: str) -> dict[str, Any]:
    records = [
        {
            "entity": head, "entity_type": "PERSON", "category": "relation", "field": "friend_of", "value": tail, "value_is_entity": True,
            "modality": "asserted", "qualifiers": [], "quote": quote,
        }
        for head, tail, quote in _pairs(fenced(said, "The passage:"))
    ]  # fmt: skip
    return {"records": records}


def _partition(said: str) -> dict[str, Any]:
    count = len(re.findall(r"^\[\d+\] ", fenced(said, "The blocks:"), re.MULTILINE))
    return {"segments": [{"first": i, "last": min(i + 2, count - 1), "entity": "", "entity_type": "other"} for i in range(0, count, 3)]}


def _summary(said: str) -> dict[str, Any]:
    firsts = [_LABELED.search(piece) for piece in _FENCE.findall(said)]
    return {"statements": [{"text": found.group(2), "labels": [found.group(1)]} for found in firsts if found]}


def _description(said: str) -> dict[str, Any]:
    return {"statements": [{"text": text, "labels": [label]} for label, text in _EVIDENCE.findall(said)[:2]]}


def _report(said: str) -> dict[str, Any]:
    evidence = _EVIDENCE.findall(said)[:3]
    return {"title": "A group", "statements": [{"text": text, "labels": [label]} for label, text in evidence], "topics": ["letters"]}


def _plan(said: str) -> dict[str, Any]:
    """Two hops, one behind the other: the question itself, then once more with what was found."""
    question = fenced(said, "The question:")
    hops = [
        {"hop_id": "1-1", "sub_query": question, "dependencies": [], "scope": "specific", "stands_for": ""},
        {"hop_id": "1-2", "sub_query": f"What of <1-1>: {question}", "dependencies": ["1-1"], "scope": "specific", "stands_for": ""},
    ]
    final = [{"final_query": question, "dependencies": ["1-2"], "scope": "specific"}]
    return {"path": {"sequences": [{"sequence_id": "1", "hop": hops}], "final_query": final}}


def _hop(said: str) -> dict[str, Any]:
    """The first name of the first piece that has one."""
    found = [(label, name.group()) for label, text in _EVIDENCE.findall(said) if (name := _NAME.search(text))]
    return {"known": bool(found), "answer": found[0][1] if found else "", "labels": [found[0][0]] if found else []}


def _answer(said: str) -> dict[str, Any]:
    """The first sentence of the first piece that has one."""
    found = [(label, sentence.group()) for label, text in _EVIDENCE.findall(said) if (sentence := _SENTENCE.search(text))]
    claims = [{"text": text, "labels": [label]} for label, text in found[:1]]
    return {"sufficient": bool(claims), "missing": [], "answer": claims[0]["text"] if claims else "", "claims": claims}


def _record_plan(said: str) -> dict[str, Any]:
    """A look-up of each name of the question, the last one with a bridge to what it leads to."""
    names = [name for name in dict.fromkeys(_NAME.findall(fenced(said, "The question:")))] or fenced(said, "The question:").split()[-1:]
    plain = {"purpose": "", "entity": "", "type": "", "field": "", "value": "", "depends_on": [], "bridge": False}
    hops = [{**plain, "number": number, "entity": name, "bridge": number == len(names)} for number, name in enumerate(names, start=1)]
    hops.append({**plain, "number": len(names) + 1, "purpose": fenced(said, "The question:"), "depends_on": [len(names)]})
    bounds = {"having": [], "conditions": [], "period": "", "measure": "", "highest": True}
    return {"target": "value", "reasoning": "multi_hop", "reach": "point", "hops": hops, **bounds}


def _grade(said: str) -> dict[str, Any]:
    """Correct when a reference stands in the answer word for word."""
    references = [line.removeprefix("- ") for line in fenced(said, "The reference answers, each a line:").splitlines()]
    answer = fenced(said, "The answer to grade:")
    return {"why": "They were compared.", "verdict": "correct" if any(one in answer for one in references) else "wrong"}


def _compare(said: str) -> dict[str, Any]:
    """The longer answer wins in everything; equally long ones tie."""
    first, second = (len(fenced(said, f"Answer {number}:")) for number in (1, 2))
    winner = "1" if first > second else "2" if second > first else "tie"
    names = re.findall(r"^- (\w+):", said[: said.index("Rules:")], re.MULTILINE)
    return {"verdicts": [{"dimension": name, "why": "It is longer.", "winner": winner} for name in names]}


def _entail(said: str) -> dict[str, Any]:
    """A statement is said when the evidence holds it word for word."""
    evidence, statements = said.split("The statements, each after its number:")
    numbered = re.findall(r"^(\d+)\. (.+)$", statements, re.MULTILINE)
    return {"verdicts": [{"number": int(number), "said": text in evidence} for number, text in numbered]}


def _useful(said: str) -> dict[str, Any]:
    return {"verdicts": [{"label": label, "useful": True} for label in re.findall(r"^(C\d+):$", said, re.MULTILINE)]}


REPLIES: dict[str, Callable[[str], dict[str, Any]]] = {
    "profile": _profile,
    "extract": _units,
    "glean": lambda said: {"units": []},
    "records": _records,
    "partition": _partition,
    "summarize": _summary,
    "describe": _description,
    "report": _report,
    "plan": _plan,
    "hop": _hop,
    "rephrase": lambda said: {"part": fenced(said, "The part:")},
    "map": lambda said: {"scores": [{"label": "R1", "score": 60}]},
    "answer": _answer,
    "record_plan": _record_plan,
    "bridge": lambda said: {"values": []},
    "route": lambda said: {"scope": "local", "path": False},
    "grade": _grade,
    "compare": _compare,
    "reverse": lambda said: {"questions": [f"What of {fenced(said, 'The answer:')}?"] * 3, "evasive": False},
    "statements": lambda said: {"statements": [fenced(said, "The answer:")]},
    "entail": _entail,
    "useful": _useful,
}
