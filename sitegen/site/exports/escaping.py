"""Makes texts fit for all formats: escaped, and without the characters that XML forbids."""

from __future__ import annotations

import re

from markupsafe import escape

from sitegen.text.decoding import with_newlines

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

# Characters that XML 1.0 forbids (section 2.2) or discourages, and surrogates, which UTF-8 cannot
# encode.
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def fit_for_xml(text: str) -> str:
    """Returns a text with U+FFFD instead of each character that XML forbids. Line ends become
    single newlines, as in an XML parser."""
    return _UNFIT.sub(REPLACEMENT, with_newlines(text))


def one_line(text: str) -> str:
    """Returns a text on one line, fit for XML. Each run of white space becomes one space."""
    return fit_for_xml(" ".join(text.split()))


def xml(text: str) -> str:
    """Returns a text escaped for XML, for element content and quoted attributes."""
    return str(escape(fit_for_xml(text)))
