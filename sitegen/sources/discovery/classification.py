"""Classifies the text of a file: it has terms, it has a section of terms, or it is another kind of
document.

Also recognizes folders in which every page defines one term, whatever headings the page has below
its title, and the language of a glossary.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from math import inf
from pathlib import PurePosixPath
from typing import NamedTuple

from sitegen import formats
from sitegen.formats.common import columns
from sitegen.formats.common.fences import MARKDOWN_SUFFIXES
from sitegen.model import Document, Entry, ProblemKind
from sitegen.sources import glossary_names as names
from sitegen.sources.linked_files import with_includes
from sitegen.sources.section_titles import ReleaseFiles
from sitegen.text import unread_formats
from sitegen.text import words as text_words

Includes = tuple[tuple[str, str], ...]

DECISION = ({"decision", "consequences"}, {"decisions", "consequences"})
"""Headings that identify an architecture decision record."""
MANUAL_PAGE = re.compile(
    r"^(?:#+ |\.SH )?NAME\b.*?^(?:#+ |\.SH )?SYNOPSIS\b", re.DOTALL | re.MULTILINE
)
HOW_TO = re.compile(
    r"(?:how|new|about|working[-_ ]with|verify(?:ing)?|spin(?:ning)?|updat(?:e|ing)|us(?:e|ing)"
    r"|(?:add|build|check|export|import|maintain|review)(?:ing)?"
    r"|(?:contribut|creat|generat|manag|writ)(?:e|ing))[-_ ]",
    re.IGNORECASE,
)
FORM = re.compile(
    r"[-_ ](?:format|template|schema|guidelines|style-?guide|verify|prompt)\.\w+$", re.IGNORECASE
)
FEATURE = re.compile(
    r"(?:.*\s)?(?:glossar(?:y|ies)|terminology|vocabular(?:y|ies))\s+(?:(?:api|cli|command|configuration"
    r"|audit|change|editor|extension|feature|file|generator|integration|manager|management|migration"
    r"|module"
    r"|options?|plugin|service|proposal|settings|support|system|tool|update|widget|workflow)s?)\b.*",
    re.IGNORECASE,
)
"""The title of a page on a feature that is called glossary."""
STEP = re.compile(
    r"usage|configuration|installation|customi[sz]ation|getting "
    r"started|set-?up|examples?|options|troubleshooting"
    r"|requirements|prerequisites|quick ?start|next steps|how .+|why .+"
    r"|what (?:is|are) (?:an? )?(?:[\w-]+ )?(?:glossar(?:y|ies)|terms?)\b.*"
    r"|(?:add|assign|configur|contribut|creat|defin|delet|edit|enabl|export|generat|import|install"
    r"|link|mak|manag|remov|runn?|search|shar|updat|us|view|writ|build|work)ing .+"
    r"|(?:add|assign|create|define|delete|edit|export|import|link|manage|remove|search|share|update"
    r"|use|view|build|configure|convert|generate|train)"
    r" (?:an?|from|glossar(?:y|ies)|new|terms?|the|to|your)\b.*"
    r"|\w+ (?:options|settings)"
)
"""Headings of instructions, in lower case."""
DESIGN = re.compile(
    r"(?:accessibility|privacy|security)(?: notes)?|architecture|arguments|attributes|behaviou?r"
    r"|classes|components|constructors?|exceptions|functions|(?:\w+ )?methods|parameters"
    r"|properties|data (?:flow|model)|(?:document|response|request) (?:format|shape)|endpoints"
    r"|error handling|files"
    r"|implementation(?: notes)?|initiali[sz]ation|input|limitations|limits|output|overview"
    r"|(?:[\w-]+ ){0,2}(?:formats?|guidelines|naming conventions?)|maintenance|structure"
    r"|support|licen[cs]e|usage in .+|version history"
    r"|performance|permissions|purpose|routes|schema|storage|tests?|testing|`?\w+\(.*\).*"
)
"""Headings of the description of a feature, in lower case."""
COMMAND = re.compile(
    r"^#+ (?:usage|installation|getting started|quick ?start|command(?: line)?|synopsis)[ \t]*\n\s*"
    r"(?:```|~~~|\$ )",
    re.IGNORECASE | re.MULTILINE,
)
"""A heading above a command line, such as in the manual of a program that is called glossary."""
SENTENCE_ENDS = (".", "!", "?", "。")
RECORDS = (".json", ".yaml", ".yml")
MAX_CODE = 20
"""The maximum number of characters of a value without spaces that may be a code or a
translation."""
MAX_MESSAGE = 3
"""The maximum number of words of a value that may be a message, if its key is a name in code."""
MAX_RATIO = 1.5
"""The maximum length of translations, relative to what is translated."""
CODE_KEY = re.compile(r"[a-z]+\d*(?:[A-Z][A-Za-z0-9]*|[._]\w+)+")
"""The key of a message: `searchTerms`, `search_terms`, `search.terms`."""
TERM_FILE = "page"
"""The name of the format that reads a whole file as one term."""
FENCE = re.compile(r"^(?P<fence>```+|~~~+).*?^(?P=fence)", re.MULTILINE | re.DOTALL)
TITLED = re.compile(
    r"\A\s*---\n.*?^(?:title|term|name):[ \t]*\S.*?^---[ \t]*$", re.MULTILINE | re.DOTALL
)
HEADING = re.compile(r"^(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)
HTML_HEADING = re.compile(r"<h([1-6])\b[^<>]*>(.{1,400}?)</h\1>", re.DOTALL | re.IGNORECASE)
TABLE_HEAD = re.compile(r"^ {0,3}\|([^\n]+)\|[ \t]*\n {0,3}\|(?=[-: |]+$)", re.MULTILINE)
TITLE = re.compile(
    r"\A(?:---\n.*?\n---\n)?\s*(?:#+ +(.+)|(.+)\n[=-]{3,}$)", re.DOTALL | re.MULTILINE
)

ARTICLE = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)
AVOID = re.compile(r"^\W*avoid\W*:|[._*\s]_?avoid_?\*{0,2}:", re.IGNORECASE | re.MULTILINE)
"""Matches the label of the names to avoid: `_Avoid_: user`."""

FREQUENT = {
    "de": "der die das und ist ein eine einen den dem des von mit für auf nicht wird oder zu im "
    "sich bei",
    "en": "the of and is to that in for with by are it which this an as be or from can",
    "es": "el la los las de y es un una en que para por con del se al como",
    "fr": "le la les des de et est une un du dans pour qui que par sur ou en au",
    "pt-BR": "o a os as de e é um uma para que por com do da no na em não",
    "ca": "el la els les de i és un una per que amb del dels en",
    "it": "il lo la gli le di e è un una per che con del della dei si nel",
    "nl": "de het een van en is voor met die dat op in wordt te",
    "ro": "de și este o un la cu pentru care din în sau",
    "pl": "i w z na do nie jest się to że jak lub od po przez dla o a",
    "cs": "a v na se je že s z do k pro nebo jako od o který",
    "hr": "i u na je se da za s od koji ili kao",
    "sv": "och att det som en ett är av för med på den till i",
    "da": "og at det som en et er af for med på den til i",
    "hu": "a az és egy hogy nem van vagy",
    "tr": "ve bir bu için ile olarak da de veya olan",
    "id": "yang dan di untuk dengan dari pada ini adalah atau",
    "vi": "là và của các một có cho được trong không",
}
"""By language, words that about every third word of a text is one of."""
UNDERLINE = re.compile(r"([=\-~^*+\"'.#])\1{2,} *")
MIN_FREQUENT = 8
"""The minimum number of such words by which a language is recognized."""
ONE_IN = 10
"""The minimum share of such words: one in ten."""


def unread_reason(path: str) -> str:
    """Returns the reason why a file cannot be read if no format supports its suffix, else an empty
    string."""
    ending = PurePosixPath(path).suffix.lower()
    if ending in names.readable():
        return ""
    return _unread(unread_formats.DOCUMENTS[ending])


def no_terms(path: str, text: str) -> str:
    """Returns the reason why a file that is named like a glossary has no terms."""
    document = _document(path, text)
    if (found := formats.unread_format(document)) and found.wanted:
        return _unread(found)
    for problem in formats.read(document).problems:
        if problem.kind is ProblemKind.MARKUP:
            return f"{problem.found} (line {problem.line})"
    return "no terms are recognized in it"


def _unread(format: unread_formats.UnreadFormat) -> str:
    return f"{format.name} is not read" + (f"; {format.wanted}" if format.wanted else "")


def defined(
    path: str, text: str, section: str = "", *, format: str = "", includes: Includes = ()
) -> frozenset[str]:
    """Returns the names of the terms that a file defines, or a section of it."""
    document = replace(_document(path, text, section, format), includes=includes)
    return frozenset(entry.name.casefold() for entry in formats.read(document).entries)


def entries(path: str, text: str, section: str = "") -> tuple[Entry, ...]:
    return formats.read(_document(path, text, section)).entries


def included(path: str, text: str, files: ReleaseFiles) -> Includes:
    """Returns the texts that a file includes, by their targets."""
    return with_includes(_document(path, text), files).includes


def _document(path: str, text: str, section: str = "", format: str = "") -> Document:
    return Document(
        source="", release="", path=path, name=path, text=text, section=section, format=format
    )


def title_of_text(text: str) -> str:
    """Returns the heading that a text begins with; empty if there is none."""
    title = TITLE.match(text)
    if title is None:
        return ""
    words: str = title[1] or title[2]
    return words.partition("\n")[0].strip()


def first_title(text: str) -> str:
    """Returns the first heading of a text, wherever it is; empty if there is none."""
    heading = HEADING.search(text)
    return heading[2] if heading else title_of_text(text)


class ReadFile(NamedTuple):
    """What decides whether a file is another document than a glossary."""

    path: str
    text: str
    title: str
    headings: frozenset[str]
    """Its folded headings but for the first one."""
    sections: frozenset[str]
    """Those of the highest level."""


def is_something_else(path: str, text: str) -> str:
    """Returns what kind of other document a file is; empty if it may be a glossary."""
    leveled = _leveled_headings(text)[1:]
    highest = min((level for level, _ in leveled), default=0)
    file = ReadFile(
        path=path,
        text=text,
        title=title_of_text(text),
        headings=frozenset(name for _, name in leveled),
        sections=frozenset(name for level, name in leveled if level == highest),
    )
    for kind, applies in OTHER_DOCUMENTS:
        if applies(file):
            return kind
    return ""


def _leveled_headings(text: str) -> list[tuple[int, str]]:
    """Returns the level and the folded text of each heading of Markdown or HTML."""
    plain = FENCE.sub("", text)
    found = [(len(marks), name.casefold()) for marks, name in HEADING.findall(plain)]
    for level, html in HTML_HEADING.findall(plain):
        found.append((int(level), re.sub("<[^<>]*>", "", html).strip(" \n¶#").casefold()))
    return found


def _is_called_instructions(file: ReadFile) -> bool:
    """True for a name or title such as "How to add a term", or "Glossary configuration"."""
    stem = PurePosixPath(file.path).stem
    is_how_to = HOW_TO.match(stem) or HOW_TO.match(file.title) or FORM.search(file.path)
    return bool(is_how_to or FEATURE.fullmatch(file.title))


def _has_command(file: ReadFile) -> bool:
    return len(COMMAND.findall(file.text)) == 1


def _has_steps(file: ReadFile) -> bool:
    """True if at least half of the headings are those of instructions."""
    for headings in (file.headings, file.sections):
        steps = _matching(STEP, headings)
        if len(steps) > 1 and 2 * len(steps) >= len(headings):
            return True
    return False


def _has_parts(file: ReadFile) -> bool:
    """True if at least half of the headings are those of the description of a feature."""
    for headings in (file.headings, file.sections):
        parts = _matching(DESIGN, headings)
        known = parts | _matching(STEP, headings)
        if len(parts) > 2 and 2 * len(known) >= len(headings):
            return True
    return False


def _matching(pattern: re.Pattern[str], headings: Collection[str]) -> set[str]:
    return {heading for heading in headings if pattern.fullmatch(heading)}


def _has_codes(file: ReadFile) -> bool:
    return file.path.lower().endswith(RECORDS) and _are_codes(entries(file.path, file.text))


def _is_manual_page(file: ReadFile) -> bool:
    return MANUAL_PAGE.search(file.text) is not None


def _is_decision(file: ReadFile) -> bool:
    """True for an architecture decision record."""
    return any(names_of_sections <= file.headings for names_of_sections in DECISION)


OTHER_DOCUMENTS: tuple[tuple[str, Callable[[ReadFile], bool]], ...] = (
    ("instructions", _is_called_instructions),
    ("instructions", _has_command),
    ("instructions", _has_steps),
    ("the description of a feature", _has_parts),
    ("codes or translations, as its values are no definitions", _has_codes),
    ("a manual page", _is_manual_page),
    ("a record of a decision", _is_decision),
)
"""The kinds of documents that are called like a glossary and are none, each with its rule."""


def _are_codes(found: Sequence[Entry]) -> bool:
    """Returns whether most definitions are codes, translations or messages of a program.

    Translations are about as long as their names, and no sentences.
    """
    texts = [entry.definition.text for entry in found]
    names_length = sum(len(entry.name) for entry in found)
    is_as_long = sum(map(len, texts)) <= MAX_RATIO * names_length
    sentences = sum(text.endswith(SENTENCE_ENDS) for text in texts)
    are_translations = is_as_long and 2 * sentences < len(texts)
    return are_translations or 2 * sum(map(_is_code, found)) > len(found)


def _is_code(entry: Entry) -> bool:
    """True for a short text without spaces (`"coolRack": "rk-"`), and for a few words whose name is
    a key in code (`"searchTerms": "Search terms"`)."""
    text = entry.definition.text
    if text.endswith(SENTENCE_ENDS):
        return False
    if " " not in text:
        return len(text) <= MAX_CODE
    return len(text.split()) <= MAX_MESSAGE and CODE_KEY.fullmatch(entry.name) is not None


def has_terms_only(path: str, text: str) -> bool:
    """Returns whether a file whose name and title do not say so is a glossary by the look of its
    terms.

    It has a table whose first column is titled "Term", and another "Definition"; or it says which
    names to avoid; or nearly all of its definitions begin with their names.
    """
    if any(map(_is_head_of_terms, TABLE_HEAD.findall(text))) or AVOID.search(text):
        return True
    found = entries(path, text)
    begun = [entry for entry in found if _begins_with_name(entry)]
    return 4 * len(begun) >= 3 * len(found) > 0


def _is_head_of_terms(row: str) -> bool:
    """True for the head of a table whose first column is titled "Term", and another
    "Definition"."""
    cells = [cell.strip(" *") for cell in row.split("|")]
    has_terms = columns.folded_title(cells[0]) in columns.TERMS
    return has_terms and bool(columns.column(cells, columns.DEFINITIONS, (0,)))


def _begins_with_name(entry: Entry) -> bool:
    text = text_words.fold(ARTICLE.sub("", entry.definition.text))
    return f"{text} ".startswith(f"{text_words.fold(entry.name)} ")


def section_of(text: str) -> str:
    """Returns the first heading of a glossary section in a text; empty if there is none."""
    for line, below in pairwise([*text.splitlines(), ""]):
        title = ""
        if heading := re.match(r"#{1,6} +(.*?) *#* *$", line):
            title = heading[1]
        elif line.strip() == line and UNDERLINE.fullmatch(below):
            title = line
        if title and re.fullmatch(names.SECTION, names.plain(title).rstrip(": ")):
            return title.strip()
    return ""


def are_pages(texts: Iterable[tuple[str, str]]) -> bool:
    """True if most of these files are pages that define one term each; `texts` has their paths and
    texts.

    Such a page begins with a title. It has no headings below, or headings that other pages have as
    well (`Examples`), or that contain the title (`Why unit testing matters`). Headings that are all
    different are terms of their own.
    """
    pages = []
    common: Counter[str] = Counter()
    for path, text in texts:
        if path.lower().endswith(MARKDOWN_SUFFIXES) and not names.is_beside_terms(path):
            title, below = _headings(text)
            pages.append((title, below))
            common.update({*below})
    number = 0
    for title, below in pages:
        has_common = any(common[heading] > 2 or title in heading for heading in below)
        if title and (has_common or not below):
            number += 1
    return bool(pages) and 4 * number >= 3 * len(pages)


def _headings(text: str) -> tuple[str, Sequence[str]]:
    """Returns the title of a page, and the headings below it. A text without headings is titled by
    its file."""
    marks, headings = [], []
    for mark, name in HEADING.findall(FENCE.sub("", text)):
        marks.append(mark)
        headings.append(text_words.fold(name))
    if TITLED.match(text):
        return "title", headings
    if not headings:
        return ("file" if text.strip() else ""), ()
    if min(map(len, marks[1:]), default=inf) <= len(marks[0]):
        return "", ()
    return headings[0], headings[1:]


def detected_language(texts: Iterable[str]) -> str:
    """Returns the language of these texts, by its script or its frequent words; empty if it is
    unknown.

    Mixed texts are in the language that has twice as many frequent words as English, or most of the
    letters.
    """
    text = re.sub(r"\S+://\S+", "", " ".join(texts)).lower()
    letters = _number("[^\\W\\d_]", text) or 1
    if 10 * _number("[\u3041-\u30fa]", text) > letters:
        return "ja"
    if 4 * _number("[\u4e00-\u9fff]", text) > letters:
        is_traditional = _number("[這個為與說學資訊]", text) > _number("[这个为与说学资讯]", text)
        return "zh-Hant" if is_traditional else "zh-Hans"
    if 2 * _number("[\u0620-\u06ff]", text) > letters:
        return "" if re.search("[پچژگکی]", text) else "ar"
    if 2 * _number("[\u0400-\u04ff]", text) > letters:
        is_russian = re.search("[ыэ]", text) and not re.search("[іїєґўђјљњћџѓќ]", text)
        return "ru" if is_russian else ""
    return _by_frequent_words(re.findall(r"[^\W\d_]+", text))


def _number(pattern: str, text: str) -> int:
    return len(re.findall(pattern, text))


def _by_frequent_words(words: Sequence[str]) -> str:
    """Returns the language of which words in lower case are; empty if it is unknown."""
    count = Counter(words)
    hits = {}
    for language, frequent in FREQUENT.items():
        hits[language] = sum(count[word] for word in frequent.split())
    best = max(hits, key=lambda language: hits[language])
    enough = max(MIN_FREQUENT, len(words) // ONE_IN)
    if best != "en":
        enough = max(enough, 2 * hits["en"])
    return best if hits[best] >= enough else ""
