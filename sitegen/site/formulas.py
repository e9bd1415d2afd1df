"""Converts formulas from LaTeX to MathML Core, which browsers show without a script.

The converter's output is not trusted: only elements and attributes that are listed here get onto a page.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape

from lxml import etree

MAX_LENGTH = 2_000
"""The maximum number of characters; a longer formula is shown as its source."""
MAX_DEPTH = 40
"""The maximum nesting of braces."""

ELEMENTS = frozenset(
    "math merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt"
    " mstyle msub msubsup msup mtable mtd mtext mtr munder munderover".split()
)
ATTRIBUTES = frozenset(
    "accent accentunder columnspan depth display displaystyle fence form height largeop linethickness lspace"
    " mathvariant maxsize minsize movablelimits rowspan rspace scriptlevel separator stretchy symmetric voffset"
    " width".split()
)
VALUE = re.compile(r"[A-Za-z0-9 .%+-]{1,60}")
BRACE = re.compile(r"(?<!\\)[{}]")
ALIGNED = re.compile(r"(\\(?:begin|end))\{(?:aligned|alignedat|split|gathered|equation\*?|gather\*?|multline\*?)\}")
"""Matches environments that the converter does not support. They are converted as `align*`."""


@lru_cache(maxsize=1_000)
def mathml(source: str, *, is_block: bool = False) -> str:
    """Returns a formula as MathML; an empty string if the converter does not support all of it.

    The source is kept as `data-tex`, because it is the formula's part of the definition's plain text.
    """
    if len(source) > MAX_LENGTH or _depth(source) > MAX_DEPTH:
        return ""
    from latex2mathml.converter import convert  # few pages have formulas

    try:
        converted = convert(ALIGNED.sub(r"\1{align*}", source), display="block" if is_block else "inline")
        formula = etree.fromstring(converted, etree.XMLParser(resolve_entities=False, no_network=True))
    except Exception:
        return ""
    if not all(map(_is_known, formula.iter())):
        return ""
    return _written(formula).replace("<math", f'<math data-tex="{escape(source)}"', 1)


def _depth(source: str) -> int:
    deepest = depth = 0
    for brace in BRACE.findall(source):
        depth += 1 if brace == "{" else -1
        deepest = max(deepest, depth)
    return deepest


def _is_known(element: etree._Element) -> bool:
    """True if an element is one of `ELEMENTS`, and not the name of a command that the converter does not support."""
    name = etree.QName(element).localname if isinstance(element.tag, str) else ""
    return name in ELEMENTS and not re.match(r"\\[a-zA-Z]", element.text or "")


def _written(element: etree._Element) -> str:
    name = etree.QName(element).localname
    values = [(str(key), str(value)) for key, value in element.attrib.items()]
    kept = [(key, value) for key, value in values if key in ATTRIBUTES and VALUE.fullmatch(value)]
    attributes = "".join(f' {key}="{escape(value)}"' for key, value in kept)
    inside = escape(element.text or "", quote=False) + "".join(map(_written, element))
    return f"<{name}{attributes}>{inside}</{name}>"
