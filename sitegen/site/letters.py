"""Terms grouped by letter, and the pages for single letters of a long list: A–Z, the terms of a
release.

The published page of a letter is kept if the list becomes short, or the letter has no terms any
more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain

from markupsafe import Markup, escape

from sitegen.addresses import urls
from sitegen.model import Entry, grouped
from sitegen.model.terms import Life
from sitegen.text.collation import DIGITS, OTHER, Order, alphabet, letter, order

_PART_OF_HEADING = {DIGITS: "digits", OTHER: "other"}
"""The parts of addresses that name the headings of digits and of other signs."""
_HEADING_OF_PART = {part: label for label, part in _PART_OF_HEADING.items()}


def by_letter(lives: Iterable[Life], language: str) -> Mapping[str, tuple[Life, ...]]:
    """Returns each letter with its terms. Letters and terms are in alphabetical order."""
    alphabetical = sorted(lives, key=lambda life: (sort_key(life.entry, language), life.key))
    lives_of_letter = grouped((initial(life.entry, language), life) for life in alphabetical)
    return {label: lives_of_letter[label] for label in in_order(lives_of_letter, language)}


def listed(lives: Iterable[Life], language: str) -> tuple[Life, ...]:
    """Returns terms in the order of A–Z."""
    return tuple(chain.from_iterable(by_letter(lives, language).values()))


def initial(entry: Entry, language: str) -> str:
    """Returns the letter under which an entry is listed."""
    return letter(entry.text.sorted_name, language)


def sort_key(entry: Entry, language: str) -> tuple[Order, Order]:
    """Returns the key by which lists sort an entry: the sort key that its document gives, else its
    name. Entries with equal keys are sorted by name."""
    return order(entry.text.sorted_name, language), order(entry.name, language)


def in_order(labels: Iterable[str], language: str) -> tuple[str, ...]:
    """Returns the letters in the order of the language, each once, then the headings of digits and
    of other signs."""
    unique_labels = {*labels}
    letters = unique_labels - {DIGITS, OTHER}
    sorted_letters = sorted(letters, key=lambda label: order(label, language))
    last_headings = [heading for heading in (DIGITS, OTHER) if heading in unique_labels]
    return (*sorted_letters, *last_headings)


def label_in(part: str) -> str:
    """Returns the letter that a part of an address names.

    >>> label_in("a"), label_in("43-68"), label_in("digits")
    ('A', 'Ch', '0–9')
    """
    if part in _HEADING_OF_PART:
        return _HEADING_OF_PART[part]
    if part.isalpha():
        return part.upper()
    # The part of other labels is the numbers of their characters, see `_part`.
    return "".join(chr(int(code, 16)) for code in part.split("-"))


def _part(label: str) -> str:
    """Returns the part of an address that names a letter.

    >>> _part("A"), _part("Ch"), _part("0–9")
    ('a', '43-68', 'digits')
    """
    # `label_in` reads "ch" as "CH", so "Ch" cannot be written in lower case.
    keeps_its_case = label.lower().upper() == label
    if label.isalpha() and keeps_its_case:
        return label.lower()
    if label in _PART_OF_HEADING:
        return _PART_OF_HEADING[label]
    return "-".join(f"{ord(sign):x}" for sign in label)


def anchor(label: str) -> str:
    """Returns the id of a letter's place in a list."""
    return f"letter-{_part(label)}"


def page(list_: str, label: str) -> str:
    """Returns the address of the page of a letter, below the address of its list."""
    return f"{list_}{_part(label)}/"


def links_to_a_to_z(lives: Iterable[Life], language: str, *, root: str) -> Markup:
    """Returns the letters of these terms as links into A–Z, from a page with this `root`."""
    list_ = urls.link(urls.A_TO_Z, root)
    labels = {initial(life.entry, language) for life in lives}
    return _row({label: f"{list_}#{anchor(label)}" for label in labels}, language)


def links_within(labels: Iterable[str], language: str) -> Markup:
    """Returns letters as links to their places on the same page."""
    return _row({label: f"#{anchor(label)}" for label in labels}, language)


def links_to_pages(
    list_: str, labels: Iterable[str], language: str, *, page_address: str
) -> Markup:
    """Returns the letters as links to their pages. `list_` is the address of the list, and
    `page_address` that of the page with the links: a link to this page is marked as current."""
    root = urls.root(page_address)
    hrefs = {label: urls.link(page(list_, label), root) for label in labels}
    return _row(hrefs, language, own_href=urls.link(page_address, root))


def _row(hrefs: Mapping[str, str], language: str, *, own_href: str = "") -> Markup:
    """Returns a row of letters as items of an HTML list. The letters of `hrefs` are links. If most
    letters of the alphabet are links, the others are text; if not, as in Chinese or in a small
    glossary, the row has only the links.
    """
    labels = {*hrefs}
    linked_letters = labels.intersection(alphabet(language))
    if len(linked_letters) > len(alphabet(language)) / 2:
        labels.update(alphabet(language))

    items = []
    for label in in_order(labels, language):
        element = f"<span>{escape(label)}</span>"
        if label in hrefs:
            current = ' aria-current="page"' if hrefs[label] == own_href else ""
            element = f'<a href="{escape(hrefs[label])}"{current}>{escape(label)}</a>'
        items.append(f"<li>{element}</li>\n")
    return Markup("".join(items))  # noqa: S704
