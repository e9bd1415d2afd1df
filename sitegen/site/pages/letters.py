"""Terms grouped by letter, and the pages for single letters of a long list: A–Z, the terms of a
release.

The published page of a letter is kept if the list becomes short, or the letter has no terms any
more.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain

from markupsafe import Markup, escape

from sitegen.addresses import urls
from sitegen.model import Entry, grouped
from sitegen.model.terms import Life
from sitegen.site.site import Site
from sitegen.text.collation import DIGITS, OTHER, Order, alphabet, letter, order

MANY_TERMS = 1_000
"""If there are more terms, each letter has its own page of A–Z."""

_SPELLED = {DIGITS: "digits", OTHER: "other"}
"""The names of these two headings in addresses; `_part` gives those of letters."""
_LABELS = {name: label for label, name in _SPELLED.items()}


def by_letter(lives: Iterable[Life], language: str) -> Mapping[str, tuple[Life, ...]]:
    """Returns terms in alphabetical order, by letter."""
    alphabetical = sorted(lives, key=lambda life: (sort_key(life.entry, language), life.key))
    lives_of = grouped((initial(life.entry, language), life) for life in alphabetical)
    return {label: lives_of[label] for label in in_order(lives_of, language)}


def listed(lives: Iterable[Life], language: str) -> tuple[Life, ...]:
    """Returns terms in the order of A–Z."""
    return tuple(chain.from_iterable(by_letter(lives, language).values()))


def initial(entry: Entry, language: str) -> str:
    """Returns the letter under which an entry is listed."""
    return letter(entry.text.sorted_name, language)


def sort_key(entry: Entry, language: str) -> tuple[Order, Order]:
    """Returns the sort key of an entry in lists: by its sort key, then by its name."""
    return order(entry.text.sorted_name, language), order(entry.name, language)


def in_order(labels: Iterable[str], language: str) -> tuple[str, ...]:
    """Returns letters in the order of the language, then digits, then other signs."""
    last = (DIGITS, OTHER)
    used = {*labels}
    letters = sorted(used.difference(last), key=lambda label: order(label, language))
    return (*letters, *[label for label in last if label in used])


def pages_of_a_to_z(site: Site) -> tuple[str, ...]:
    """Returns the letters that have a page of their own in A–Z: if there are many terms, all
    initials, and letters whose page was published."""
    labels = set()
    if len(site.lives) > MANY_TERMS:
        labels.update([initial(life.entry, site.language) for life in site.lives])
    for address in site.addresses.archive.by_address:
        folder, _, part = address.removesuffix("/").rpartition("/")
        if f"{folder}/" == urls.A_TO_Z:
            labels.add(_label(part))
    return in_order(labels, site.language)


def _label(part: str) -> str:
    """Returns the letter that a part of an address names.

    >>> _label("a"), _label("43-68"), _label("digits")
    ('A', 'Ch', '0–9')
    """
    if part in _LABELS:
        return _LABELS[part]
    if part.isalpha():
        return part.upper()
    return "".join(chr(int(code, 16)) for code in part.split("-"))


def _part(label: str) -> str:
    """Returns the part of an address that names a letter.

    >>> _part("A"), _part("Ch"), _part("0–9")
    ('a', '43-68', 'digits')
    """
    if label.isalpha() and label.lower().upper() == label:
        return label.lower()
    return _SPELLED.get(label) or "-".join(f"{ord(sign):x}" for sign in label)


def anchor(label: str) -> str:
    """Returns the id of a letter's place in a list."""
    return f"letter-{_part(label)}"


def page(list_: str, label: str) -> str:
    """Returns the address of a letter's page of a list."""
    return f"{list_}{_part(label)}/"


def links_to_anchors(site: Site, root: str) -> Markup:
    """Returns the letters of the terms in force as links into A–Z. `root` is empty on that page
    itself."""
    list_ = urls.link(urls.A_TO_Z, root) if root else ""
    labels = {initial(life.entry, site.language) for life in site.defined}
    return _row(labels, site.language, lambda label: f"{list_}#{anchor(label)}")


def links_within(labels: Collection[str], language: str) -> Markup:
    """Returns letters as links to their places on the same page."""
    return _row(labels, language, lambda label: f"#{anchor(label)}")


def links_to_pages(list_: str, labels: Sequence[str], language: str) -> Markup:
    """Returns letters as links to their pages of a list, which begin with `ANY_ROOT`; empty if
    there are none."""
    if not labels:
        return Markup()
    return _row(labels, language, lambda label: urls.link(page(list_, label), urls.ANY_ROOT))


def links_on_page(links: Markup, address: str, root: str) -> Markup:
    """Returns the links of `links_to_pages` for a page. If one leads to the page itself, it is
    marked."""
    link = f'href="{urls.link(address, urls.ANY_ROOT)}"'
    marked = links.replace(link, Markup(f'{link} aria-current="page"'))  # noqa: S704
    return marked.replace(urls.ANY_ROOT, root)


def _row(labels: Collection[str], language: str, address_of: Callable[[str], str]) -> Markup:
    """Returns the letters with terms as links, as items of a list. If some are of the alphabet, its
    other letters are there as text, so that the row is the same for most glossaries."""
    shown = {*labels}
    if shown.intersection(alphabet(language)):
        shown.update((*alphabet(language), DIGITS, OTHER))
    items = []
    for label in in_order(shown, language):
        start, end = "<span>", "</span>"
        if label in labels:
            start, end = f'<a href="{escape(address_of(label))}">', "</a>"
        items.append(f"<li>{start}{escape(label)}{end}</li>\n")
    return Markup("".join(items))  # noqa: S704
