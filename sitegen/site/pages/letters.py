"""Terms grouped by letter, and the addresses of pages for single letters of a long list.

The published page of a letter is kept if the list becomes short, or the letter has no terms any more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import repeat

from markupsafe import Markup, escape

from sitegen.addresses.ledger import Ledger, of_kind
from sitegen.model.terms import Life
from sitegen.text.collation import DIGITS, OTHER, alphabet, letter, order

SPELLED = {DIGITS: "digits", OTHER: "other"}
"""The names of these two headings in addresses. Letters outside a–z are written as Unicode code points."""


def letter_of(life: Life, language: str) -> str:
    return letter(life.name, language)


def used(lives: Iterable[Life], language: str) -> set[str]:
    """Returns the letters that have terms."""
    return {*map(letter, [life.name for life in lives], repeat(language))}


def by_letter(lives: Iterable[Life], language: str) -> Mapping[str, tuple[Life, ...]]:
    """Returns terms in alphabetical order, by letter."""
    gathered: dict[str, list[Life]] = {}
    for life in sorted(lives, key=lambda life: (order(life.name, language), life.key)):
        gathered.setdefault(letter_of(life, language), []).append(life)
    return {label: tuple(gathered[label]) for label in in_order(gathered, language)}


def in_order(labels: Iterable[str], language: str) -> tuple[str, ...]:
    """Returns letters in the order of the language, then digits, then other signs."""
    last = (DIGITS, OTHER)
    letters = sorted({*labels} - {*last}, key=lambda label: order(label, language))
    return (*letters, *(label for label in last if label in {*labels}))


def row(labels: Iterable[str], language: str, *, leads_to: Callable[[str], str]) -> Markup:
    """Returns the alphabet and all other letters in use, as items of a list; letters with terms are links."""
    labels = {*labels}
    shown = in_order({*alphabet(language), *labels, DIGITS, OTHER}, language)
    items = [
        f'<a href="{escape(leads_to(label))}">{escape(label)}</a>'
        if label in labels
        else f"<span>{escape(label)}</span>"
        for label in shown
    ]
    return Markup("".join([f"<li>{item}</li>\n" for item in items]))  # noqa: S704


def current_letter(row: Markup, href: str) -> Markup:
    """Returns a row in which the link `href` is marked as the current page."""
    link = f'href="{escape(href)}"'
    return Markup(str.replace(row, link, f'{link} aria-current="page"'))  # noqa: S704


def anchor(label: str) -> str:
    """Returns the id of a letter's place in a list."""
    return f"letter-{part(label)}"


def part(label: str) -> str:
    """Returns the part of an address that names a letter."""
    if label.isalpha() and label.lower().upper() == label:
        return label.lower()
    return SPELLED.get(label) or "-".join(f"{ord(sign):x}" for sign in label)


def _label(part: str) -> str:
    """Returns the letter that a part of an address names."""
    if part.isalpha() and part not in SPELLED.values():
        return part.upper()
    spelled = {name: label for label, name in SPELLED.items()}
    return spelled.get(part) or "".join(chr(int(code, 16)) for code in part.split("-"))


def split(labels: Iterable[str], language: str, *, list_: str, is_long: bool, ledger: Ledger) -> tuple[str, ...]:
    """Returns the letters with pages of their own: all letters of a long list, and those with a published page."""
    published = (_label(address) for address in _published(list_, ledger))
    return in_order((*(labels if is_long else ()), *published), language)


def _published(list_: str, ledger: Ledger) -> Iterator[str]:
    for row in of_kind(ledger, "page"):
        if row.address.startswith(f"/{list_}") and row.address != f"/{list_}":
            yield row.address.removeprefix(f"/{list_}").removesuffix("/")


def page(list_: str, label: str) -> str:
    """Returns the address of a letter's page of a list."""
    return f"{list_}{part(label)}/"
