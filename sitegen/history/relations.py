"""Finds relations that a definition states in words: "same as X", "also known as X", "deprecated,
use X".

This module only searches the text. `references` decides whether X is a term.
"""

from __future__ import annotations

import re

from sitegen.model import Entry, Prose
from sitegen.text.names import spelled_out
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
# "Read-only memory: it keeps …", as the definition of ROM
_SPELLED_OUT = re.compile(r"(?P<name>[^.:;!?\n]{2,80})(?::|\s[–—-])\s+\S")
# "Deprecated in 2.0", at the beginning of a paragraph, "Status: deprecated", at the beginning of a
# line (but not "Status: deprecated parts are red"), or "this term has been deprecated" anywhere
_DEPRECATED = (
    r"(?i)(?:^|\n\n)\W*deprecated\b(?=\s*(?:[.:,;!)\]–—-]|$|\n|since\b|in\b|as of\b|from\b|by\b))"
    r"|(?:^|\n)\W*(?P<status>status\W{1,5}(?:deprecated|obsolete|superseded)\b)"
    r"(?=\s*(?:[.:;!()\]–—-]|,(?!\s*or\b)|$|\n|v?\d|since\b|in\b|as of\b|from\b|by\b))"
    r"|\bthis (?:term|name|concept|feature|function|module|class|api|word) (?:is|has been) "
    r"(?:now )?deprecated\b"
)
# " since version 2.0:", after the word "deprecated"
_SINCE = re.compile(r"(?:\s+(?:since|in|as of|from|by)(?:\s+version)?\s+[\w.]*\w)?[:,]?\s*", re.I)
# "use the tensor instead", "replaced by `tensor`"
_USE = (
    r"(?i)(?:\buse|\bsee|\bprefer|(?:replaced (?:by|with)|superseded by):?|replacement:"
    r"|in favou?r of|renamed to)\s+(?:the\s+)?"
    r"[\"'“”‘’`]*(?P<name>[^;:!?()\"“”‘’`\n]+?)[\"'“”‘’`]*(?=\s+(?:instead|for|in|from|as)\b|\s*[,;!?)\n]|\.(?:\s|$)|$)"
)
_LISTS = r"(?s)<dl\b.*</dl>"  # with the text between them
_BLOCK = r"</?(?:blockquote|div|h[1-6]|li|ol|p|pre|table|td|th|tr|ul)\b[^>]*>"


def synonym_of(definition: Prose) -> str | None:
    """Returns the name X if the whole definition is "Same as X", "See X", or a single reference;
    otherwise None. If X is a reference, its target is returned."""
    text = definition.text.strip()
    only_reference = definition.references[0] if len(definition.references) == 1 else None
    if only_reference and text.rstrip(".") == only_reference.text.strip().rstrip("."):
        return only_reference.target
    match = _SYNONYM.fullmatch(text)
    if match is None:
        return None
    if only_reference and _covers(match["name"], only_reference.text):
        return only_reference.target
    return match["name"].strip()


def also_known_as(entry: Entry) -> list[str]:
    """Returns possible other names of the term: X in "also known as X", or in "X: …" at the start,
    if the name of the term is short for X. `references` drops those that are no terms."""
    text = entry.definition.text
    names = [match["name"].strip() for match in _ALSO.finditer(text)]
    beginning = _SPELLED_OUT.match(text)
    if beginning and spelled_out(f"{beginning['name']} ({entry.name})"):
        names.append(beginning["name"].strip())
    return names


def is_deprecated(entry: Entry) -> bool:
    """True for an entry that is marked as deprecated, or of which the text says so."""
    return _start_of_notice(entry) is not None


def replacements(entry: Entry) -> list[str]:
    """Returns the names of the terms that may replace a deprecated entry: `["array", "x"]` for
    "Deprecated: see the array, or use `x`.". Other entries have none. If a name has references,
    their targets are returned in its place."""
    start = _start_of_notice(entry)
    names: list[str] = []
    if start is None:
        return names
    for match in re.compile(_USE).finditer(entry.definition.text, start):
        name = match["name"].strip()
        references = entry.definition.references
        targets = [one.target for one in references if _covers(name, one.text)]
        names += targets or [name]
    return names


def _start_of_notice(entry: Entry) -> int | None:
    """Returns the position in the text of an entry at which the notice "deprecated" begins. If only
    a mark says so, it is 0. If nothing does, or only a part of the entry is deprecated, it is None.
    """
    notice = _notice(entry)
    if notice is None:
        return 0 if entry.deprecated else None
    if _is_about_part(entry, notice.end()):
        return None
    return notice.start()


def _notice(entry: Entry) -> re.Match[str] | None:
    """Returns the words that say "deprecated", or None."""
    explains_word = "deprecat" in entry.name.lower()  # such as the term "deprecation"
    text = entry.definition.text.lower()
    if explains_word or not ("deprecated" in text or "status" in text):
        return None
    for notice in re.finditer(_DEPRECATED, entry.definition.text):
        if not _is_in_code(entry, notice):
            return notice
    return None


def _is_in_code(entry: Entry, notice: re.Match[str]) -> bool:
    """True for a notice "status: deprecated" in an example of code."""
    start, end = notice.span("status")  # -1 for another notice, which is in no code
    return any(first <= start and end <= last for first, last in entry.definition.code)


def _is_about_part(entry: Entry, notice_end: int) -> bool:
    """True if the notice "deprecated" is only about a part of what an entry explains, not about its
    term. `notice_end` is where the notice ends in the text."""
    # Front matter marks the whole entry. Sphinx's directive marks it too, but may be about a part.
    is_directive = entry.definition.text.startswith(" since version ", notice_end)
    if entry.deprecated and not is_directive:
        return False
    if _is_about_other_code(entry, notice_end):
        return True
    # A notice that is only in a definition list of the definition is about a name in that list.
    return not entry.deprecated and not re.search(_DEPRECATED, _outside_lists(entry.definition))


def _is_about_other_code(entry: Entry, notice_end: int) -> bool:
    """True if the notice "deprecated" is followed by code that is no name of the term: "Deprecated
    since version 2.0: `fit()` …" is about the term `fit`, but about a part of the term `run`."""
    text = entry.definition.text
    since = _SINCE.match(text, notice_end)
    code_start = since.end() if since else notice_end
    names = {one.text.removesuffix("()") for one in entry.designations}
    for first, last in entry.definition.code:
        if first == code_start:
            return text[first:last].removesuffix("()") not in names
    return False


def _outside_lists(definition: Prose) -> str:
    """Returns the text without definition lists."""
    if "<dl" not in definition.html:
        return definition.text
    return without_tags(re.sub(_BLOCK, "\n\n", re.sub(_LISTS, "", definition.html)))


def _covers(text: str, reference_text: str) -> bool:
    """True if a text contains the words of a reference: "the tensor class" those of "tensor."."""
    words = reference_text.strip()
    return words != "" and words.rstrip(".") in text
