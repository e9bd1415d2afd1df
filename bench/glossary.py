"""A glossary of any size, made up from a list of words, with a life over several releases.

The same size gives the same text, always. Between two releases a few terms are added, a few removed, and one in
twenty is reworded, which is more than most real glossaries change.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random

QUALITIES = """
adaptive ambient atomic balanced bounded bridged broad buffered cached causal central chained circular clustered cold
coarse common compact composite concurrent conditional constant cyclic deferred dense derived direct distant
distributed dormant durable dynamic eager elastic embedded empty exact explicit external fallible fine finite fixed
floating foreign frozen global greedy guarded hidden hollow hybrid idle implicit indexed indirect inner isolated
joint late latent layered lazy lean linear linked local logical loose managed marked mirrored mixed mobile modular
mutable narrow native nested neutral nominal opaque open ordered outer parallel partial passive pinned planar plural
private proper public pure quiet random rare raw ready remote resident reverse rigid rolling scoped sealed secondary
serial shallow shared signed silent simple slow sparse stable static steady strict strong symbolic tagged tight timed
total transient typed uniform unique upper urgent vague virtual visible volatile weak weighted whole wide
""".split()
THINGS = """
account adapter agent alias anchor archive array barrier batch beacon block border branch bridge broker bucket buffer
bundle cable cache cell chain channel chart circuit clause clock cluster column command constant contract counter
cursor cycle dataset delta device digest domain edge element engine entry envelope epoch event factor fence field
filter flag flow fork frame gate gauge graph grid group handle hash header index instance job journal kernel key label
lane lattice layer lease ledger lens level limit link list lock loop manifest map marker mask matrix member message
meter method mirror module monitor mount name network node number object offset operand order origin outline output
packet page pair panel parcel path pattern payload peer period phase pipe pivot plan plate point policy pool port
process profile proxy pulse query queue quota range rank rate record region register relay replica request reserve
result ring role root route row rule sample scale schedule schema scope sector segment sequence series session shard
signal slice slot snapshot socket source span spool stack stage state step store stream string switch symbol table
tag target task tensor term thread ticket tile timer token topic trace track tree trigger tunnel type unit value vault
vector version view volume wait window word worker wrapper zone
""".split()
DEEDS = """
accepts bounds carries checks collects copies covers delays describes divides drops enters extends feeds fills follows
gathers guards hides holds joins keeps leads limits links locates marks matches measures merges mirrors moves names
opens orders owns passes pauses places points precedes prepares protects publishes reads records refines releases
repeats replaces reserves restores returns reuses routes samples scales seals selects sends separates shares signs
sorts splits starts stores tracks transforms turns unlocks updates validates waits wraps writes
""".split()
WHENS = """
after a restart|as long as nobody else asks|at the end of every cycle|before the first request|by default
|for the length of a session|from one release to the next|in the order in which they arrive|on demand|once per process
|only while it is idle|unless told otherwise|when memory is short|without waiting for an answer|within the same zone
""".replace("\n", "").split("|")


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    name: str
    sentences: tuple[str, ...]
    related: str


Glossary = tuple[Term, ...]


def releases(terms: int, *, count: int) -> Iterator[tuple[str, Glossary]]:
    """Yields the name and the terms of each release, oldest first; the last has about as many terms as asked for."""
    random = Random(terms)  # noqa: S311  (nothing here is secret)
    names = _names(random, terms * 2)
    glossary = tuple(_term(name, names[:terms], random) for name in names[: int(terms * 0.8)])
    fresh = iter(names[len(glossary) :])
    yield "1.0", glossary
    for number in range(1, count):
        new = (_term(name, names[:terms], random) for name in itertools.islice(fresh, int(terms * 0.03)))
        glossary = (*(_next(term, random) for term in glossary if random.random() > 0.008), *new)
        yield f"1.{number}", glossary


def _names(random: Random, count: int) -> list[str]:
    pairs = [f"{quality} {thing}" for quality in QUALITIES for thing in THINGS]
    random.shuffle(pairs)
    return [*THINGS, *pairs][:count]


def _term(name: str, others: list[str], random: Random) -> Term:
    sentences = tuple(_sentence(random) for _ in range(random.randint(1, 4)))
    return Term(name=name, sentences=sentences, related=random.choice(others))


def _sentence(random: Random) -> str:
    quality, thing, other = random.choice(QUALITIES), random.choice(THINGS), random.choice(THINGS)
    article = "An" if quality[0] in "aeiou" else "A"
    return f"{article} {quality} {thing} that {random.choice(DEEDS)} its {other} and {_rest(random)}."


def _rest(random: Random) -> str:
    return f"{random.choice(DEEDS)} the {random.choice(QUALITIES)} {random.choice(THINGS)} {random.choice(WHENS)}"


def _next(term: Term, random: Random) -> Term:
    """A term as the next release has it: mostly the same."""
    if random.random() > 0.05:
        return term
    place = random.randrange(len(term.sentences))
    return replace(term, sentences=(*term.sentences[:place], _sentence(random), *term.sentences[place + 1 :]))


def markdown(glossary: Glossary) -> str:
    parts = (f"## {term.name}\n\n{' '.join(term.sentences)} See also `{term.related}`.\n" for term in glossary)
    return "# Glossary\n\n" + "\n".join(parts)


def sphinx(glossary: Glossary) -> str:
    parts = (
        f"   {term.name}\n      {' '.join(term.sentences)} See also :term:`{term.related}`.\n" for term in glossary
    )
    return "Glossary\n========\n\n.. glossary::\n\n" + "\n".join(parts)


FORMATS: dict[str, tuple[str, Callable[[Glossary], str]]] = {
    "markdown": ("GLOSSARY.md", markdown),
    "sphinx": ("glossary.rst", sphinx),
}
