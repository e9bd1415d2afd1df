"""Returns what the fields of a record say: names, a definition, a status.

A field has one of several keys, which `columns` lists, and its value may be a text, a list or a
mapping.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape

from sitegen.formats.common import columns, sphinx_markup
from sitegen.formats.common.columns import DEFINITIONS, NAME_KEYS
from sitegen.formats.common.entries import distinct
from sitegen.formats.common.record_values import Record, RecordList, RecordText, RecordValue
from sitegen.formats.markdown import site_markup
from sitegen.formats.markdown.inline_html import to_reference
from sitegen.formats.markdown.markdown_html import Context
from sitegen.text.memo import memo

TEXTS = frozenset({"text", "content", "markdown", "html", "value"})
"""Keys with the text of a definition that is a mapping."""
SHORT = ("medium", "short")
"""Keys with a short definition; the shortest may be a name too."""
STATUS = ("status",)
MARKUP = re.compile(r"[*_`\[\]<>&\\|#~$]|^\s*(?:[-+]|\d+[.)])\s|://|\n", re.M)
MAX_WORDS = 2
"""The maximum number of words in a name that ends like a sentence."""
BETWEEN_NAMES = re.compile(r"\s*[;\n|]\s*")
ADDRESS = re.compile(r"https?://|[\w.]+@|/")


def definition(record: Record, related: Iterable[str]) -> str:
    """Returns the HTML of the definition in a record, of notes, examples and related terms; empty
    without a definition."""
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
    """Returns the text of a short definition; empty for one that is no sentence, such as an
    abbreviation."""
    text = text_at(record, SHORT)
    return text if _is_sentence(text) else ""


def first_text(record: Record, titles: tuple[str, ...]) -> RecordText | None:
    """Returns the text of the first of the keys that has one."""
    values = {field.title: field.value for field in reversed(record.fields)}
    for title in titles:
        if title in values and (text := _text_of(values[title])):
            return RecordText(values[title].line, text)
    return None


def text_at(record: Record, titles: tuple[str, ...]) -> str:
    """Returns the same without its line; empty if there is none."""
    found = first_text(record, titles)
    return found.text if found else ""


def _text_of(value: RecordValue) -> str:
    """Returns the text of a value, which may be `{text: …}` or a list of paragraphs."""
    if isinstance(value, RecordText):
        return value.text.strip()
    if isinstance(value, RecordList):
        texts = [_text_of(item) for item in value.items if not isinstance(item, RecordList)]
        return "\n\n".join(filter(None, texts))
    for field in value.fields:
        if field.key in TEXTS:
            is_text = isinstance(field.value, RecordText)
            return _text_of(field.value) if is_text else ""
    return ""


def listed_names(record: Record, titles: tuple[str, ...]) -> Iterator[str]:
    """Yields the names in all fields with one of the keys: the items of a list, or a text split at
    separators."""
    for field in record.fields:
        if field.title not in titles:
            continue
        if isinstance(field.value, RecordText):
            yield from _names_in(field.value.text)
        elif isinstance(field.value, RecordList):
            items = field.value.items
            yield from [item.text.strip() for item in items if isinstance(item, RecordText)]
            yield from [text_at(item, NAME_KEYS) for item in items if isinstance(item, Record)]


def _names_in(text: str) -> list[str]:
    """Returns the names in a text, separated by line ends, semicolons, bars or commas; none if it
    is a sentence."""
    if _is_sentence(text):
        return []
    names = BETWEEN_NAMES.split(text.strip())
    if len(names) == 1:
        names = text.split(",")
    return [*filter(None, map(str.strip, names))]


def _is_sentence(text: str) -> bool:
    return text.rstrip().endswith((".", "!", "?")) and len(text.split()) > MAX_WORDS


def names_with_status(record: Record) -> tuple[list[str], list[str]]:
    """Returns the names in our own `glossary.json`: those that may be used, and those to avoid."""
    names: list[str] = []
    avoided: list[str] = []
    several = record.get("names")
    if not isinstance(several, RecordList):
        return names, avoided
    for item in several.items:
        if not isinstance(item, Record):
            continue
        if text_at(item, STATUS).lower() in columns.DEPRECATED:
            avoided.append(text_at(item, ("text",)))
        else:
            names.append(text_at(item, ("text",)))
    return names, avoided


def statuses(record: Record) -> set[str]:
    """Returns the status of a record, and the keys that are true: `deprecated: true`."""
    found = {text_at(record, STATUS).lower()}
    for field in record.fields:
        value = field.value
        if isinstance(value, RecordText) and value.text.strip().lower() in columns.TRUE:
            found.add(field.title)
    return found


def _texts_in(record: Record, titles: tuple[str, ...]) -> Iterator[str]:
    """Yields the texts in all fields with one of the keys: a text, or each item of a list."""
    for field in record.fields:
        if field.title in titles:
            value = field.value
            several = value.items if isinstance(value, RecordList) else (value,)
            yield from filter(None, map(_text_of, several))


@memo
def html_of(text: str) -> str:
    """Returns the HTML of a definition, which may have Markdown in it, and shortcodes."""
    text = text.strip()
    if not text:
        return ""
    if not MARKUP.search(text):
        return f"<p>{escape(text, quote=False)}</p>"
    markdown, left_out = site_markup.translated(text, is_mdx=False)
    return Context(address=to_reference).html(text if left_out else markdown)
