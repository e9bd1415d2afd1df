"""Finds terms in values of YAML or JSON. These structures are supported:

- A list of records, each with a name and a definition under one of many keys (`columns`); or each
  with languages below it, as in glosario.
- Concepts of Glossarist: designations, a definition, notes and examples in one language, in a field
  `data`. A file has one YAML document for a concept, or one for the concept and one for each of its
  languages.
- A mapping from names to definitions, or to records.
- Any of these inside containers such as `terms:` or `glossary:`, or below sections, at any depth.

A record may have other names, related terms, a section, and a status. Each value is visited once,
so aliases and cycles take no additional time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import NamedTuple, TypeVar

from sitegen.formats.common import columns, entries, sphinx_markup
from sitegen.formats.common.columns import DEFINITIONS, NAME_KEYS, folded_title
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.headings import heading_kind
from sitegen.formats.common.record_values import (
    Record,
    RecordField,
    RecordList,
    RecordText,
    RecordValue,
)
from sitegen.formats.markdown.inline_html import to_reference
from sitegen.formats.markdown.markdown_html import Context
from sitegen.model import Document, Reading
from sitegen.text.memo import memo

Part = TypeVar("Part")

WANTED = (
    "wanted a list of records with a term and a definition each, or a mapping from terms to "
    "definitions"
)
CONTAINERS = frozenset(
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
LANGUAGE = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?")
CODES = frozenset(
    """
    ar bg ca cs da de el en es et eu fa fi fr ga he hi hr hu hy id it ja ko lt lv mt nl no pl pt ro
    ru sk sl sq sr sv th tr uk vi zh eng deu fra spa
    """.split()
)
"""Codes of languages, one of which is among those that a record is in."""
ENGLISH = ("en", "eng")
TEXTS = frozenset({"text", "content", "markdown", "html", "value"})
"""Keys with the text of a definition that is a mapping."""
STATUS = ("status", "entrystatus", "normativestatus")
DEPRECATED_VALUES = frozenset({"deprecated", "superseded", "obsolete", *columns.DEPRECATED})
MARKUP = re.compile(r"[*_`\[\]<>&\\|#~$]|^\s*(?:[-+]|\d+[.)])\s|://|\n", re.M)
MAX_WORDS = 2
"""The maximum number of words in a name that ends like a sentence."""
BETWEEN_NAMES = re.compile(r"\s*[;\n|]\s*")
ADDRESS = re.compile(r"https?://|[\w.]+@|/")
ALL_LANGUAGES = "mul"
"""The language of a Glossarist document that only refers to those of the languages."""
INDEX = frozenset({"localized_concepts", "localizedConcepts"})
"""Keys of the Glossarist document that only lists those of the languages."""
ABOUT_CONCEPT = frozenset(
    {"identifier", "domains", "groups", "related", "sources", "status", "tags", "dates"}
)
"""Keys of `data` in a Glossarist document that only contains what those of the languages have in
common."""
NUMBERS = ("id", "identifier", "data")
"""Keys that are not names in Glossarist."""
MENTION = re.compile(r"\{\{(?:[^{}|,]*[,|])?\s*([^{}|,]+?)\s*\}\}")
"""A mention of another term in Glossarist: `{{id, words}}`."""
STEM = re.compile(r"(?<![^\W\d])(?:stem|latexmath|asciimath):\[((?:[^\[\]]|\[[^\[\]]*\])*)\]")


def read(document: Document, value: RecordValue) -> Reading:
    """Returns the terms in the value of a file. The document's section may be the code of a
    language."""
    return entries.read(document, candidates(document, value), wanted=WANTED)


def candidates(document: Document, value: RecordValue) -> list[Candidate]:
    """Returns the terms in the value of a file, of which some may lack a definition."""
    section = document.section
    language = section if LANGUAGE.fullmatch(section) else ""
    found = entries.limited(document, _Finder(language).candidates(value))
    if section and not language:
        return entries.in_section(found, section)
    return found


def terms_of(record: Record) -> Iterator[Candidate]:
    """Yields the term of a record, unless it has no name, or is withheld."""
    return _Finder("")._term_of_record(record, "")


class _Finder:
    """Finds the terms of one file."""

    def __init__(self, language: str) -> None:
        self.language = language
        """The language to read if a term has several; if empty, English, or else the first one."""
        self._concept_language = ENGLISH[-1]
        self._is_from_datahub = False
        """True in a glossary of DataHub, whose nodes are not terms."""
        self._visited: set[int] = set()

    def candidates(
        self, value: RecordValue, section: str = "", *, depth: int = 0
    ) -> Iterator[Candidate]:
        """Yields the terms in a value."""
        if isinstance(value, RecordText) or id(value) in self._visited:
            return
        self._visited.add(id(value))
        if isinstance(value, RecordList):
            yield from self._terms_in_list(value, section, depth)
        elif concept := _concept(value):
            if concept.language in (self.language or self._concept_language, ""):
                yield from self._term_of_record(concept.about, section)
        elif _is_container(value):
            yield from self._terms_in_containers(value, section, depth)
        elif _is_record(self._of_language(value)):
            yield from self._term_of_record(value, section)
        else:
            yield from self._terms_by_key(value, section, depth)

    def _terms_in_list(self, several: RecordList, section: str, depth: int) -> Iterator[Candidate]:
        """Yields the terms in a list of records."""
        records = [item for item in several.items if isinstance(item, Record)]
        self._concept_language = _concept_language(records) or self._concept_language
        if records and not any(
            _is_record(self._of_language(item)) or _is_container(item) for item in records
        ):
            return
        for item in several.items:
            if not isinstance(item, Record) or _is_container(item) or _concept(item):
                yield from self.candidates(item, section, depth=depth + 1)
            else:
                yield from self._term_of_record(item, section)

    def _terms_in_containers(self, record: Record, section: str, depth: int) -> Iterator[Candidate]:
        """Yields the terms in the containers of a record."""
        if depth:
            section = _text(record, NAME_KEYS) or section
        elif _text(record, ("source",)).casefold() == "datahub":
            self._is_from_datahub = True
        for field in filter(_contains_records, record.fields):
            yield from self._terms_in_container(field, section, depth + 1)

    def _terms_in_container(
        self, field: RecordField, section: str, depth: int
    ) -> Iterator[Candidate]:
        """Yields the terms in a container."""
        value = field.value
        if self._is_from_datahub and field.title == "nodes" and isinstance(value, RecordList):
            records = [one for one in value.items if isinstance(one, Record)]
            value = value._replace(items=[*filter(_is_container, records)])
        if isinstance(value, Record) and not _is_record(value):
            yield from self._terms_by_key(value, section, depth)
        else:
            yield from self.candidates(value, section, depth=depth)

    def _term_of_record(
        self, record: Record, section: str, name: RecordText | None = None
    ) -> Iterator[Candidate]:
        """Yields the term of a record, unless it has no name, or is withheld. `name` is the
        record's key."""
        about = self._of_language(record)
        designations, avoided = _designations(about)
        avoided += _listed_names(about, columns.AVOID)
        own_name = _first_text(about, columns.WORDS)
        if own_name is None and designations:
            own_name = RecordText(about.line, designations[0])
        own_name = own_name or _first_text(record, columns.WORDS)
        if own_name is None and _is_record(about):
            own_name = _first_text(about, NAME_KEYS)
        first = name or own_name
        if first is None or not _statuses(record).isdisjoint(columns.WITHHELD):
            return
        names = [(own_name or first).text]
        if name and " " in name.text and folded_title(name.text) != folded_title(names[0]):
            names.append(name.text)
        anchors = [name.text] if name and name.text not in names else []
        anchors += [_text(record, (key,)) for key in columns.ANCHORS]
        related = [*_listed_names(about, columns.RELATED), *_listed_names(record, columns.RELATED)]
        names += [*designations, *_listed_names(about, columns.OTHER_NAMES)]
        yield Candidate(
            names=tuple(dict.fromkeys(filter(None, names))),
            html=_definition(about, related),
            line=first.line,
            anchors=tuple(dict.fromkeys(filter(None, anchors))),
            section=_text(about, columns.SECTIONS) or section,
            deprecated=not _statuses(about).isdisjoint(DEPRECATED_VALUES),
            avoided=tuple(dict.fromkeys(filter(None, avoided))),
        )

    def _terms_by_key(self, record: Record, section: str, depth: int) -> Iterator[Candidate]:
        """Yields the terms of a mapping whose keys are names, or sections."""
        self._visited.add(id(record))
        for field in record.fields:
            line, key, value = field
            is_about = depth == 0 and field.title in ABOUT
            if is_about and isinstance(value, RecordText):
                continue
            html = self._html_by_key(value)
            if html is not None:
                yield Candidate((key,), html, line, section=section)
            elif isinstance(value, Record) and _is_record(self._of_language(value)):
                if id(value) not in self._visited:
                    self._visited.add(id(value))
                    yield from self._term_of_record(value, section, RecordText(line, key))
            else:
                inner = section if is_about or heading_kind(key) == "letter" else key
                yield from self.candidates(value, inner, depth=depth + 1)

    def _html_by_key(self, value: RecordValue) -> str | None:
        """Returns the definition of a name whose value is a text, has translations or is the
        expansion of an acronym; None for a record or a section."""
        if isinstance(value, RecordText):
            return html_of(value.text)
        if isinstance(value, RecordList):
            return None
        if translated := self._translated(value):
            return html_of(translated)
        if _is_record(self._of_language(value)):
            return None
        # The name in a mapping of texts without a definition.
        name = _text(value, NAME_KEYS) if _only_texts(value) else ""
        return f"<p>See {sphinx_markup.reference(name, name)}.</p>" if name else None

    def _of_language(self, record: Record) -> Record:
        """Returns the part of a record in the language to read; the record itself if it has no such
        parts."""
        parts: dict[str, Record] = {}
        for field in record.fields:
            if isinstance(field.value, Record) and _is_record(field.value):
                parts[field.key] = field.value
        if not all(map(LANGUAGE.fullmatch, parts)):
            return record  # the keys are names, such as `api`
        codes = {re.split("[-_]", key)[0] for key in parts}
        if self.language not in parts and CODES.isdisjoint(codes):
            return record
        return self._in_language(parts) or record

    def _translated(self, record: Record) -> str:
        """Returns the definition in the language to read, from a mapping of languages to
        definitions."""
        parts = _only_texts(record)
        if not all(map(LANGUAGE.fullmatch, parts)) or "def" in parts:
            return ""
        return self._in_language(parts) or ""

    def _in_language(self, parts: Mapping[str, Part]) -> Part | None:
        """Returns the part in the language to read, or else in English, or the first."""
        wanted = (self.language,) if self.language else (*ENGLISH, *parts)
        return next((parts[key] for key in wanted if key in parts), None)


def _contains_records(field: RecordField) -> bool:
    """Returns whether a field contains records: `terms: …`, but not the parts of a Glossarist
    concept."""
    if isinstance(field.value, RecordText) or field.title not in CONTAINERS:
        return False
    if isinstance(field.value, Record):
        return True
    items = [item for item in field.value.items if isinstance(item, Record)]
    return bool(items) and not any(map(_is_part_of_concept, items))


def _is_part_of_concept(record: Record) -> bool:
    is_text = len(record.fields) < 3 and _text(record, ("content",)) != ""
    return is_text or _text(record, ("designation",)) != ""


def _is_container(record: Record) -> bool:
    return any(map(_contains_records, record.fields))


def _is_record(record: Record) -> bool:
    """Returns whether a mapping has a field for a definition, even an empty one, and contains no
    records."""
    return any(field.title in DEFINITIONS for field in record.fields) and not _is_container(record)


def _only_texts(record: Record) -> dict[str, str]:
    """Returns the texts of a mapping that has nothing else."""
    texts = {
        field.key: field.value.text
        for field in record.fields
        if isinstance(field.value, RecordText)
    }
    return texts if len(texts) == len(record.fields) else {}


def _definition(record: Record, related: Iterable[str]) -> str:
    """Returns the HTML of the definition in a record, of notes, examples and related terms; empty
    without a definition."""
    html = _definition_html(_text(record, DEFINITIONS))
    if not html:
        return ""
    for text in _texts_in(record, "notes", "content"):
        html += sphinx_markup.note("Note", _definition_html(text))
    for text in _texts_in(record, "examples", "content"):
        html += sphinx_markup.titled("Example", _definition_html(text))
    # Web addresses are left out.
    names = [name for name in dict.fromkeys(related) if name and not ADDRESS.match(name)]
    return html + sphinx_markup.see_also_terms(names)


def _first_text(record: Record, titles: tuple[str, ...]) -> RecordText | None:
    """Returns the text of the first of the keys that has one."""
    values = {field.title: field.value for field in reversed(record.fields)}
    for title in titles:
        if title in values and (text := _text_of(values[title])):
            return RecordText(values[title].line, text)
    return None


def _text(record: Record, titles: tuple[str, ...]) -> str:
    """Returns the same without its line; empty if there is none."""
    found = _first_text(record, titles)
    return found.text if found else ""


def _text_of(value: RecordValue) -> str:
    """Returns the text of a value, which may be `{text: …}`, `[{content: …}]`, numbered senses or a
    list of paragraphs.
    """
    if isinstance(value, RecordText):
        return value.text.strip()
    if isinstance(value, RecordList):
        texts = [_text_of(item) for item in value.items if not isinstance(item, RecordList)]
        return "\n\n".join(filter(None, texts))
    if value.fields and all(field.key.isdigit() for field in value.fields):
        senses = [" ".join(_text_of(field.value).split()) for field in value.fields]
        if len(senses) == 1:
            return senses[0]
        return "\n".join(f"{number}. {sense}" for number, sense in enumerate(senses, start=1))
    part = next((field.value for field in value.fields if field.key in TEXTS), None)
    return part.text.strip() if isinstance(part, RecordText) else ""


def _listed_names(record: Record, titles: tuple[str, ...]) -> Iterator[str]:
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
            yield from [_text(item, NAME_KEYS) for item in items if isinstance(item, Record)]


def _names_in(text: str) -> list[str]:
    """Returns the names in a text, separated by line ends, semicolons, bars or commas; none if it
    is a sentence."""
    if text.rstrip().endswith((".", "!", "?")) and len(text.split()) > MAX_WORDS:
        return []
    separated = BETWEEN_NAMES.split(text.strip())
    names = separated if len(separated) > 1 else text.split(",")
    return [name.strip() for name in names if name.strip()]


def _designations(record: Record) -> tuple[list[str], list[str]]:
    """Returns the designations of a Glossarist concept, or the names of our own `glossary.json`:
    those that may be used, and those to avoid."""
    names: list[str] = []
    avoided: list[str] = []
    for field in record.fields:
        if field.title not in ("terms", "names") or not isinstance(field.value, RecordList):
            continue
        for item in field.value.items:
            if isinstance(item, Record) and (text := _text(item, ("designation", "text"))):
                is_avoided = _text(item, STATUS).lower() in DEPRECATED_VALUES
                (avoided if is_avoided else names).append(text)
    return names, avoided


def _statuses(record: Record) -> set[str]:
    """Returns the status of a record, and the keys that are true: `deprecated: true`."""
    statuses = {_text(record, STATUS).lower()}
    for field in record.fields:
        value = field.value
        if isinstance(value, RecordText) and value.text.strip().lower() in columns.TRUE:
            statuses.add(field.title)
    return statuses


class _Concept(NamedTuple):
    """A Glossarist concept in one language."""

    language: str
    about: Record


def _concept(record: Record) -> _Concept | None:
    """Returns the Glossarist concept in a mapping; None if the mapping is another kind of
    record."""
    data = record.get("data")
    about = record
    if isinstance(data, Record) and any(_texts_in(data, "terms", "designation")):
        about = data
    language = _language(about) or _language(data)
    if (language or about is data) and any(_texts_in(about, "terms", "designation")):
        fields = [field for field in about.fields if field.key not in NUMBERS]
        return _Concept(language, about._replace(fields=fields))
    keys = {field.key for field in data.fields} if isinstance(data, Record) else set()
    is_index = keys & INDEX or ("identifier" in keys and keys <= ABOUT_CONCEPT)
    return _Concept(ALL_LANGUAGES, record) if is_index else None


def _language(value: RecordValue | None) -> str:
    code = value.get("language_code") if isinstance(value, Record) else None
    return code.text if isinstance(code, RecordText) else ""


def _concept_language(records: Iterable[Record]) -> str:
    """Returns the language of concepts to read: English, or else the most frequent one; empty if
    there is none."""
    concepts = [concept for concept in map(_concept, records) if concept]
    languages = Counter(concept.language for concept in concepts)
    del languages[ALL_LANGUAGES]
    if ENGLISH[-1] in languages:
        return ENGLISH[-1]
    return max(languages, key=languages.__getitem__, default="")


def _texts_in(record: Record, key: str, inner: str) -> Iterator[str]:
    """Yields a text of each mapping in the list that is the value of a key, and the texts in it."""
    several = record.get(key)
    if not isinstance(several, RecordList):
        return
    for item in several.items:
        text = item.get(inner) if isinstance(item, Record) else item
        if isinstance(text, RecordText) and text.text.strip():
            yield text.text


@memo
def html_of(text: str) -> str:
    """Returns the HTML of a definition, which may have Markdown in it."""
    text = text.strip()
    if not text:
        return ""
    if not MARKUP.search(text):
        return f"<p>{escape(text, quote=False)}</p>"
    return Context(address=to_reference).html(text)


def _definition_html(text: str) -> str:
    """Returns the HTML of a text that may have mentions of terms and formulas of Glossarist."""
    return html_of(STEM.sub(r"`\1`", MENTION.sub(r"\1", text)))
