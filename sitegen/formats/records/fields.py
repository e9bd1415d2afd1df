"""The names of fields and columns in records of terms, in several languages, and what their values mean."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from html import escape

from sitegen.formats.markdown import commonmark
from sitegen.formats.markdown.inline_html import to_reference
from sitegen.text.memo import memo
from sitegen.text.prose import reference_href


def folded(key: str) -> str:
    """Returns a key without case, accents and punctuation: `Also known-as` becomes `alsoknownas`."""
    plain = unicodedata.normalize("NFKD", key.casefold())
    return re.sub(r"[\W_]+", "", "".join([mark for mark in plain if not unicodedata.combining(mark)]))


def _keys(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(folded(key) for key in text.split(",")))


# In order of precedence.
NAMES = _keys(
    "term, preferred term, preferred label, pref label, preferred name, display name, label, title, name, word,"
    " headword, concept, designation, expression, phrase, keyword, entry, begriff, bezeichnung, benennung, wort,"
    " stichwort, terme, mot, nom, expression, termino, palabra, concepto, nombre, termo, palavra, conceito, nome,"
    " termine, parola, voce, begrip, woord, termin, pojem, slovo, термин, понятие, слово,"
    " 用語, 術語, 术语, 名词, 词条, 용어, 単語, اصطلاح, واژه, المصطلح, abbreviation, acronym, abbr, short,"
    " abkurzung, sigle, sigla, id, key, slug"
)
DEFINITIONS = _keys(
    "definition, def, definitions, meaning, explanation, description, desc, text, content, body, long, details,"
    " summary, gloss, short definition, short description, long description, expansion, full form, full name,"
    " long form, stands for, bedeutung, beschreibung, erklarung, signification, explication, definicion, descripcion,"
    " significado, definicao, descricao, definizione, descrizione, significato, definitie, betekenis, omschrijving,"
    " definicja, opis, definice, vyznam, popis, определение, описание, значение,"
    " 定義, 定义, 説明, 说明, 解释, 意味, 정의, 설명, تعریف, التعريف"
)
OTHER_NAMES = _keys(
    "synonyms, synonym, aliases, alias, alt labels, alt label, other names, other name, also known as, aka, variants,"
    " abbreviation, abbreviations, abbr, acronym, acronyms, short, synonyme, sinonimos, sinonimo, sinonimi,"
    " abkurzung, sigle, sigla, siglas, синонимы, 同义词, 同義語, 略語, 동의어"
)
RELATED = _keys(
    "related, related terms, related term, see also, see, references, voir aussi, siehe auch, ver tambien,"
    " veja tambem, ref"
)
SECTIONS = _keys("section, category, group, topic, kategorie, categorie, categoria, parent")
DEPRECATED = _keys("deprecated, is deprecated, obsolete, is obsolete")
WITHHELD = frozenset({"draft", "private", "unlisted", "removed", "retired", "rejected"})
"""Values of a status, and keys that are true, for terms that are not published."""
TRUE = frozenset({"true", "yes", "1", "x"})
MARKUP = re.compile(r"[*_`\[\]<>&\\|#~$]|^\s*(?:[-+]|\d+[.)])\s|://|\n", re.M)
BETWEEN_NAMES = re.compile(r"\s*[;\n|]\s*")
ADDRESS = re.compile(r"https?://|[\w.]+@|/")


@memo()
def html_of(text: str) -> str:
    """Returns the HTML of a definition, which may have Markdown in it."""
    text = text.strip()
    if not text:
        return ""
    if not MARKUP.search(text):
        return f"<p>{escape(text, quote=False)}</p>"
    return commonmark.render(commonmark.tokens(text), to_reference)


def split_names(text: str) -> list[str]:
    """Returns the names in one value: on lines of their own, or with semicolons, bars or commas between them."""
    separated = BETWEEN_NAMES.split(text.strip())
    found = separated if len(separated) > 1 else text.split(",")
    return [name.strip() for name in found if name.strip()]


def see(name: str) -> str:
    """Returns the HTML of a definition that only leads to another term."""
    return f'<p>See <a href="{escape(reference_href(name))}">{escape(name, quote=False)}</a>.</p>'


def see_also(names: Iterable[str]) -> str:
    """Returns the HTML of a line with references to other terms. Web addresses are left out."""
    links = [
        f'<a href="{escape(reference_href(name))}">{escape(name, quote=False)}</a>'
        for name in dict.fromkeys(names)
        if name and not ADDRESS.match(name)
    ]
    return f"<p>See also: {', '.join(links)}</p>" if links else ""
