"""Finds relations that a definition states in words: "same as X", "also known as X", "deprecated,
use X".

This module only searches the text. `references` decides whether X is a term.
"""

from __future__ import annotations

import re

from sitegen.model import Entry, Prose
from sitegen.text.words import without_tags

_NAME = r"[\"'“”‘’`]*(?P<name>[^.;:!?\n]+?|[^;:!?\n]+?)[\"'“”‘’`]*"
# "Same as tensor."
_SYNONYM = re.compile(
    rf"(?:(?:the )?same as|see|synonym (?:of|for)|another (?:name|word|term) for|an? alias "
    rf"(?:of|for)"
    rf"|alias (?:of|for)|equivalent to)\s+(?:the )?{_NAME}\s*[.!]?",
    re.I,
)
# "also known as an array, …"
_ALSO = re.compile(
    r"(?:also (?:known as|called|referred to as|written)|a\.?k\.?a\.?)\s+(?:an?\s+|the\s+)?"
    r"[\"'“”‘’`*]*(?P<name>[^.,;:!?()\"“”‘’\n]+)",
    re.I,
)
_HINTS = ("also ", "aka", "ak.a", "a.ka", "a.k.a")
"""Each match of this pattern has one of these, which are found faster."""
# "Read-only memory: it keeps …", as the definition of ROM
_SPELLED_OUT = re.compile(r"(?P<name>[^.:;!?\n]{2,80})(?::|\s[–—-])\s+\S")
# "Deprecated in 2.0", at the beginning of a paragraph, or "this term has been deprecated" anywhere
_DEPRECATED = (
    r"(?i)(?:^|\n\n)\W*deprecated\b(?=\s*(?:[.:,;!)\]–—-]|$|\n|since\b|in\b|as of\b|from\b|by\b))"
    r"|\bthis (?:term|name|concept|feature|function|module|class|api|word) (?:is|has been) "
    r"(?:now )?deprecated\b"
)
# " since version 2.0:", after the word "deprecated"
_SINCE = re.compile(r"(?:\s+(?:since|in|as of|from|by)(?:\s+version)?\s+[\w.]*\w)?[:,]?\s*", re.I)
# "use the tensor instead", "replaced by `tensor`"
_USE = (
    r"(?i)(?:\buse|\bsee|\bprefer|replaced (?:by|with)|superseded by|in favou?r of|renamed "
    r"to)\s+(?:the\s+)?"
    r"[\"'“”‘’`]*(?P<name>[^;:!?()\"“”‘’`\n]+?)[\"'“”‘’`]*(?=\s+(?:instead|for|in|from|as)\b|\s*[,;!?)]|\.(?:\s|$)|$)"
)
_LISTS = r"(?s)<dl\b.*</dl>"  # with the text between them
_BLOCK = r"</?(?:blockquote|div|h[1-6]|li|ol|p|pre|table|td|th|tr|ul)\b[^>]*>"


def synonym_of(definition: Prose) -> str | None:
    """Returns the name X if the whole definition is "Same as X", "See X", or a single reference;
    otherwise None."""
    text = definition.text.strip()
    only = definition.references[0] if len(definition.references) == 1 else None
    if only and text.rstrip(".") == only.text.strip():
        return only.target
    match = _SYNONYM.fullmatch(text)
    if match is None:
        return None
    if only and _covers(match["name"], only.text):
        return only.target
    return match["name"].strip()


def also_known_as(definition: Prose) -> tuple[str, ...]:
    """Returns possible other names of the term: X in "also known as X", or in "X: …" at the start
    of the text. `references` drops those that are no terms."""
    found = []
    text = definition.text.casefold()
    if any(hint in text for hint in _HINTS):
        found = [match["name"].strip() for match in _ALSO.finditer(definition.text)]
    if spelled_out := _SPELLED_OUT.match(definition.text):
        found.append(spelled_out["name"].strip())
    return tuple(dict.fromkeys(found))


def deprecation(entry: Entry) -> tuple[str, ...] | None:
    """Returns the possible names of the replacement of an entry that is marked as deprecated or
    says so in its text, in the order of the text; None if it is not deprecated.

    "Deprecated: see the array, or use `x`." gives `("array", "x")`.
    """
    definition = entry.definition
    sentence = None
    is_about_word = "deprecat" in entry.name.lower()  # such as the term "deprecation"
    if not is_about_word and "deprecated" in definition.text.lower():
        sentence = re.search(_DEPRECATED, definition.text)
    if sentence is None:
        return _replacements(definition, 0) if entry.deprecated else None
    if _is_about_part(entry, sentence.end()):
        return None
    return _replacements(definition, sentence.start())


def _is_about_part(entry: Entry, past: int) -> bool:
    """True if the word "deprecated", which ends at `past`, is about a part of what an entry
    explains, not about its term."""
    definition = entry.definition
    # Sphinx's directive marks its entry even where it is about a part; a record does not.
    is_directive = definition.text.startswith(" since version ", past)
    may_be_part = is_directive or not entry.deprecated
    if may_be_part and _is_about_other_code(entry, past):
        return True
    # A sentence in a definition list of the definition is about a name in that list.
    return not entry.deprecated and not re.search(_DEPRECATED, _outside_lists(definition))


def _is_about_other_code(entry: Entry, past: int) -> bool:
    """Returns whether code that is no name of the term follows the word "deprecated", which ends
    at `past`: "Deprecated since version 2.0: `fit()` …" is about the term `fit`, but only about a
    part of the term `run`."""
    text = entry.definition.text
    if since := _SINCE.match(text, past):
        past = since.end()
    names = {one.text.removesuffix("()") for one in entry.designations}
    for first, last in entry.definition.code:
        if first == past:
            return text[first:last].removesuffix("()") not in names
    return False


def _outside_lists(definition: Prose) -> str:
    """Returns the text without definition lists."""
    if "<dl" not in definition.html:
        return definition.text
    return without_tags(re.sub(_BLOCK, "\n\n", re.sub(_LISTS, "", definition.html)))


def _replacements(definition: Prose, start: int) -> tuple[str, ...]:
    """Returns the names in "use X" from an index of the text on; of a reference, its target."""
    found = []
    for match in re.compile(_USE).finditer(definition.text, start):
        name = match["name"].strip()
        named = [one.target for one in definition.references if _covers(name, one.text)]
        found += named or [name]
    return tuple(dict.fromkeys(found))


def _covers(text: str, part: str) -> bool:
    """True if a text contains the words of a reference: "the tensor class" those of "tensor."."""
    return part.strip() != "" and part.strip().rstrip(".") in text
