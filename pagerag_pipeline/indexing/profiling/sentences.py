"""What the sentences of a text do: tell what happened, say what is, claim; read off the first finite verb of each, without a model."""

import re
from collections import Counter
from collections.abc import Sequence

KINDS = ("told", "done", "stood", "is", "holds", "may", "since", "bare")
"""Kinds of a sentence by its first finite verb: `told` a past act (went), `done` a past passive (was built), `stood` a past state (was tall),
`is` a present copula, `holds` another present verb, `plots` one by which plots are retold, `may` a modal, `since` a perfect (has been), `bare` none found, as in lists."""

_SIGNS = ("timed", "asks", "claims", "people", "reader")
_STOP = re.compile(r"(?<=[.!?;])[\"'’”)\]]*\s+|\n\s*\n|\n(?=[*•-] )")
_WORD = re.compile(r"[^\W\d_]+(?:'[a-z]+)?")
_YEAR = re.compile(r"\b(?:1[0-9]\d\d|20[0-4]\d)\b")
_DATE = re.compile(
    r"\b(?:1[0-9]\d\d|20[0-4]\d|(?:January|February|March|April|May|June|July|August|September|October|November|December)\s\d|\d\d?(?:st|nd|rd|th) century)\b"
)
_PAST = frozenset(
    "ate arose awoke beat became began bent bet bit blew bought bound bred broke brought built burnt came cast caught chose clung cost crept cut dealt did died "
    "drank drew dreamt drove dug fed fell felt fled flew flung forbade forgot forgave fought found froze gave got grew ground hid hit hung hurt kept knelt knew "
    "laid lay leapt led left lent lit lost made meant met overcame overtook paid rang ran read rebuilt rode rose said sang sank sat saw sent set shone shook shot "
    "shut slept slid sold sought spent spoke spread sprang stole stood strode struck stuck swam swept swore swung taught thought threw told took tore undertook "
    "understood underwent upheld wept went withdrew woke wore won wound wove wrote".split()
)
_PARTICIPLES = _PAST | frozenset(
    "born beaten begun bitten blown broken chosen done drawn driven drunk eaten fallen flown forgotten forgiven frozen given gone grown hidden known proven ridden "
    "risen seen shaken shown slain spoken stolen struck sung sunk sworn taken thrown torn withdrawn woken won worn woven written".split()
)
_STATIVE = frozenset(
    "known called named used considered located based composed situated made related associated characterized surrounded bordered described defined divided derived "
    "regarded supposed expected required allowed needed intended designed interested involved tired pleased married".split()
)
_NOT_PAST = frozenset("need indeed feed seed speed breed exceed proceed succeed bed hundred united red sacred naked wicked kindred used based aged related so-called".split())
_MODAL = frozenset("can could may might must shall should will would cannot can't couldn't won't wouldn't shouldn't mustn't ought".split())
_BE = frozenset("is are am isn't aren't it's that's there's he's she's i'm you're we're they're".split())
_WAS = frozenset("was were wasn't weren't".split())
_HAVE = frozenset("has have hasn't haven't i've we've you've they've".split())
_HAD = frozenset("had hadn't".split())
_HOLDS = frozenset(
    "do does don't doesn't contain contains include includes refer refers describe describes consist consists mean means say says go goes become becomes make makes "
    "give gives lie lies stand stands feature features star stars use uses provide provides allow allows require requires need needs occur occurs exist exists "
    "live lives serve serves run runs flow flows rise rises lead leads follow follows depend depends involve involves represent represents apply applies help helps "
    "support supports show shows suggest suggests differ differs belong belongs remain remains vary varies produce produces cause causes form forms cover covers "
    "think believe want know see find get take takes comes come keep keeps hold holds offer offers seem seems appear appears tend tends agree agrees argue argues "
    "propose present introduce study investigate discuss compare evaluate apply obtain report consider".split()
)
_PLOT = frozenset(
    "returns tells takes finds decides goes comes asks sees gets meets kills leaves reveals discovers learns tries begins realizes agrees explains manages escapes "
    "arrives falls marries attempts refuses dies gives confronts confesses befriends flees follows saves attacks catches convinces overhears kisses wakes walks "
    "watches turns runs calls plans steals hides shoots chases rescues captures warns admits breaks proposes visits hires joins becomes loves wants believes "
    "questions blames shifts depart departs introduces forces sends brings keeps looks feels hopes dreams fights defeats destroys apologizes threatens promises "
    "recalls remembers notices enters stops starts moves".split()
)
"""Verbs by which a plot is retold in the present tense."""
_BETWEEN = frozenset(
    "not also then later first originally soon never always often usually now still again once thus only just all both commonly generally officially formally "
    "initially finally eventually subsequently previously first about being been to".split()
)
_TURN = frozenset("he she they his her their him them who himself herself themselves".split())
_READER = frozenset("you your yours i my me".split())
_REASON = frozenset(
    "because therefore thus hence however although though unless whether if should ought must cannot never surely perhaps indeed rather better worse best worst right "
    "wrong important good bad reason reasons why think believe argue claim true false need worth".split()
)


_VERBS = {
    **dict.fromkeys(_HOLDS, "holds"),
    **dict.fromkeys(_PLOT - _HOLDS, "plots"),
    **dict.fromkeys(_PAST, "told"),
    **dict.fromkeys(_MODAL, "may"),
    **dict.fromkeys(_HAVE, "since"),
    **dict.fromkeys(_HAD, "told"),
    **dict.fromkeys(_BE, "is"),
    **dict.fromkeys(_WAS, "stood"),
}
_DEEDS = frozenset(("told", "done", "plots"))
_WEAK = frozenset(("told", "holds", "plots"))
"""Kinds whose words may be nouns, adjectives or participles, at the start of a sentence or before `by`."""


def read_sentences(text: str) -> dict[str, float]:
    """Percent of the sentences of an English text that are of each kind, and that are dated, ask, claim, have people, or speak to a reader.

    `acts` is the percent of past acts among all verbs that are read, `plots` that of the verbs of plots; `deeds` is the percent of sentences whose first
    verb tells an act, past or of a plot, `runs` that of neighbors that both do; `chronicle` is the percent of steps between years named one after another
    that go forward in time. Each is 0 where there is nothing to count.
    """
    sentences = [part for part in _STOP.split(text) if part and len(part) > 2]
    kinds: Counter[str] = Counter()
    verbs: Counter[str] = Counter()
    deeds: list[bool] = []
    for sentence in sentences:
        words = _WORD.findall(sentence.lower().replace("’", "'"))
        known = frozenset(words)
        found = _verbs(words)
        verbs.update(found)
        kinds[found[0] if found else "bare"] += 1
        deeds.append(bool(found) and found[0] in _DEEDS)
        kinds["timed"] += _DATE.search(sentence) is not None
        kinds["asks"] += "?" in sentence
        kinds["claims"] += not known.isdisjoint(_REASON)
        kinds["people"] += not known.isdisjoint(_TURN)
        kinds["reader"] += not known.isdisjoint(_READER)
    shares = {name: 100 * kinds[name] / max(1, len(sentences)) for name in (*KINDS, *_SIGNS)}
    read = max(1, verbs.total())
    shares |= {"deeds": 100 * sum(deeds) / max(1, len(deeds)), "runs": _runs(deeds)}
    return shares | {"acts": 100 * (verbs["told"] + verbs["done"]) / read, "plots": 100 * verbs["plots"] / read, "chronicle": _chronicle(text)}


def guess_sentences(past: float) -> dict[str, float]:
    """The same figures for a text in a language whose verbs are not read one by one, from its percent of past among its verbs."""
    unread = dict.fromkeys((*KINDS, *_SIGNS, "plots", "chronicle"), 0.0)
    return unread | {"deeds": past / 2, "runs": past * past / 400, "told": past / 2, "acts": past / 2, "people": past / 2, "stood": past / 4, "is": (100 - past) / 2}


def _verbs(words: Sequence[str]) -> list[str]:
    """Kinds of the finite verbs of a sentence, in order; a verb after an auxiliary is not read again."""
    found = []
    free = 0
    for at, word in enumerate(words):
        kind = _VERBS.get(word) or ("told" if word.endswith("ed") and len(word) > 4 and word not in _NOT_PAST else "")
        if not kind or at < free:
            continue
        if kind in _WEAK and word not in _HAD and (not at or (at + 1 < len(words) and words[at + 1] == "by")):
            continue
        found.append("done" if kind == "stood" and _participle(words, at) else kind)
        if kind not in _WEAK or word in _HAD:
            free = at + 4
    return found


def _participle(words: Sequence[str], at: int) -> bool:
    for word in words[at + 1 : at + 5]:
        if word in _BETWEEN or word.endswith("ly"):
            continue
        return word not in _STATIVE and (word in _PARTICIPLES or (word.endswith("ed") and len(word) > 4))
    return False


def _runs(deeds: Sequence[bool]) -> float:
    pairs = list(zip(deeds, deeds[1:], strict=False)) or [(deed, deed) for deed in deeds]
    return 100 * sum(a and b for a, b in pairs) / max(1, len(pairs))


def _chronicle(text: str) -> float:
    years = [int(year) for year in _YEAR.findall(text)]
    steps = [b - a for a, b in zip(years, years[1:], strict=False) if a != b]
    return 100 * sum(step > 0 for step in steps) / len(steps) if steps else 0.0
