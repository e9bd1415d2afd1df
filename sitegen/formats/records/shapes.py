"""Finds terms in values of YAML or JSON, in the shapes that people give a glossary.

- A list of records, each with a name and a definition under one of many keys (`fields`); or each with languages
  below it, as in glosario and Glossarist.
- A mapping from names to definitions, or to records.
- Either of these inside `terms:`, `glossary:` and the like, or below sections, at any depth.

A record may have other names, related terms, a section, and a status. Each value is visited once, so aliases and
cycles cost no more than the file is long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.headings import signpost
from sitegen.formats.records import fields as keys
from sitegen.formats.records.values import Field, Mapping, Sequence, Text, Value

CONTAINERS = frozenset(
    "terms glossary entries items concepts definitions abbreviations acronyms words vocabulary terminology data"
    " glossaryterms nodes result results defs".split()
)
"""Keys whose values hold records."""
ABOUT = frozenset(
    "title version language lang author authors date updated lastupdated license licence source owners owner"
    " generator baseurl schema context id url name description".split()
)
"""Keys of a whole file that are no terms."""
LANGUAGE = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?")
ENGLISH = ("en", "eng")
MENTION = re.compile(r"\{\{(?:[^{}|,]*[,|])?\s*([^{}|,]+?)\s*\}\}")
"""Glossarist's mention of another term: `{{id, words}}`."""


class Finder:
    """Finds the terms of one file."""

    def __init__(self, language: str = "") -> None:
        self.language = language
        """The language to read where a term has several; empty for English, or else the first."""
        self._visited: set[int] = set()

    def candidates(self, value: Value, section: str = "", *, depth: int = 0) -> Iterator[Candidate]:
        """Yields the terms in a value."""
        if isinstance(value, Text) or id(value) in self._visited:
            return
        self._visited.add(id(value))
        if isinstance(value, Sequence):
            for item in value.items:
                yield from self.candidates(item, section, depth=depth + 1)
            return
        inner = [field for field in value.fields if _holds(field)]
        if inner:
            name = _first(value, keys.NAMES) if depth else None
            for field in inner:
                yield from self._below(field.value, name.text if name else section, depth)
        elif record := self._record(value, section):
            yield from record
        else:
            yield from self._named(value, section, depth)

    def _below(self, value: Value, section: str, depth: int) -> Iterator[Candidate]:
        """The terms in the value of a container."""
        if isinstance(value, Mapping) and not _is_record(value):
            yield from self._named(value, section, depth + 1)
        else:
            yield from self.candidates(value, section, depth=depth + 1)

    def _record(self, mapping: Mapping, section: str, name: Text | None = None) -> list[Candidate]:
        """The term of a record, in a list; an empty one if it is withheld, and none if this is no record."""
        about = self._of_language(mapping)
        definition = _first(about, keys.DEFINITIONS)
        own = _first(about, keys.NAMES) or _designation(about)
        if definition is None or not (own or name):
            return []
        if _is_withheld(mapping):
            return []
        names = [one.text for one in (name, own) if one]
        if name and own and keys.folded(name.text) == keys.folded(own.text):
            names = [own.text]  # the key is only another spelling of it
        elif name and own:
            names = [own.text, *([name.text] if " " in name.text else [])]
        others = [text for one in _all(about, keys.OTHER_NAMES) for text in one]
        designations = _designations(about)
        text = _text(definition_value) if (definition_value := _value(about, keys.DEFINITIONS)) else definition.text
        related = [text for one in _all(about, keys.RELATED) + _all(mapping, keys.RELATED) for text in one]
        own_section = _first(about, keys.SECTIONS)
        line = (own or name or definition).line
        anchors = [found.text for found in (_first(mapping, (key,)) for key in ("id", "slug", "key", "termid")) if found]
        html = keys.html_of(MENTION.sub(r"\1", text))
        candidate = Candidate(
            names=tuple(dict.fromkeys(filter(None, (*names, *designations, *others)))),
            html=html + keys.see_also(related) if html else "",
            line=name.line if name else line,
            anchors=tuple(dict.fromkeys(anchors)),
            section=own_section.text if own_section else section,
            deprecated=_is_deprecated(about),
        )
        return [candidate]

    def _named(self, mapping: Mapping, section: str, depth: int) -> Iterator[Candidate]:
        """The terms of a mapping whose keys are names, or sections."""
        self._visited.add(id(mapping))
        for line, key, value in mapping.fields:
            if depth == 0 and keys.folded(key) in ABOUT and isinstance(value, Text):
                continue
            name = Text(line, key)
            if isinstance(value, Text):
                yield Candidate(names=(key,), html=keys.html_of(value.text), line=line, section=section)
            elif isinstance(value, Mapping) and (translated := self._translated(value)):
                yield Candidate(names=(key,), html=keys.html_of(translated), line=line, section=section)
            elif isinstance(value, Mapping) and _is_record(self._of_language(value)):
                self._visited.add(id(value))
                yield from self._record(value, section, name)
            else:
                inner = section if signpost(key) == "letter" or not depth and keys.folded(key) in ABOUT else key
                yield from self.candidates(value, inner, depth=depth + 1)

    def _of_language(self, mapping: Mapping) -> Mapping:
        """The part of a record that is in one language; the record itself if it has none."""
        parts = {
            field.key: field.value
            for field in mapping.fields
            if LANGUAGE.fullmatch(field.key) and isinstance(field.value, Mapping) and _is_record(field.value)
        }
        return next((parts[key] for key in (self.language, *ENGLISH, *parts) if key in parts), mapping)

    def _translated(self, mapping: Mapping) -> str:
        """The definition in one language, of a mapping from languages to definitions."""
        parts = {field.key: field.value.text for field in mapping.fields if isinstance(field.value, Text)}
        if len(parts) < len(mapping.fields) or not all(map(LANGUAGE.fullmatch, parts)) or set(parts) & {"def", "text"}:
            return ""
        return next((parts[key] for key in (self.language, *ENGLISH, *parts) if key in parts), "")


def _holds(field: Field) -> bool:
    """True for a field that holds records: `terms: …`."""
    if isinstance(field.value, Text) or keys.folded(field.key) not in CONTAINERS:
        return False
    is_designations = isinstance(field.value, Sequence) and any(
        isinstance(item, Mapping) and _first(item, ("designation",)) for item in field.value.items
    )
    has_content = isinstance(field.value, Sequence) and any(
        isinstance(item, Mapping) and _first(item, ("content",)) and len(item.fields) < 3 for item in field.value.items
    )
    return not is_designations and not has_content


def _is_record(mapping: Mapping) -> bool:
    return _value(mapping, keys.DEFINITIONS) is not None and not any(map(_holds, mapping.fields))


def _value(mapping: Mapping, names: tuple[str, ...]) -> Value | None:
    """The value of the first of some keys that has one."""
    found = {keys.folded(field.key): field.value for field in reversed(mapping.fields)}
    return next((found[name] for name in names if name in found and _text(found[name])), None)


def _first(mapping: Mapping, names: tuple[str, ...]) -> Text | None:
    """The text of the first of some keys that has one."""
    value = _value(mapping, names)
    return Text(value.line, _text(value)) if value else None


def _text(value: Value) -> str:
    """The text of a definition or name: also that of `{text: …}`, `[{content: …}]` and a list of paragraphs."""
    if isinstance(value, Text):
        return value.text.strip()
    if isinstance(value, Mapping):
        parts = [field.value for field in value.fields if field.key in ("text", "content", "markdown", "html", "value")]
        return parts[0].text.strip() if parts and isinstance(parts[0], Text) else ""
    return "\n\n".join(filter(None, [_text(item) for item in value.items if not isinstance(item, Sequence)]))


def _all(mapping: Mapping, names: tuple[str, ...]) -> list[list[str]]:
    """The texts of all fields with one of some keys: of a list, its items; of a text, what separators part."""
    found = []
    for field in mapping.fields:
        if keys.folded(field.key) in names:
            if isinstance(field.value, Text):
                found.append(keys.split_names(field.value.text))
            elif isinstance(field.value, Sequence):
                items = (item if isinstance(item, Text) else None for item in field.value.items)
                named = (_first(item, keys.NAMES) for item in field.value.items if isinstance(item, Mapping))
                found.append([item.text.strip() for item in (*items, *named) if item])
    return found


def _designations(mapping: Mapping) -> list[str]:
    """The designations of a Glossarist concept, and the names of our own `glossary.json`."""
    lists = [field.value for field in mapping.fields if keys.folded(field.key) in ("terms", "names")]
    items = [item for one in lists if isinstance(one, Sequence) for item in one.items if isinstance(item, Mapping)]
    return [found.text for item in items if (found := _first(item, ("designation", "text")))]


def _designation(mapping: Mapping) -> Text | None:
    names = _designations(mapping)
    return Text(mapping.line, names[0]) if names else None


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
