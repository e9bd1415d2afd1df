"""The values of a YAML or JSON text, with their lines: records of terms, or front matter; and the
texts and names in the fields of a record.

JSON is YAML, but for tabs between values and for characters that are written as two halves. The
parser runs no code and expands nothing: an alias becomes the same object as its value, not a copy.
Values nested deeper than `MAX_DEPTH` are refused, so that code which reads them may use recursion.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from sitegen.formats.common.columns import (
    AVOID,
    DEPRECATED,
    FALSE,
    NAME_KEYS,
    NAME_KEYS_BUT_IDS,
    OTHER_NAMES,
    REPLACED,
    STATUS,
    TRUE,
    WITHHELD,
    folded_title,
)
from sitegen.formats.common.entries import NONE_AVOIDED, too_many
from sitegen.model import Document, ProblemKind, UnreadableError
from sitegen.text import labels

NULLS = ("null", "~", "Null")
"""Values without quotes that say that there is none."""
JSON_OPENING = re.compile(r"\s*[{\[]")
HALVES = re.compile(r"(?<!\\)(?:\\u[dD][89a-fA-F][0-9a-fA-F]{2}){1,2}")
MERGE = "<<"
"""A key without quotes that would add the fields of another mapping: `<<: *common`."""
MAX_DEPTH = 60
VALUES_OF_AN_ENTRY = 10
"""How many values a document may have for each entry of its limit (`max_entries`)."""
CHARACTERS_OF_A_VALUE = 200
"""A longer text counts as several values."""
KEYS_OF_TEXT = frozenset({"text", "content", "markdown", "html", "value"})
"""Keys with the text of a definition that is a mapping."""
MAX_WORDS = 2
"""The maximum number of words in a name that ends like a sentence, such as "U.S." and "Who's who?"
"""
SENTENCE_ENDS = (".", "!", "?", "。")
LISTS_OF_NAMES = ("name", "names", "term")
"""Keys that may have a list of names, beside those of other names."""
BETWEEN_LISTED_NAMES = re.compile(r"\s*[;\n|]\s*")


class RecordText(NamedTuple):
    line: int
    text: str


class RecordList(NamedTuple):
    line: int
    items: list[RecordValue]


class RecordField(NamedTuple):
    line: int
    key: str
    value: RecordValue

    @property
    def title(self) -> str:
        return folded_title(self.key)


class Record(NamedTuple):
    """A mapping of keys to values."""

    line: int
    fields: list[RecordField]


RecordValue = RecordText | RecordList | Record


class _EventReader:
    """Makes values of the events of the parser. Raises UnreadableError for too many values, or too
    deep ones. An alias counts as all values that it stands for, as each may be read again.

    The events of `Jig: [a]` are the start of a mapping, the scalar `Jig`, the start of a sequence,
    the scalar `a`, and two ends.
    """

    def __init__(self, events: Iterator[Any], document: Document) -> None:
        self._events = events
        self._document = document
        self._values_left = document.max_entries * VALUES_OF_AN_ENTRY
        self._anchors: dict[str, RecordValue] = {}
        self._sizes: dict[str, int] = {}
        """The number of values in each value with an anchor."""

    def values(self, end: str, depth: int = 0) -> Iterator[RecordValue]:
        """Yields the values up to the event `end`. `depth` is the number of lists and mappings
        around them."""
        is_mapping = end == "MappingEndEvent"
        is_key = is_mapping  # in a mapping, a key and its value come by turns
        for event in self._events:
            if type(event).__name__ == end:
                return
            if hasattr(event, "anchor"):  # events without anchors begin or end a document
                yield self._value(event, depth, is_key=is_key)
                is_key = is_mapping and not is_key

    def _value(self, event: Any, depth: int, *, is_key: bool) -> RecordValue:
        """Returns the value that begins with an event. The value of an alias is the one with its
        anchor. An alias without such a value, or inside its own value, is an empty text."""
        line = event.start_mark.line + 1
        values_before = self._values_left
        value: RecordValue
        match type(event).__name__:
            case "AliasEvent":
                self._count(self._sizes.get(event.anchor, 1), line)
                return self._anchors.get(event.anchor, RecordText(line, ""))
            case "ScalarEvent":
                value = RecordText(line, _text_of_scalar(event, line, is_key=is_key))
                self._count(1 + len(value.text) // CHARACTERS_OF_A_VALUE, line)
            case "SequenceStartEvent":
                value = RecordList(line, [])
                self._fill(value, depth + 1)
            case _:
                value = Record(line, [])
                self._fill(value, depth + 1)
        if event.anchor:
            self._anchors[event.anchor] = value
            self._sizes[event.anchor] = values_before - self._values_left
        return value

    def _count(self, values: int, line: int) -> None:
        """Counts more values. Raises TooMuchWorkError if there are too many."""
        self._values_left -= values
        if self._values_left < 0:
            raise too_many(self._document, "values", VALUES_OF_AN_ENTRY, line=line)

    def _fill(self, value: RecordList | Record, depth: int) -> None:
        """Counts a list or a mapping, and adds the values in it. Raises UnreadableError if it is
        too deep in others."""
        self._count(1, value.line)
        if depth > MAX_DEPTH:
            found = f"values are nested more than {MAX_DEPTH} deep"
            raise UnreadableError(found, kind=ProblemKind.LIMIT, line=value.line)
        if isinstance(value, RecordList):
            value.items.extend(self.values("SequenceEndEvent", depth))
            return
        values = self.values("MappingEndEvent", depth)
        for key in values:  # each key is followed by its value
            # A key may be a list or a mapping. Such a field has no name.
            text = key.text if isinstance(key, RecordText) else ""
            value.fields.append(RecordField(key.line, text, next(values)))


def _text_of_scalar(event: Any, line: int, *, is_key: bool) -> str:
    """Returns the text of a scalar; empty for one that says that there is no value."""
    has_no_quotes, _ = event.implicit
    text = str(event.value)
    if is_key and has_no_quotes and text == MERGE:
        wanted = "write its fields into the mapping; if it is a term, write it in quotes"
        raise UnreadableError("a mapping is merged by `<<`", wanted, line=line)
    if not is_key and has_no_quotes and text in NULLS:  # the key `null` may be a term
        return ""
    return text


def value_of(document: Document) -> RecordValue:
    """Returns the value of a YAML or JSON text. A text with several YAML documents is a list of
    their values, and an empty text is an empty list. Raises UnreadableError for other texts."""
    import yaml  # few documents need it

    source = document.text
    if JSON_OPENING.match(source):
        # JSON may have what YAML may not: tabs between values, and halves of characters.
        source = HALVES.sub(_character, source.replace("\t", " "))
    try:
        events = yaml.parse(source, Loader=yaml.CBaseLoader)
        values = [*_EventReader(events, document).values("StreamEndEvent")]
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        problem = getattr(error, "problem", str(error).split("\n")[0])
        raise UnreadableError(f"this is no YAML or JSON: {problem}", line=line) from None
    return values[0] if len(values) == 1 else RecordList(1, values)


def _character(halves: re.Match[str]) -> str:
    """Returns the character that JSON writes as two halves: `\\ud83d\\ude00` is "😀". A half alone
    becomes a replacement character."""
    text = str(json.loads(f'"{halves[0]}"'))
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def values_by_title(record: Record, titles: tuple[str, ...]) -> Iterator[RecordValue]:
    """Yields the values of the keys with these titles, in the order of `titles`. If several keys
    have one title, the first one counts.

    A title is a folded key: `preferredlabel` for the key `Preferred-Label`.
    """
    values: dict[str, RecordValue] = {}
    for field in record.fields:
        values.setdefault(field.title, field.value)
    for title in titles:
        if title in values:
            yield values[title]


def text_at(record: Record, titles: tuple[str, ...]) -> str:
    """Returns the first text among the keys with these titles that is not empty. Without one, the
    result is empty."""
    for value in values_by_title(record, titles):
        text = text_of(value)
        if text:
            return text
    return ""


def text_of(value: RecordValue) -> str:
    """Returns the text of a value, which may be `{text: …}` or a list of paragraphs."""
    text = _text_of_one(value)
    if text or isinstance(value, RecordText):
        return text
    paragraphs = map(_text_of_one, _listed_values(value))
    return "\n\n".join(filter(None, paragraphs))


def _text_of_one(value: RecordValue) -> str:
    """Returns the text of a value, which may be `{text: …}`. The text is empty for a list."""
    if isinstance(value, Record):
        texts = [field.value for field in value.fields if field.key in KEYS_OF_TEXT]
        value = next(iter(texts), value)
    if isinstance(value, RecordText):
        return value.text.strip()
    return ""  # no list in a list is read: an alias of YAML may put it into itself


def listed_names(record: Record, titles: tuple[str, ...]) -> Iterator[str]:
    """Yields the names in all fields with these titles.

    `aliases: [a, b]`, `aliases: a; b` and `aliases: [{name: a}, {name: b}]` are the names `a` and
    `b`.
    """
    for value in values_at(record, titles):
        yield from map(name_of, _listed_values(value))


class ListedNames(NamedTuple):
    used: list[str]
    avoided: list[str]


def names_in_lists(record: Record) -> ListedNames:
    """Returns the names in lists of a record, those that are used and those to avoid.

    `aliases: [{name: Jig}, {name: Rig, status: deprecated}]` are "Jig", which is used, and "Rig",
    which is avoided.
    """
    names = ListedNames([], [])
    for field in record.fields:
        # `names: Jig` is the name of the record itself; `aliases: Jig` is always another one.
        is_list_of_names = isinstance(field.value, RecordList) and field.title in LISTS_OF_NAMES
        has_other_names = field.title in OTHER_NAMES
        if not is_list_of_names and not has_other_names:
            continue
        for item in _listed_values(field.value):
            if isinstance(item, Record) and is_deprecated(item):
                names.avoided.append(name_of(item))
            else:
                names.used.append(name_of(item))
    names.avoided.extend(listed_names(record, AVOID))
    return names


def name_of(item: RecordValue) -> str:
    """Returns the name of an item of a list on one line: its name, else its text, else its id."""
    name = text_of(item)
    if isinstance(item, Record):
        name = text_at(item, NAME_KEYS_BUT_IDS) or name or text_at(item, NAME_KEYS)
    return " ".join(name.split())


def values_at(record: Record, titles: tuple[str, ...]) -> list[RecordValue]:
    """Returns the values of all fields with one of these titles (folded keys)."""
    return [field.value for field in record.fields if field.title in titles]


def _listed_values(value: RecordValue) -> Iterable[RecordValue]:
    """Returns the items of a list. A text is a list of names, and a list may be written as a
    mapping with numbers: `{0: a, 1: b}`."""
    if isinstance(value, RecordText):
        return [RecordText(value.line, name) for name in _names_in(value.text)]
    if isinstance(value, RecordList):
        return value.items
    return [field.value for field in value.fields if field.key.isdigit()]


def _names_in(text: str) -> list[str]:
    """Returns the names in a text, separated by line ends, semicolons or bars: "Jig; Rig, old" is
    "Jig" and "Rig, old". Without these, commas separate names.

    A sentence has no names, and `true` is none: `alias: true` says that there are other names.
    """
    says_yes_or_no = text.lower() in ("true", "false", "yes", "no")
    if says_yes_or_no or is_sentence(text):
        return []
    names = BETWEEN_LISTED_NAMES.split(text.strip())
    if len(names) == 1:
        names = text.split(",")
    return [*filter(None, map(str.strip, names))]


def is_deprecated(record: Record) -> bool:
    """Returns whether a record, or front matter, says that its term is deprecated, or replaced."""
    return _is_called_deprecated(record) or bool(replacements(record))


def replacements(record: Record) -> list[str]:
    """Returns the names of the terms to use in place of that of a record, or of front matter. A
    dash, or "none", is no name."""
    names = filter(None, listed_names(record, REPLACED))
    return [name for name in names if not NONE_AVOIDED.fullmatch(name)]


def is_withheld(record: Record) -> bool:
    """Returns whether a record, or front matter, says that its term is not published. A term that
    is called deprecated is always published, even as a draft."""
    says_withheld = not _statuses(record).isdisjoint(WITHHELD)
    return says_withheld and not _is_called_deprecated(record)


def _is_called_deprecated(record: Record) -> bool:
    has_status = labels.says_deprecated(text_at(record, STATUS))
    return has_status or not _statuses(record).isdisjoint(DEPRECATED)


def _statuses(record: Record) -> set[str]:
    """Returns the status of a record, and the titles of keys that are true.

    `{status: Draft, deprecated: true, published: no}` gives "draft", "deprecated" and
    "unpublished".
    """
    statuses = {text_at(record, STATUS).lower()}
    for field in record.fields:
        if not isinstance(field.value, RecordText):
            continue
        value = field.value.text.strip().lower()
        if value in TRUE:
            statuses.add(field.title)
        elif field.title == "published" and value in FALSE:
            statuses.add("unpublished")
    return statuses


def is_sentence(text: str) -> bool:
    """Returns whether a text is a sentence, and no name."""
    return text.rstrip().endswith(SENTENCE_ENDS) and len(text.split()) > MAX_WORDS
