"""Pages that list terms: A–Z with its letters, and one page for each section."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from sitegen import urls
from sitegen.model import Life
from sitegen.pages.page import Desk, Page, Pen
from sitegen.pages.status import Badge, Standing
from sitegen.site import Site
from sitegen.wording import plain

ALPHABET = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
DIGITS = "0–9"
OTHER = "#"
SPELLED = {DIGITS: "digits", OTHER: "other"}
"""What the ids of these two are called; those of other letters are called by their numbers in Unicode."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A term as a line of a list."""

    address: str
    name: str
    also: Markup
    """Its other names, as a sentence; empty where it has none."""
    summary: str
    """Its first sentence, or of what it is a synonym."""
    badge: Badge
    removed: Markup
    """When it was removed, as words."""
    anchors: tuple[str, ...] = ()
    """Ids by which Sphinx once linked to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    label: str
    anchor: str
    """Empty where no term begins with it: such a letter is no link."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bucket:
    letter: Letter
    items: tuple[Item, ...]


def a_to_z(desk: Desk) -> Page:
    """Returns the page that lists every term."""
    pen = Pen(desk, urls.root(urls.A_TO_Z))
    anchors = _by_term(desk.site.sphinx_ids)
    buckets = _buckets(desk.current)
    return Page(
        address=urls.A_TO_Z,
        template="pages/a-z.html",
        title=pen.say("a-z.title"),
        description=plain(pen.say("a-z.description", len(desk.current), site=desk.site.title)),
        context={
            "letters": letters(desk.site),
            "buckets": tuple(
                Bucket(
                    letter=_letter(label), items=tuple(_item(life, anchors.get(life.key, ()), pen) for life in lives)
                )
                for label, lives in buckets.items()
            ),
            "removed": tuple(_item(life, anchors.get(life.key, ()), pen) for life in desk.removed),
        },
    )


def letters(site: Site) -> tuple[Letter, ...]:
    """Returns the alphabet, then other letters that terms begin with, digits and the rest."""
    used = _buckets(life for life in site.lives if life.status != "removed")
    shown = dict.fromkeys((*ALPHABET, *(label for label in used if label not in (DIGITS, OTHER)), DIGITS, OTHER))
    return tuple(_letter(label) if label in used else Letter(label=label, anchor="") for label in shown)


def sections(desk: Desk) -> Iterator[Page]:
    """Gives a page for each section that terms stand in, or once stood in."""
    pen = Pen(desk, urls.root(urls.section("any")))
    for section in desk.site.sections.values():
        yield _section(section.heading, section.lives, pen)
    for heading in desk.site.former_sections:
        yield _section(heading, (), pen)


def _section(heading: str, lives: tuple[Life, ...], pen: Pen) -> Page:
    sentence = pen.say("section.terms", len(lives)) if lives else pen.say("kept.section")
    return Page(
        address=urls.section(heading),
        template="pages/section.html",
        title=heading,
        description=plain(sentence),
        context={
            "heading": heading,
            "sentence": sentence,
            "items": tuple(_item(life, (), pen) for life in lives),
        },
    )


def _letter(label: str) -> Letter:
    if label in ALPHABET:
        return Letter(label=label, anchor=f"letter-{label.lower()}")
    code = "-".join(f"{ord(sign):x}" for sign in label)
    return Letter(label=label, anchor=f"letter-{SPELLED.get(label, code)}")


def _buckets(lives: Iterable[Life]) -> dict[str, list[Life]]:
    """Terms by first letter, in the order in which the letters are shown."""
    gathered: dict[str, list[Life]] = {}
    for life in sorted(lives, key=_collation):
        gathered.setdefault(_bucket(life.name), []).append(life)
    order = {label: number for number, label in enumerate((*ALPHABET, *sorted(gathered.keys() - {DIGITS, OTHER})))}
    return dict(sorted(gathered.items(), key=lambda pair: order.get(pair[0], len(order) + (pair[0] == OTHER))))


def _collation(life: Life) -> tuple[str, str, str]:
    """English order: letters before their accents and cases, signs in front of a word left out."""
    bare = _bare(life.name)
    return ("".join(sign for sign in bare if sign.isalnum() or sign == " ").strip(), bare, life.key)


def _bucket(name: str) -> str:
    bare = _bare(name).lstrip()
    first = bare[0] if bare else ""
    if first.isdecimal():
        return DIGITS
    return first.upper()[:1] if first.isalpha() else OTHER


def _bare(name: str) -> str:
    """A name in small letters without their marks."""
    decomposed = unicodedata.normalize("NFKD", name.casefold())
    return "".join(sign for sign in decomposed if not unicodedata.combining(sign))


def _by_term(anchors: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
    """Term key to the ids that lead to it."""
    found: dict[str, list[str]] = defaultdict(list)
    for anchor, key in anchors.items():
        found[key].append(anchor)
    return {key: tuple(sorted(ids)) for key, ids in found.items()}


def _item(life: Life, anchors: tuple[str, ...], pen: Pen) -> Item:
    standing = Standing(life)
    others = pen.listed(designation.text for designation in life.names[1:])
    gone = standing.last("removed", "merged") if life.status == "removed" else None
    return Item(
        address=pen.desk.address(life.key),
        name=life.name,
        also=pen.say("a-z.also", names=others) if others else Markup(),
        summary=_summary(life, pen),
        badge=standing.badge,
        removed=pen.say("a-z.removed-in", release=pen.version(gone.release)) if gone else Markup(),
        anchors=anchors,
    )


def _summary(life: Life, pen: Pen) -> str:
    if life.synonym_of:
        return pen.say("a-z.same-as", term=pen.term(life.synonym_of))
    return pen.desk.summary(life.entry)
