"""Recognizes documents that are called like a glossary and are none: instructions, contracts,
codes, manual pages, records of decisions."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import NamedTuple

from sitegen import formats
from sitegen.formats.common.headings import title_of
from sitegen.formats.common.record_values import SENTENCE_ENDS
from sitegen.model import Document, Entry
from sitegen.sources.discovery.classification import RECORDS, headings

DECISION = ({"decision", "consequences"}, {"decisions", "consequences"})
"""Headings that identify an architecture decision record."""
MANUAL_PAGE = re.compile(
    r"^(?:#+ |\.SH )?NAME\b.*?^(?:#+ |\.SH )?SYNOPSIS\b", re.DOTALL | re.MULTILINE
)
"""Matches "## NAME" or ".SH NAME", and SYNOPSIS further down."""
API = r"(?m)^(?:\s*\{)?\s*\"?(?:openapi|swagger|asyncapi)\"?\s*:\s*[\"']?\d"
"""Matches `openapi: 3.0.0` and `{"swagger": "2.0"`."""
SCHEMA_KEYS = (r"(?m)^ {0,4}\"?type\"?\s*:\s*[\"']?object\b", r"(?m)^ {0,4}\"?properties\"?\s*:")
"""The two keys that the JSON Schema of an object has."""
HOW_TO = re.compile(
    r"(?:how|new|about|working[-_ ]with|verify(?:ing)?|spin(?:ning)?|updat(?:e|ing)|us(?:e|ing)"
    r"|(?:add|build|check|export|import|maintain|review)(?:ing)?"
    r"|(?:contribut|creat|generat|manag|translat|writ)(?:e|ing))[-_ ]",
    re.IGNORECASE,
)
"""Matches the beginning of "How to add a term" and of `adding-terms.md`."""
FEATURE = re.compile(
    r"(?:.*\s)?(?:glossar(?:y|ies)|terminology|terms|vocabular(?:y|ies))\s+(?:(?:aggregation|api"
    r"|app|audit|browser|change|cli|client|command|configuration|editor|exporter|extension|feature"
    r"|file|generator|importer|integration|manager|management|migration|module|options?|parser"
    r"|plugin|proposal|query|server|service|settings|support|system|tool|update|viewer|widget"
    r"|workflow)s?)\b.*",
    re.IGNORECASE,
)
"""The title of a page on a feature that is called glossary."""
CONTRACT = re.compile(
    r"(?:.*\s)?terms (?:of (?:sale|service|use)|(?:and|&) conditions)\b.*"
    r"|.*(?:nutzungsbedingungen|conditions générales|términos (?:de (?:servicio|uso)|y condiciones)"
    r"|termos (?:de (?:serviço|uso)|e condições)|termini (?:di servizio|e condizioni)"
    r"|условия использования|利用規約|服务条款|服務條款|使用条款|이용약관).*",
    re.IGNORECASE,
)
"""The title of a contract that is called terms."""
LICENSE = re.compile(r"(?:licen[cs]e|copying|eula)\b(?!.*gloss)", re.IGNORECASE)
"""Matches the beginning of a file name such as `LICENSE.md`, but not of `license-glossary.md`."""
STEP = re.compile(
    r"usage\b.*|configuration|installation|customi[sz]ation|getting "
    r"started|set-?up(?: instructions)?|examples?|features|options|troubleshooting|learn more"
    r"|tech(?:nology)? stack|project structure|licen[cs]e|contributing|development|deployment|demo"
    r"|roadmap|screenshots|tests?|testing\b.*"
    r"|requirements|prerequisites|quick ?start|next steps|how .+|why .+|step \d+\b.*"
    r"|(?:[\w-]+ )?guidelines|tips for .+|additional resources"
    r"|goals?|inputs?|outputs?|acceptance criteria|definition of done"
    r"|what (?:is|are) (?:an? )?(?:[\w-]+ )?(?:glossar(?:y|ies)|terms?)\b.*"
    r"|(?:add|assign|configur|contribut|creat|defin|delet|edit|enabl|export|generat|import|install"
    r"|link|mak|manag|remov|runn?|search|shar|updat|us|view|writ|build|work)ing .+"
    r"|(?:add|assign|create|define|delete|edit|export|import|link|manage|remove|search|share|update"
    r"|use|view|build|configure|convert|generate|train|get)"
    r" (?:an?|from|glossar(?:y|ies)|new|terms?|vocabular(?:y|ies)|the|to|your)\b.*"
    r"|\w+ (?:options|settings)"
)
"""Headings of instructions, in lower case."""
MAX_CODE = 20
"""The maximum number of characters of a value without spaces that may be a code or a
translation."""
MAX_MESSAGE = 3
"""The maximum number of words of a value that may be a message, if its key is a name in code."""
MAX_RATIO = 1.5
"""The maximum length of translations, relative to what is translated."""
CODE_KEY = re.compile(r"[a-z]+\d*(?:[A-Z][A-Za-z0-9]*|[._]\w+)+")
"""The key of a message: `searchTerms`, `search_terms`, `search.terms`."""


class ReadFile(NamedTuple):
    """A file, with the facts by which a document of another kind than a glossary is recognized."""

    document: Document
    title: str
    headings: frozenset[str]
    """Its folded headings but for the first one."""
    sections: frozenset[str]
    """The headings of the highest level among these."""


def kind_of_other_document(document: Document) -> str:
    """Returns what kind of other document a file is, such as "a contract" for "Terms of Service";
    empty if it may be a glossary."""
    all_headings = headings(document.text)
    without_title = all_headings[1:]
    highest = min([heading.level for heading in without_title], default=0)
    names = set()
    sections = set()
    for heading in without_title:
        names.add(heading.name.casefold())
        if heading.level == highest:
            sections.add(heading.name.casefold())
    file = ReadFile(
        document=document,
        title=title_of(all_headings),
        headings=frozenset(names),
        sections=frozenset(sections),
    )
    for kind, applies in OTHER_DOCUMENTS:
        if applies(file):
            return kind
    return ""


def _is_called_instructions(file: ReadFile) -> bool:
    """True for a name or title such as "How to add a term", or "Glossary configuration"."""
    stem = PurePosixPath(file.document.path).stem
    is_how_to = HOW_TO.match(stem) or HOW_TO.match(file.title)
    return bool(is_how_to or FEATURE.fullmatch(file.title))


def _is_contract(file: ReadFile) -> bool:
    """True for a title such as "Terms of Service"."""
    return CONTRACT.fullmatch(file.title) is not None


def _is_license(file: ReadFile) -> bool:
    """True for a file such as `LICENSE.md`, whose definitions are those of words in a contract."""
    return LICENSE.match(PurePosixPath(file.document.path).name) is not None


def _has_steps(file: ReadFile) -> bool:
    """True if at least half of the headings are headings of instructions. The headings of the
    highest level are also counted alone."""
    for names in (file.headings, file.sections):
        steps = set(filter(STEP.fullmatch, names))
        if len(steps) > 1 and 2 * len(steps) >= len(names):
            return True
    return False


def _has_codes(file: ReadFile) -> bool:
    """True for records of which most values are codes (`"coolRack": "rk-"`), translations
    (`"saw": "Säge"`) or messages of a program."""
    if not file.document.path.lower().endswith(RECORDS):
        return False
    found = formats.read(file.document).entries
    names_length = texts_length = sentences = codes = 0
    for entry in found:
        text = entry.definition.text
        names_length += len(entry.name)
        texts_length += len(text)
        if text.endswith(SENTENCE_ENDS):
            sentences += 1
        if _is_code(entry):
            codes += 1
    # Translations are about as long as their names, and they are no sentences.
    is_as_long = texts_length <= MAX_RATIO * names_length
    are_translations = is_as_long and 2 * sentences < len(found)
    return are_translations or 2 * codes > len(found)


def _is_code(entry: Entry) -> bool:
    """True for a short text without spaces (`"coolRack": "rk-"`), and for a few words if their name
    is a key in code (`"searchTerms": "Search terms"`)."""
    text = entry.definition.text
    if text.endswith(SENTENCE_ENDS):
        return False
    if " " not in text:
        return len(text) <= MAX_CODE
    return len(text.split()) <= MAX_MESSAGE and CODE_KEY.fullmatch(entry.name) is not None


def _describes_data(file: ReadFile) -> bool:
    """True for records that are in OpenAPI, AsyncAPI or JSON Schema."""
    text = file.document.text
    if not file.document.path.lower().endswith(RECORDS):
        return False
    is_schema = all(re.search(key, text) for key in SCHEMA_KEYS)
    return is_schema or re.search(API, text) is not None


def _is_manual_page(file: ReadFile) -> bool:
    """True for a page with the headings of a manual page of Unix."""
    return MANUAL_PAGE.search(file.document.text) is not None


def _is_decision(file: ReadFile) -> bool:
    """True for an architecture decision record."""
    return any(names_of_sections <= file.headings for names_of_sections in DECISION)


OTHER_DOCUMENTS: tuple[tuple[str, Callable[[ReadFile], bool]], ...] = (
    ("instructions", _is_called_instructions),
    ("a contract", _is_contract),
    ("a license", _is_license),
    ("instructions", _has_steps),
    ("a description of an API or of data", _describes_data),
    ("codes or translations, as its values are no definitions", _has_codes),
    ("a manual page", _is_manual_page),
    ("a record of a decision", _is_decision),
)
"""The kinds of documents that are called like a glossary and are none, each with its rule."""
