"""Finds terms in values of YAML or JSON. These structures are supported:

- A list of records, each with a name and a definition under one of many keys (`fields`); or each with languages
  below it, as in glosario and Glossarist.
- A mapping from names to definitions, or to records.
- Either of these inside containers such as `terms:` or `glossary:`, or below sections, at any depth.

A record may have other names, related terms, a section, and a status. Each value is visited once, so aliases and
cycles take no additional time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from sitegen.formats.common.columns import DEFINITIONS, OTHER_NAMES, columns_by_language, folded_title
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.headings import heading_kind
from sitegen.formats.records import fields as keys
from sitegen.formats.records import glossarist
from sitegen.formats.records.values import Mapping, RecordField, RecordText, RecordValue, Sequence

CONTAINERS = frozenset(
    "terms glossary entries items concepts definitions abbreviations acronyms words vocabulary terminology data"
    " glossaryterms nodes result results defs".split()
)
"""Keys whose values contain records."""
ABOUT = frozenset(
    "title version language lang author authors date updated lastupdated license licence source owners owner"
    " generator baseurl schema context id url name description".split()
)
"""Keys of a whole file that are not terms."""
LANGUAGE = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?")
CODES = frozenset(
    "ar bg ca cs da de el en es et eu fa fi fr ga he hi hr hu hy id it ja ko lt lv mt nl no pl pt ro ru sk sl sq sr"
    " sv th tr uk vi zh eng deu fra spa".split()
)
"""Codes of languages, one of which is among those that a record is in."""
ANCHORS = ("id", "slug", "key", "termid")
TEXTS = frozenset({"text", "content", "markdown", "html", "value"})
"""Keys with the text of a definition that is a mapping."""
ENGLISH = ("en", "eng")
MIN_PROSE = 8
"""A text with more words than this is not the expansion of an acronym."""


class Finder:
    """Finds the terms of one file."""

    def __init__(self, language: str = "") -> None:
        self.language = language
        """The language to read if a term has several; if empty, English, or else the first one."""
        self._concept_language = ENGLISH[-1]
        self._has_groups = False
        """True in a glossary of DataHub, whose nodes are not terms."""
        self._visited: set[int] = set()

    def candidates(self, value: RecordValue, section: str = "", *, depth: int = 0) -> Iterator[Candidate]:
        """Yields the terms in a value."""
        if isinstance(value, RecordText) or id(value) in self._visited:
            return
        self._visited.add(id(value))
        if not depth:
            self._has_groups = _is_from_datahub(value)
        if isinstance(value, Sequence):
            yield from self._listed(value, section, depth)
            return
        if concept := glossarist.concept_of(value):
            if concept.language in (self.language or self._concept_language, ""):
                yield from self._record(concept.about, section)
            return
        inner = [field for field in value.fields if _contains_records(field)]
        if inner:
            name = _first(value, keys.NAMES) if depth else None
            for field in inner:
                held = _groups(field) if self._has_groups else field.value
                yield from self._contained(held, name.text if name else section, depth)
        elif _is_record(self._of_language(value)):
            yield from self._record(value, section)
        else:
            yield from self._named(value, section, depth)

    def _listed(self, sequence: Sequence, section: str, depth: int) -> Iterator[Candidate]:
        """Yields the terms in a list of records."""
        records = [item for item in sequence.items if isinstance(item, Mapping)]
        self._concept_language = glossarist.language_of(records) or self._concept_language
        is_known = (
            _is_record(self._of_language(item)) or any(map(_contains_records, item.fields)) for item in records
        )
        if records and not any(is_known):
            yield from _by_length(records, section)
            return
        for item in sequence.items:
            if isinstance(item, Sequence) or (isinstance(item, Mapping) and _is_container(item)):
                yield from self.candidates(item, section, depth=depth + 1)
            elif isinstance(item, Mapping):
                yield from self._record(item, section)

    def _contained(self, value: RecordValue, section: str, depth: int) -> Iterator[Candidate]:
        """Yields the terms in the value of a container."""
        if isinstance(value, Mapping) and not _is_record(value):
            yield from self._named(value, section, depth + 1)
        else:
            yield from self.candidates(value, section, depth=depth + 1)

    def _record(self, mapping: Mapping, section: str, name: RecordText | None = None) -> list[Candidate]:
        """Returns a list with the term of a record; empty if it has no name, or is withheld."""
        about = self._of_language(mapping)
        own = _first(about, keys.WORDS) or _designation(about) or _first(mapping, keys.WORDS)
        own = own or (_first(about, keys.NAMES) if _is_record(about) else None)
        if _is_withheld(mapping) or not (own or name):
            return []
        names = [one.text for one in (name, own) if one]
        if name and own and folded_title(name.text) == folded_title(own.text):
            names = [own.text]  # the key is only another spelling of this name
        elif name and own:
            names = [own.text, *([name.text] if " " in name.text else [])]
        others = [text for one in _all(about, OTHER_NAMES) for text in one]
        designations = _designations(about)
        definition = _first(about, DEFINITIONS)
        related = [text for one in _all(about, keys.RELATED) + _all(mapping, keys.RELATED) for text in one]
        own_section = _first(about, keys.SECTIONS)
        anchors = [name.text] if name and own and name.text not in names else []
        anchors += [found.text for key in ANCHORS if (found := _first(mapping, (key,)))]
        html = keys.html_of(glossarist.without_mentions(definition.text)) if definition else ""
        html += "".join(glossarist.additions(about)) if html else ""
        candidate = Candidate(
            names=tuple(dict.fromkeys(filter(None, (*names, *designations, *others)))),
            html=html + keys.see_also(related) if html else "",
            line=(name or own or RecordText(mapping.line, "")).line,
            anchors=tuple(dict.fromkeys(anchors)),
            section=own_section.text if own_section else section,
            deprecated=_is_deprecated(about),
        )
        return [candidate]

    def _named(self, mapping: Mapping, section: str, depth: int) -> Iterator[Candidate]:
        """Yields the terms of a mapping whose keys are names, or sections."""
        self._visited.add(id(mapping))
        variant = _variant(mapping)
        for line, key, value in mapping.fields:
            if depth == 0 and folded_title(key) in ABOUT and isinstance(value, RecordText):
                continue
            name = RecordText(line, key)
            if isinstance(value, RecordText):
                yield Candidate(names=(key,), html=keys.html_of(value.text), line=line, section=section)
            elif isinstance(value, Mapping) and (translated := self._translated(value)):
                yield Candidate(names=(key,), html=keys.html_of(translated), line=line, section=section)
            elif isinstance(value, Mapping) and _is_record(self._of_language(value)):
                if id(value) not in self._visited:
                    self._visited.add(id(value))
                    yield from self._record(value, section, name)
            elif isinstance(value, Mapping) and (text := _prose(value, variant)):
                title = _first(value, keys.FIRST)
                names = (title.text,) if title else (key,)
                yield Candidate(names=names, html=keys.html_of(text), line=line, anchors=(key,), section=section)
            elif isinstance(value, Mapping) and (other := _expansion(value)):
                yield Candidate(names=(key,), html=keys.see(other), line=line, section=section)
            else:
                inner = (
                    section if heading_kind(key) == "letter" or (not depth and folded_title(key) in ABOUT) else key
                )
                yield from self.candidates(value, inner, depth=depth + 1)

    def _of_language(self, mapping: Mapping) -> Mapping:
        """Returns the part of a record in the language to read; the record itself if it has no such parts."""
        parts = {
            field.key: field.value
            for field in mapping.fields
            if isinstance(field.value, Mapping) and _is_record(field.value)
        }
        if not all(map(LANGUAGE.fullmatch, parts)) or CODES.isdisjoint(re.split("[-_]", key)[0] for key in parts):
            return mapping  # the keys are names, such as `api`
        return next((parts[key] for key in (self.language, *ENGLISH, *parts) if key in parts), mapping)

    def _translated(self, mapping: Mapping) -> str:
        """Returns the definition in the language to read, from a mapping of languages to definitions."""
        parts = {field.key: field.value.text for field in mapping.fields if isinstance(field.value, RecordText)}
        if len(parts) < len(mapping.fields) or not all(map(LANGUAGE.fullmatch, parts)) or "def" in parts:
            return ""
        return next((parts[key] for key in (self.language, *ENGLISH, *parts) if key in parts), "")


def _contains_records(field: RecordField) -> bool:
    """Returns whether a field contains records: `terms: …`."""
    if isinstance(field.value, RecordText) or folded_title(field.key) not in CONTAINERS:
        return False
    if isinstance(field.value, Mapping):
        return True
    items = [item for item in field.value.items if isinstance(item, Mapping)]
    return bool(items) and not any(map(_is_part, items))


def _is_container(mapping: Mapping) -> bool:
    """Returns whether an item of a list contains records, or is a Glossarist concept."""
    return any(map(_contains_records, mapping.fields)) or glossarist.concept_of(mapping) is not None


def _is_from_datahub(value: RecordValue) -> bool:
    source = _first(value, ("source",)) if isinstance(value, Mapping) else None
    return source is not None and source.text.casefold() == "datahub"


def _groups(field: RecordField) -> RecordValue:
    """Returns the value of a field, without the nodes that contain no terms."""
    if folded_title(field.key) != "nodes" or not isinstance(field.value, Sequence):
        return field.value
    items: list[RecordValue] = [
        item for item in field.value.items if isinstance(item, Mapping) and any(map(_contains_records, item.fields))
    ]
    return field.value._replace(items=items)


def _is_part(mapping: Mapping) -> bool:
    """Returns whether a mapping is a designation of a Glossarist concept, or a paragraph of its definition."""
    return bool(_first(mapping, ("designation",)) or (len(mapping.fields) < 3 and _first(mapping, ("content",))))


def _is_record(mapping: Mapping) -> bool:
    """Returns whether a mapping has a field for a definition, even an empty one."""
    has_definition = any(folded_title(field.key) in DEFINITIONS for field in mapping.fields)
    return has_definition and not any(map(_contains_records, mapping.fields))


def _expansion(mapping: Mapping) -> str:
    """Returns the name in a mapping of texts without a definition: the expansion of an acronym."""
    found = _first(mapping, keys.NAMES)
    return found.text if found and all(isinstance(field.value, RecordText) for field in mapping.fields) else ""


def _variant(mapping: Mapping) -> str:
    """Returns the first key that nearly all values of a mapping have, if those are mappings: `default`."""
    inner = [field.value for field in mapping.fields if isinstance(field.value, Mapping)]
    count = Counter(field.key for one in inner for field in one.fields)
    return next((key for key, number in count.items() if number > 2 and 5 * number >= 4 * len(inner)), "")


def _prose(mapping: Mapping, variant: str) -> str:
    """Returns the first long text of a mapping of texts that has a title, or texts under the key `variant`."""
    texts = {field.key: field.value.text for field in mapping.fields if isinstance(field.value, RecordText)}
    title = _first(mapping, keys.FIRST)
    if len(texts) < len(mapping.fields) or not (title or variant in texts):
        return ""
    long = (text for text in texts.values() if len(text.split()) > MIN_PROSE and not (title and text == title.text))
    return next(long, "")


def _by_length(records: list[Mapping], section: str) -> Iterator[Candidate]:
    """Yields the terms of records whose fields have unknown names; the longest texts are taken as definitions."""
    rows = [
        {
            field.key: field
            for field in record.fields
            if isinstance(field.value, RecordText) and field.value.text.strip()
        }
        for record in records
    ]
    shared = [key for key in rows[0] if all(key in row for row in rows)]
    if len(rows) < 2 or len(shared) < 2:
        return
    if found := columns_by_language(shared):
        shared = [shared[found.name], shared[found.definition]]
    lengths = {key: sum(len(_text(row[key].value)) for row in rows) for key in shared}
    definition = shared[1] if found else max(shared, key=lengths.__getitem__)
    values = {key: {_text(row[key].value) for row in rows} for key in shared if key != definition}
    if name := next((key for key in values if found or len(values[key]) == len(rows)), None):
        for row in rows:
            html = keys.html_of(_text(row[definition].value))
            yield Candidate(names=(_text(row[name].value),), html=html, line=row[name].line, section=section)


def _value(mapping: Mapping, names: tuple[str, ...]) -> RecordValue | None:
    """Returns the value of the first of the keys that has one."""
    found = {folded_title(field.key): field.value for field in reversed(mapping.fields)}
    return next((found[name] for name in names if name in found and _text(found[name])), None)


def _first(mapping: Mapping, names: tuple[str, ...]) -> RecordText | None:
    """Returns the text of the first of the keys that has one."""
    value = _value(mapping, names)
    return RecordText(value.line, _text(value)) if value else None


def _text(value: RecordValue) -> str:
    """Returns the text of a value, which may be `{text: …}`, `[{content: …}]`, numbered senses or a list of
    paragraphs.
    """
    if isinstance(value, RecordText):
        return value.text.strip()
    if isinstance(value, Mapping) and value.fields and all(field.key.isdigit() for field in value.fields):
        senses = [" ".join(_text(field.value).split()) for field in value.fields]
        return senses[0] if len(senses) == 1 else "\n".join(f"{n}. {sense}" for n, sense in enumerate(senses, 1))
    if isinstance(value, Mapping):
        parts = [field.value for field in value.fields if field.key in TEXTS]
        return parts[0].text.strip() if parts and isinstance(parts[0], RecordText) else ""
    return "\n\n".join(filter(None, [_text(item) for item in value.items if not isinstance(item, Sequence)]))


def _all(mapping: Mapping, names: tuple[str, ...]) -> list[list[str]]:
    """Returns the texts of all fields with one of the keys: the items of a list, or a text split at separators."""
    found = []
    for field in mapping.fields:
        if folded_title(field.key) in names and not (
            isinstance(field.value, RecordText) and keys.is_prose(field.value.text)
        ):
            if isinstance(field.value, RecordText):
                found.append(keys.split_names(field.value.text))
            elif isinstance(field.value, Sequence):
                items = (item if isinstance(item, RecordText) else None for item in field.value.items)
                named = (_first(item, keys.NAMES) for item in field.value.items if isinstance(item, Mapping))
                found.append([item.text.strip() for item in (*items, *named) if item])
    return found


def _designations(mapping: Mapping) -> list[str]:
    """Returns the designations of a Glossarist concept, and the names of our own `glossary.json`."""
    lists = [field.value for field in mapping.fields if folded_title(field.key) in ("terms", "names")]
    items = [item for one in lists if isinstance(one, Sequence) for item in one.items if isinstance(item, Mapping)]
    return [found.text for item in items if (found := _first(item, ("designation", "text")))]


def _designation(mapping: Mapping) -> RecordText | None:
    names = _designations(mapping)
    return RecordText(mapping.line, names[0]) if names else None


def _flag(mapping: Mapping, names: tuple[str, ...]) -> bool:
    found = _first(mapping, names)
    return found is not None and found.text.lower() in keys.TRUE


def _status(mapping: Mapping) -> str:
    found = _first(mapping, ("status", "entrystatus", "normativestatus"))
    return found.text.lower() if found else ""


def _is_deprecated(mapping: Mapping) -> bool:
    return _flag(mapping, keys.DEPRECATED) or _status(mapping) in ("deprecated", "superseded", "obsolete")


def _is_withheld(mapping: Mapping) -> bool:
    return _status(mapping) in keys.WITHHELD or any(_flag(mapping, (key,)) for key in keys.WITHHELD)
