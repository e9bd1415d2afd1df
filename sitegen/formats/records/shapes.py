"""Finds terms in values of YAML or JSON. These structures are supported:

- A list of records, each with a name and a definition under one of many keys (`columns`); or each
  with languages below it, as in glosario.
- A mapping from names to definitions, or to records.
- Any of these inside containers such as `terms:` or `glossary:`, or below sections, at any depth.

A record may have other names, related terms, a section, and a status. Each value is
visited once, so what several aliases stand for is one term.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TypeVar

from sitegen.formats.common import columns, entries, sphinx_markup
from sitegen.formats.common.columns import DEFINITIONS, NAME_KEYS
from sitegen.formats.common.entries import Candidate, distinct
from sitegen.formats.common.headings import heading_kind
from sitegen.formats.common.record_values import (
    Record,
    RecordField,
    RecordList,
    RecordText,
    RecordValue,
    is_deprecated,
    is_sentence,
    is_withheld,
    listed_names,
    name_of,
    names_in_lists,
    replacements,
    text_at,
    text_of,
    values_at,
    values_by_title,
)
from sitegen.formats.markdown.markdown_html import html_of
from sitegen.model import Document

Part = TypeVar("Part")

RECORD_CONTAINERS = frozenset(
    """
    terms glossary entries items concepts definitions abbreviations acronyms words vocabulary
    terminology data glossaryterms nodes result results defs
    """.split()
)
"""Keys whose values contain records."""
ABOUT = frozenset(
    """
    title version language lang author authors date updated lastupdated license licence source
    owners owner generator baseurl schema context id url name description
    """.split()
)
"""Keys of a whole file that are not terms."""
LANGUAGE_AS_KEY = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?")
CODES = frozenset(
    """
    ar bg ca cs da de el en es et eu fa fi fr ga he hi hr hu hy it ja ko lt lv mt nl no pl pt ro
    ru sk sl sq sr sv th tr uk vi zh ara deu eng fra jpn por rus spa zho
    """.split()
)
"""Codes of languages. Keys are languages only if one of them is here. `id`, the code of Indonesian,
is not: it is often the key of an id."""

SHORT = ("medium", "short")
"""Keys with a short definition. The text of `short` may also be a name."""
ADDRESS = re.compile(r"https?://|[\w.]+@|/")


def candidates(document: Document, value: RecordValue) -> list[Candidate]:
    """Returns the terms in the value of a file. Some may lack a definition."""
    section = document.section
    # The code of a language is no section of the file, but chooses that language.
    is_language = LANGUAGE_AS_KEY.fullmatch(section) is not None
    finder = _TermFinder(value, section if is_language else "")
    terms = entries.limited(document, finder.terms_in(value))
    if section and not is_language:
        return entries.in_section(terms, section)
    return terms


def terms_of(record: Record) -> Iterator[Candidate]:
    """Yields the term of a record, unless it has no name, or is withheld."""
    return _TermFinder(record).term_of_record(record)


class _LanguageChoice:
    """Chooses the part in one language, where a file has several."""

    def __init__(self, language: str) -> None:
        self._language = language
        """If it is empty, English is chosen, or else the first language."""
        # A record without a language, such as `Jig: Holds.`, is taken for English.
        without_region = re.sub("[-_].*", "", language)
        self.skips_untranslated = without_region not in ("", "en")
        """True if terms that name no language are left out."""

    def of_record(self, record: Record) -> Record:
        """Returns the part of a record in the language: that below `en:` in
        `{slug: jig, en: {term: Jig, def: Holds.}, de: {…}}`. A record without languages, or without
        this one, is returned itself."""
        parts: dict[str, Record] = {}
        for field in record.fields:
            if isinstance(field.value, Record) and _is_record(field.value):
                parts[field.key] = field.value
        return self._part(parts) or record

    def of_texts(self, record: Record) -> str:
        """Returns the text in the language: "Holds." of `{en: Holds., de: Hält.}`. The text is
        empty for other mappings."""
        return self._part(_only_texts(record)) or ""

    def _part(self, parts: Mapping[str, Part]) -> Part | None:
        """Returns the part in the language, if the keys are codes of languages. Otherwise, and if
        there is no such part, returns None."""
        if not self._are_languages(parts):
            return None
        if self._language:
            return parts.get(self._language)
        first_part = next(iter(parts.values()))
        return parts.get("en", first_part)

    def _are_languages(self, keys: Collection[str]) -> bool:
        """Returns whether keys are codes of languages. Words such as `api` and `def` are like
        codes, so at least one has to be known."""
        look_like_codes = all(map(LANGUAGE_AS_KEY.fullmatch, keys))
        codes = {re.sub("[-_].*", "", key) for key in keys}
        return look_like_codes and (self._language in keys or not CODES.isdisjoint(codes))


class _TermFinder:
    """Finds the terms of one file."""

    def __init__(self, root: RecordValue, language: str = "") -> None:
        self._root = root
        """The value of the whole file."""
        self._language = _LanguageChoice(language)
        self._visited: set[int] = set()
        """The `id` of each value that `_visit` has seen."""

    def terms_in(self, value: RecordValue, section: str = "") -> Iterator[Candidate]:
        """Yields the terms in a value. The value may be a list, containers such as `terms:`, one
        record with a definition, or a mapping from names."""
        if isinstance(value, RecordText) or not self._visit(value):
            return
        if isinstance(value, Record) and value is not self._root and is_withheld(value):
            return  # a withheld section; the status of a whole file says nothing about terms
        if isinstance(value, RecordList):
            yield from self._terms_in_list(value, section)
        elif _is_container(value):
            yield from self._terms_in_containers(value, section)
        elif _is_record(self._language.of_record(value)):
            yield from self.term_of_record(value, section)
        else:
            yield from self._terms_by_key(value, section)

    def _visit(self, value: RecordValue) -> bool:
        """Remembers a value, and returns whether it is new. An alias of YAML stands for the same
        object."""
        is_new = id(value) not in self._visited
        self._visited.add(id(value))
        return is_new

    def _terms_in_list(self, record_list: RecordList, section: str) -> Iterator[Candidate]:
        """Yields the terms in a list of records."""
        records = [item for item in record_list.items if isinstance(item, Record)]
        if records and not any(map(self._has_terms, records)):
            return  # they are records of something else, such as authors
        for item in record_list.items:
            if not isinstance(item, Record) or _is_container(item):
                yield from self.terms_in(item, section)
            else:
                yield from self.term_of_record(item, section)

    def _has_terms(self, record: Record) -> bool:
        return _is_record(self._language.of_record(record)) or _is_container(record)

    def _terms_in_containers(self, record: Record, section: str) -> Iterator[Candidate]:
        """Yields the terms in the containers of a record: `terms: {Jig: Holds.}`,
        `terms: [{term: Jig, …}]`. A name of the record is their section."""
        section = text_at(record, NAME_KEYS) or section
        for field in filter(_contains_records, record.fields):
            value = field.value
            if isinstance(value, Record) and not _is_record(value):  # its keys are names
                yield from self._terms_by_key(value, section)
            else:
                yield from self.terms_in(value, section)

    def term_of_record(
        self, record: Record, section: str = "", key: RecordText | None = None
    ) -> Iterator[Candidate]:
        """Yields the term of a record. A record without a name, or one that is withheld, has none.

        `key` is the key of the record, which is its name if it has no other, and else an anchor, as
        in `jig: {name: Jig, …}`.
        """
        translated = self._language.of_record(record)
        name = self._name(record, translated) or key
        # A record without a part in the language is its own translation.
        is_skipped = translated is record and self._language.skips_untranslated
        is_unpublished = is_withheld(record) or is_withheld(translated)
        if name is None or is_skipped or is_unpublished:
            return

        anchors = [text_at(record, (title,)) for title in columns.ANCHORS]
        if key and key.text != name.text:
            anchors.insert(0, key.text)

        listed = names_in_lists(translated)
        related: list[str] = []
        # All languages may share related terms, but they do not share other names.
        for part in (translated, record):
            related += listed_names(part, columns.RELATED + columns.REFERENCES)

        yield Candidate(
            names=distinct([name.text, *listed.used]),
            html=_definition(translated, related),
            line=(key or name).line,
            anchors=distinct(anchors),
            section=text_at(translated, columns.SECTIONS) or section,
            deprecated=is_deprecated(translated),
            avoided=distinct(listed.avoided),
        )

    def _name(self, record: Record, translated: Record) -> RecordText | None:
        """Returns the name of a record; None if it has none. `translated` is the part of the record
        in the language to read, which is searched first."""
        # An id is the last resort, in any language.
        values = [*values_by_title(translated, columns.NAME_KEYS_BUT_IDS)]
        values += values_by_title(record, NAME_KEYS)
        for value in values:
            name = _first_name(value)
            if not name:
                continue
            # `Jig: {short: A frame that holds wood.}` has no name but its key: `short` may be a
            # name, but is the definition here.
            is_definition = name.split() == _short_meaning(translated).split()
            if is_definition:
                return None
            return RecordText(value.line, name)
        return None

    def _terms_by_key(self, record: Record, section: str) -> Iterator[Candidate]:
        """Yields the terms of a mapping whose keys are names, or sections: `Jig: Holds.`,
        `Jig: {definition: Holds.}`, `Tools: {Jig: Holds.}`."""
        self._visit(record)  # an alias in the record may stand for the record
        for field in record.fields:
            is_text = isinstance(field.value, RecordText)
            is_about_file = record is self._root and is_text and field.title in ABOUT
            if not is_about_file:
                yield from self._terms_of_field(field, section)

    def _terms_of_field(self, field: RecordField, section: str) -> Iterator[Candidate]:
        """Yields the terms of a field in a mapping. Its key is the name of one term, or of a
        section with terms."""
        line, key, value = field

        # 1. `Jig: Holds.`
        if isinstance(value, RecordText):
            if not self._language.skips_untranslated:
                yield Candidate((key,), html_of(value.text), line, section=section)
            return

        if isinstance(value, Record) and not is_withheld(value):
            # 2. `Jig: {en: Holds., de: Hält.}`
            text = self._language.of_texts(value)
            if text:
                yield Candidate((key,), html_of(text), line, section=section)
                return
            # 3. `Jig: {definition: Holds.}`
            if _is_record(self._language.of_record(value)):
                if self._visit(value):
                    yield from self.term_of_record(value, section, RecordText(line, key))
                return
            # 4. `TS: {term: Table saw}`
            has_only_name = _only_texts(value) and text_at(value, NAME_KEYS)
            if has_only_name:
                yield Candidate((key,), _html_of_name(value), line, section=section)
                return

        # 5. `Tools: {Jig: Holds.}`. Of a withheld record, `terms_in` yields nothing.
        section_below = section if heading_kind(key) == "letter" else key
        yield from self.terms_in(value, section_below)


def _first_name(value: RecordValue) -> str:
    """Returns the name in a value, or the first name in a list."""
    items = value.items if isinstance(value, RecordList) else [value]
    return next(filter(None, map(name_of, items)), "")


def _contains_records(field: RecordField) -> bool:
    """Returns whether a field contains records: `terms: …`."""
    if isinstance(field.value, RecordText) or field.title not in RECORD_CONTAINERS:
        return False
    if isinstance(field.value, Record):
        return True
    return any(isinstance(item, Record) for item in field.value.items)


def _is_container(record: Record) -> bool:
    return any(map(_contains_records, record.fields))


def _is_record(record: Record) -> bool:
    """Returns whether a mapping is the record of one term: it has a field for a definition, which
    may be empty, and contains no other records."""
    has_field = any(field.title in DEFINITIONS for field in record.fields)
    has_definition = has_field or _meaning(record) != ""
    return has_definition and not _is_container(record)


def _html_of_name(record: Record) -> str:
    """Returns the HTML of a reference to the term that an acronym stands for, as in `TS: {term:
    Table saw}`. The HTML is empty for a `name` or a `title`, which may name anything."""
    term = text_at(record, ("term",))
    return f"<p>See {sphinx_markup.reference(term, term)}.</p>" if term else ""


def _only_texts(record: Record) -> dict[str, str]:
    """Returns the texts of a mapping by their keys. If any value is no text, none is returned."""
    texts = {}
    for field in record.fields:
        if not isinstance(field.value, RecordText):
            return {}
        texts[field.key] = field.value.text
    return texts


def _definition(record: Record, related: Iterable[str]) -> str:
    """Returns the HTML of the definition in a record, followed by notes, examples and related
    terms. The HTML is empty for a record without a definition."""
    html = html_of(_meaning(record))
    if not html:
        return ""
    for note in _texts_in(record, ("note", "notes")):
        html += sphinx_markup.note("Note", html_of(note))
    for example in _texts_in(record, ("example", "examples")):
        html += sphinx_markup.titled("Example", html_of(example))
    html += sphinx_markup.use_instead(html, replacements(record))
    names = []
    for name in distinct(related):
        if not ADDRESS.match(name):  # web addresses are left out
            names.append(name)
    return html + sphinx_markup.see_also_terms(names)


def _meaning(record: Record) -> str:
    """Returns the text of the definition in a record; empty if there is none."""
    return text_at(record, DEFINITIONS) or _short_meaning(record)


def _short_meaning(record: Record) -> str:
    """Returns the text of a short definition. A text that is no sentence, such as an abbreviation,
    is left out."""
    text = text_at(record, SHORT)
    return text if is_sentence(text) else ""


def _texts_in(record: Record, titles: tuple[str, ...]) -> Iterator[str]:
    """Yields the texts in all fields with these titles. Each item of a list is a text."""
    for value in values_at(record, titles):
        items = value.items if isinstance(value, RecordList) else (value,)
        yield from filter(None, map(text_of, items))
