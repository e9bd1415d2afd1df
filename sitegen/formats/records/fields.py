"""The names of fields in records of terms, in addition to those of table columns, and the meaning of their values."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from sitegen.formats.common import columns, sphinx_markup
from sitegen.formats.common.columns import folded_title
from sitegen.formats.markdown.inline_html import to_reference
from sitegen.formats.markdown.markdown_html import Context
from sitegen.text.memo import memo


def _keys(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(folded_title(key) for key in text.split(",")))


# In order of precedence.
FIRST = _keys("term, preferred term, preferred label, pref label, preferred name, display name, label, title")
WORDS = tuple(dict.fromkeys((*FIRST, *columns.NAMES)))
NAMES = (*WORDS, *_keys("id, key, slug"))
ANCHORS = ("id", "slug", "key", "termid")
NOT_WORDS = frozenset({*ANCHORS, "date", "file", "href", "image", "link", "path", "permalink", "url"})
"""Fields of records without a definition that are neither names nor definitions, in an index of titles and slugs."""
RELATED = _keys(
    "related, related terms, related term, see also, see, references, voir aussi, siehe auch, ver tambien,"
    " veja tambem, ref"
)
SECTIONS = _keys("section, category, group, topic, kategorie, categorie, categoria, parent")
DEPRECATED = _keys("deprecated, is deprecated, obsolete, is obsolete")
WITHHELD = frozenset({"draft", "private", "unlisted", "removed", "retired", "rejected"})
"""Values of the status of a term that is not published, and keys whose value is then true."""
TRUE = frozenset({"true", "yes", "1", "x"})
MARKUP = re.compile(r"[*_`\[\]<>&\\|#~$]|^\s*(?:[-+]|\d+[.)])\s|://|\n", re.M)
MAX_WORDS = 4
"""The maximum number of words in a name that ends like a sentence."""
BETWEEN_NAMES = re.compile(r"\s*[;\n|]\s*")
ADDRESS = re.compile(r"https?://|[\w.]+@|/")


@memo
def html_of(text: str) -> str:
    """Returns the HTML of a definition, which may have Markdown in it."""
    text = text.strip()
    if not text:
        return ""
    if not MARKUP.search(text):
        return f"<p>{escape(text, quote=False)}</p>"
    return Context(address=to_reference).html(text)


def is_prose(text: str) -> bool:
    """Returns whether a value is a sentence (a short definition), and not a list of names."""
    return text.rstrip().endswith((".", "!", "?")) and len(text.split()) > MAX_WORDS


def split_names(text: str) -> list[str]:
    """Returns the names in one value, separated by line ends, semicolons, bars or commas."""
    separated = BETWEEN_NAMES.split(text.strip())
    names = separated if len(separated) > 1 else text.split(",")
    return [name.strip() for name in names if name.strip()]


def see(name: str) -> str:
    """Returns the HTML of a definition that only refers to another term."""
    return f"<p>See {sphinx_markup.reference(name, name)}.</p>"


def see_also(names: Iterable[str]) -> str:
    """Returns the HTML of a line with references to other terms. Web addresses are left out."""
    term_names = (name for name in dict.fromkeys(names) if name and not ADDRESS.match(name))
    return sphinx_markup.see_also(sphinx_markup.reference(name, name) for name in term_names)
