"""The titles of columns and the names of fields in tables and records of terms, in several
languages.

If the titles are unknown, the names are in the first column of short, different texts, and the
definitions in the column with the longest texts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from sitegen.text import labels

MAX_GUESSED_NAME = 80
"""The maximum number of characters of a guessed name: no title of a column and no markup shows that
it is one."""
MAX_WORDS = 6
"""The maximum number of words of a name in a column without a known title."""
BETWEEN_TITLES = r"\s*(?:[,/|&()+;]|\b(?:or|and|oder|ou|und|y|e)\b|\.{2,}|…)\s*"
"""Matches the separators of several titles of one column: "Term, acronym"."""


@lru_cache(4096)
def folded_title(title: str) -> str:
    """Returns a title without case, accents and punctuation: `Also known-as` is `alsoknownas`,
    `Abkürzung` is `abkurzung`."""
    signs = unicodedata.normalize("NFKD", title.casefold())
    plain = "".join([sign for sign in signs if not unicodedata.combining(sign)])
    return re.sub(r"[\W_]+", "", plain)


def _titles(*texts: str) -> tuple[str, ...]:
    """Returns the titles in texts with commas, folded and without duplicates: `term` and
    `preferredterm` of "term, preferred term"."""
    titles = ",".join(texts).split(",")
    return tuple(dict.fromkeys(map(folded_title, titles)))


# In order of precedence.
TERMS = _titles(
    """
    term, terms, preferred term, terminology, concept, begriff, begriffe, benennung, bezeichnung,
    terme, termino, concepto, termo, conceito, termine, begrip, begrepp, begreb, termin, pojecie,
    pojem, terim, kavram, термин, понятие, thuật ngữ, 語, 用語, 術語, 术语, 词条, 용어, اصطلاح,
    المصطلح, مصطلح
    """
)
"""Titles of a column of names that are unambiguous."""
TITLES_OF_PAGES = _titles(
    # Some translators of front matter translate the key, too.
    """
    title, term, name, título, العنوان, عنوان, शीर्षक, टाइटल, শিরোনাম, タイトル, 제목, 标题, 標題,
    заголовок, begriff, benennung, bezeichnung, terme, término, termo, termine, begrip, begrepp,
    termin, pojem, terim, термин, понятие, 用語, 術語, 术语, 용어
    """
)
"""Keys of front matter with the name of a term, or the title of a page."""
ABBREVIATIONS = _titles(
    """
    abbreviation, abbreviations, abbrev, acronym, acronyms, abbr, short, abkurzung, akronym,
    acronyme, abreviation, acronimo, abreviacao, abreviatura, sigle, sigla, siglas, skrot,
    afkorting, аббревиатура, сокращение, 缩写, 略語, 頭字語, 약어, الاختصار, সংক্ষিপ্ত রূপ
    """
)
NAMES = (
    TERMS
    + _titles(
        """
        name, names, word, words, headword, lemma, designation, expression, phrase, keyword, entry,
        wort, stichwort, mot, nom, palabra, nombre, palavra, nome, parola, voce, uttryck, woord,
        slovo, слово, 名词, 词语, 词汇, 単語, واژه, শব্দ
        """
    )
    + ABBREVIATIONS
)
DEFINITIONS = _titles(
    """
    definition, def, definitions, meaning, meanings, explanation, description, desc, text, content,
    body, long, details, summary, gloss, short definition, short description, long description,
    long definition, general definition, full definition, full description, long def, short def,
    expansion, full, full form, full name, long form, stands for, what it means, what it is,
    bedeutung, beschreibung, erklarung, signification, explication, definicion, descripcion,
    significado, definicao, descricao, definizione, descrizione, significato, definitie, betekenis,
    omschrijving, betydelse, definicja, znaczenie, opis, definice, vyznam, popis, tanım, aciklama,
    anlami, определение, описание, значение, расшифровка, định nghĩa, 定義, 定义, 説明, 说明, 說明,
    解释, 含义, 描述, 意味, 정의, 설명, تعریف, التعريف, تعريف, المعنى, الوصف, সংজ্ঞা, 全称, 全稱
    """
)
OTHER_NAMES = (
    ABBREVIATIONS
    + _titles(*labels.SYNONYMS)
    + _titles("alias, alt labels, alt label, alternative labels, variants")
)
AVOID = _titles(*labels.AVOID, "not")
"""Titles of a column of names that must not be used."""

ATTRIBUTES = _titles(
    """
    status, state, level, stage, maturity, priority, confidence, before, old, old name, old term,
    former, former name, previous, previous name, was, from, instead of, deprecated name
    """
)
"""Titles of a column of values that many terms share, or of former names. A table that explains
these values in its second column has no terms, if other tables have terms."""
REMARKS = frozenset(
    """
    caveat caveats comment comments difference differences example examples limit limitation
    limitations limits link links note notes reference references remark remarks source sources
    warning warnings
    """.split()
)
"""Words in the title of a column of remarks, which are no definitions."""

LANGUAGE_TITLES = _titles(
    """
    english, en, deutsch, german, de, francais, french, fr, espanol, castellano, spanish, es,
    portugues, portuguese, pt, italiano, italian, it, nederlands, dutch, nl, polski, polish, pl,
    русский, russian, ru, українська, ukrainian, uk, cesky, czech, cs, svenska, swedish, sv,
    turkce, turkish, tr, catala, catalan, ca, հայերեն, armenian, hy, العربية, arabic, ar, فارسی,
    persian, fa, עברית, hebrew, he, हिन्दी, hindi, hi, tiếng việt, vietnamese, vi, 中文, 简体中文,
    繁體中文, 英文, 英語, 日文, 日本語, chinese, zh, cn, tw, japanese, ja, 한국어, 영어, korean, ko
    """
)
"""Titles of a column with words in one language."""

PAIR = _titles("source, target")
"""The titles of the two columns of a list of words in two languages, if it has both."""

# The names of fields in records, in order of precedence.
NAMES_FIRST = _titles(
    "term, preferred term, preferred label, pref label, preferred name, display name, label, title"
)
TRANSLATED_LABELS = _titles(
    "libellé, intitulé, titre, titel, título, titolo, etiqueta, etichetta, rótulo"
)
"""Titles that may also be those of jobs or of books, so a word for terms comes first."""
NAME_KEYS_BUT_IDS = tuple(dict.fromkeys((*NAMES_FIRST, *TERMS, *TRANSLATED_LABELS, *NAMES)))
NAME_KEYS = (*NAME_KEYS_BUT_IDS, "id", "key", "slug")
"""The ids are names where a record has no other."""
ANCHORS = ("id", "slug", "key")
NOT_WORDS = frozenset(
    {*ANCHORS, "date", "file", "href", "image", "link", "path", "permalink", "url"}
)
"""Fields of records without a definition that are neither names nor definitions, in an index of
titles and slugs."""
RELATED = _titles(*labels.RELATED)
REFERENCES = _titles("references, ref")
"""Fields of records with related terms. In front matter they have something else."""
SECTIONS = _titles("section, category, group, topic, kategorie, categorie, categoria, parent")
REPLACED = _titles(
    """
    replaced by, superseded by, replacement, use instead, ersetzt durch, remplacé par,
    reemplazado por, sustituido por, substituído por, sostituito da, vervangen door, заменён на
    """
)
"""Keys with the names of terms to use in place of a deprecated one."""
DEPRECATED = _titles(*labels.DEPRECATED)
"""Values of the status of a deprecated term, and keys whose value is then true."""
WITHHELD = frozenset("draft private unlisted hidden unpublished rejected removed retired".split())
"""Values of the status of a term that is not published, and keys whose value is then true."""
STATUS = _titles("status, visibility, statut, estado, stato, статус, 状态, 狀態, ステータス, 상태")
TRUE = frozenset({"true", "yes", "on", "1", "x"})
FALSE = frozenset({"false", "no", "off", "0"})
"""Values of fields that are true or false, in lower case. `x` marks a cell of a table."""


class Columns(NamedTuple):
    """The numbers of the columns of names and definitions in a table."""

    name: int
    definition: int


def columns_by_title(titles: Sequence[str], names: Sequence[str] = NAMES) -> Columns | None:
    """Returns the columns of names and definitions by their titles. `names` are the titles that
    stand for names.

    With the titles "No.", "Term", "Meaning" they are 1 and 2. In a list of words in two languages,
    "English" and "Deutsch", they are 0 and 1. Returns None if one of the two is missing.
    """
    name = column(titles, names)
    definition = column(titles, DEFINITIONS, excluded=name)
    if name is not None and definition is not None:
        return Columns(name, definition)
    return _columns_by_language(titles, name, definition)


def _columns_by_language(
    titles: Sequence[str], name: int | None, definition: int | None
) -> Columns | None:
    """Returns the columns of names and definitions in a table with columns for several languages.
    `name` and `definition` are the columns that are already known.

    Returns None if fewer than two columns are in a language.
    """
    in_languages = _columns_in_languages(titles)
    if len(in_languages.names) + len(in_languages.definitions) < 2:
        return None

    # 1. The first language has the names, also instead of an id.
    is_id = name is not None and folded_title(titles[name]) in ANCHORS
    needs_name = name is None or is_id
    if needs_name and in_languages.names:
        name = in_languages.names[0]
    if name is None:
        return None

    # 2. Without a column of definitions, the names in the next language are the definitions.
    if definition is None:
        possible_definitions = [*in_languages.definitions, *in_languages.names]
    else:
        possible_definitions = [definition]
    for number in possible_definitions:
        if number != name:
            return Columns(name, number)
    return None


class LanguageColumns(NamedTuple):
    """The columns with a language in their titles, such as "English", "English term" and
    `definition_en`."""

    names: list[int]
    definitions: list[int]


def _columns_in_languages(titles: Sequence[str]) -> LanguageColumns:
    """Returns the columns with a language in their titles.

    Of the titles "English term", `definition_en` and "Nr.", the first is a column of names, and the
    second a column of definitions. "Nr." is neither.
    """
    languages = LANGUAGE_TITLES
    # "Source" and "Target" stand for two languages only together.
    folded_titles = [folded_title(title) for title in titles]
    has_source_and_target = all(title in folded_titles for title in PAIR)
    if has_source_and_target:
        languages += PAIR
    columns = LanguageColumns([], [])
    for number, title in enumerate(titles):
        words = {folded_title(word) for word in re.split(r"[\W_]+", title)}
        if words.isdisjoint(languages):
            continue
        if words.isdisjoint(DEFINITIONS):
            columns.names.append(number)
        else:
            columns.definitions.append(number)
    return columns


def column(titles: Sequence[str], wanted: Sequence[str], excluded: int | None = None) -> int | None:
    """Returns the column with one of the `wanted` titles, other than the column `excluded`; None if
    there is none. Earlier titles in `wanted` are preferred."""
    folded_titles = [folded_title(title) for title in titles]
    for wanted_title in wanted:
        for number, title in enumerate(folded_titles):
            if title == wanted_title and number != excluded:
                return number

    # No title is equal: "Term, acronym" has the part "Term".
    for number, title in enumerate(titles):
        parts = {folded_title(part) for part in re.split(BETWEEN_TITLES, title)}
        if number != excluded and not parts.isdisjoint(wanted):
            return number
    return None


def is_of_words(title: str, titles: Sequence[str]) -> bool:
    """Returns whether a column may have names or definitions by its title: not "URL", nor
    `name_slug` if `name` is among the titles of the other columns."""
    if folded_title(title) in NOT_WORDS:
        return False
    first_part, _, last_part = title.rpartition("_")
    return first_part not in titles or folded_title(last_part) not in NOT_WORDS


def columns_by_content(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> Columns | None:
    """Returns the columns of names and definitions by their content, where their titles are
    unknown.

    In the rows ("1", "Jig", "Holds wood.") and ("2", "Saw", "Cuts wood.") they are 1 and 2.
    Returns None if no column can have names, or no other column can have definitions.
    """
    # A row with only a letter of the alphabet is a heading.
    rows_with_text = [row for row in rows if len("".join(row)) > 1]
    # The cells of each column. Columns that only some rows have are left out.
    cells = [*zip(*rows_with_text, strict=False)]
    width = len(cells)
    missing_titles = [""] * (width - len(titles))
    titles = [*titles[:width], *missing_titles]

    name = None
    for number, title in enumerate(titles):
        if folded_title(title) in NAMES:  # only a whole title counts here
            name = number
            break
    definition = column(titles, DEFINITIONS, excluded=name)

    if name is None:
        name = _names_by_content(cells, definition)
    if name is None:
        return None
    if definition is None:
        definition = _definitions_by_content(titles, cells, name)
    if definition is None:
        return None
    return Columns(name, definition)


def _names_by_content(cells: Sequence[Sequence[str]], definition: int | None) -> int | None:
    """Returns the first column of short, different texts that is not the column of definitions."""
    for number, texts in enumerate(cells):
        if number != definition and _are_names(texts):
            return number
    return None


def _definitions_by_content(
    titles: Sequence[str], cells: Sequence[Sequence[str]], name: int
) -> int | None:
    """Returns the first column of long texts in which few cells are empty; None if there is none.

    Columns to the right of the names are preferred, and columns of remarks are a last resort.
    """
    possible = []
    for number, texts in enumerate(cells):
        is_avoided = folded_title(titles[number]) in AVOID  # names to avoid are no definitions
        if number != name and not is_avoided and _is_full(texts):
            possible.append(number)

    after_name = [number for number in possible if number > name]
    possible = after_name or possible

    without_remarks = []
    for number in possible:
        words_of_title = titles[number].casefold().split()
        if REMARKS.isdisjoint(words_of_title):
            without_remarks.append(number)
    return _first_long_column(cells, without_remarks or possible)


def _is_full(cells: Sequence[str]) -> bool:
    """Returns whether at least nine of ten cells have words: a few definitions may be missing."""
    with_words = sum(map(_has_letters, cells))
    return 10 * with_words >= 9 * len(cells)


def _first_long_column(cells: Sequence[Sequence[str]], numbers: Sequence[int]) -> int | None:
    """Returns the first of these columns that has at least half as much text as the longest.

    The column need not be the longest: a column of examples may be longer than the definitions
    before it."""
    lengths = {number: sum(map(len, cells[number])) for number in numbers}
    longest = max(lengths.values(), default=0)
    for number in numbers:
        if 2 * lengths[number] >= longest:
            return number
    return None


def _are_names(cells: Sequence[str]) -> bool:
    """Returns whether the cells of a column may be names: at least nine of ten are short, and
    nineteen of twenty different.

    A name may be on two rows by mistake. A value such as "draft" is on many rows.
    """
    texts = [cell for cell in cells if _has_letters(cell)]
    short_texts = 0
    for text in texts:
        if len(text) <= MAX_GUESSED_NAME and len(text.split()) <= MAX_WORDS:
            short_texts += 1
    # Empty cells count against the column here.
    are_short = 10 * short_texts >= 9 * len(cells)
    are_different = 20 * len(set(texts)) >= 19 * len(texts)
    return are_short and are_different


def _has_letters(cell: str) -> bool:
    return any(map(str.isalpha, cell))
