"""Returns the definition that the fields of a record of terms give."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sitegen.formats.common import sphinx_markup
from sitegen.formats.common.columns import DEFINITIONS
from sitegen.formats.common.entries import distinct
from sitegen.formats.common.record_values import (
    Record,
    RecordList,
    is_sentence,
    text_at,
    text_of,
    values_at,
)
from sitegen.formats.markdown.markdown_html import html_of

SHORT = ("medium", "short")
"""Keys with a short definition; the shortest may be a name too."""
ADDRESS = re.compile(r"https?://|[\w.]+@|/")


def definition(record: Record, related: Iterable[str]) -> str:
    """Returns the HTML of the definition in a record, followed by notes, examples and related
    terms. It is empty if the record has no definition."""
    html = html_of(meaning(record))
    if not html:
        return ""
    for note in _texts_in(record, ("note", "notes")):
        html += sphinx_markup.note("Note", html_of(note))
    for example in _texts_in(record, ("example", "examples")):
        html += sphinx_markup.titled("Example", html_of(example))
    names = []
    for name in distinct(related):
        if not ADDRESS.match(name):  # web addresses are left out
            names.append(name)
    return html + sphinx_markup.see_also_terms(names)


def meaning(record: Record) -> str:
    """Returns the text of the definition in a record; empty if there is none."""
    return text_at(record, DEFINITIONS) or short_meaning(record)


def short_meaning(record: Record) -> str:
    """Returns the text of a short definition. It is empty if the text is no sentence, such as an
    abbreviation."""
    text = text_at(record, SHORT)
    return text if is_sentence(text) else ""


def _texts_in(record: Record, titles: tuple[str, ...]) -> Iterator[str]:
    """Yields the texts in all fields with these titles. Each item of a list is a text."""
    for value in values_at(record, titles):
        items = value.items if isinstance(value, RecordList) else (value,)
        yield from filter(None, map(text_of, items))
