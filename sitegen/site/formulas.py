"""Converts the formulas of a definition to MathML.

The converter is not trusted: only elements and attributes that are listed here get onto a page.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape as escaped
from html import unescape

from lxml import etree

MAX_FORMULA = 2_000
"""The maximum number of characters of a formula; a longer one is shown as its source."""
_FORMULA = r'<(?P<tag>span|div) class="math">(?P<source>[^<]*)</(?P=tag)>'

_MATHML = frozenset(
    "math merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms "
    "mspace msqrt"
    " mstyle msub msubsup msup mtable mtd mtext mtr munder munderover".split()
)
_MATHML_ATTRIBUTES = frozenset(
    "accent accentunder columnspan depth display displaystyle fence form height largeop "
    "linethickness lspace"
    " mathvariant maxsize minsize movablelimits rowspan rspace scriptlevel separator stretchy "
    "symmetric voffset"
    " width".split()
)
_MATHML_VALUE = re.compile(r"[A-Za-z0-9 .%+-]{1,60}")
_ALIGNED = (
    r"(\\(?:begin|end))\{(?:aligned|alignedat|split|gathered|equation\*?|gather\*?|multline\*?)\}"
)
"""Matches environments that the converter does not support. They are converted as `align*`."""


def with_formulas(html: str) -> str:
    """Returns the sanitized HTML of a definition with its formulas as MathML. A formula that cannot
    be converted stays as its source."""
    return re.sub(_FORMULA, _formula, html)


def _formula(match: re.Match[str]) -> str:
    """Returns a formula as MathML, or its source unchanged."""
    is_block = match["tag"] == "div"
    mathml = _mathml(unescape(match["source"]).strip(), is_block=is_block)
    if not mathml:
        return match[0]
    return f'<div class="math">{mathml}</div>' if is_block else mathml


# A definition is on several pages. A build of 60 terms with formulas and 10 releases takes 0.9 s
# instead of 1.5 s.
@lru_cache(maxsize=1_000)
def _mathml(source: str, *, is_block: bool) -> str:
    """Returns a formula as MathML Core, which browsers show without a script; "" if it cannot be
    converted whole.

    The source is kept as `data-tex`, because it is the formula's part of the definition's plain
    text.
    """
    if len(source) > MAX_FORMULA:
        return ""
    from latex2mathml.converter import convert  # few pages have formulas

    aligned = re.sub(_ALIGNED, r"\1{align*}", source)
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    try:
        converted = convert(aligned, display="block" if is_block else "inline")
        formula = etree.fromstring(converted, parser)
    except Exception:
        return ""
    for element in formula.iter():
        name = etree.QName(element).localname if isinstance(element.tag, str) else ""
        # The converter makes text of the commands that it does not support.
        if name not in _MATHML or re.match(r"\\[a-zA-Z]", element.text or ""):
            return ""
    return _mathml_text(formula).replace("<math", f'<math data-tex="{escaped(source)}"', 1)


def _mathml_text(element: etree._Element) -> str:
    name = etree.QName(element).localname
    attributes = ""
    for key in map(str, element.attrib):
        value = str(element.attrib[key])
        if key in _MATHML_ATTRIBUTES and _MATHML_VALUE.fullmatch(value):
            attributes += f' {key}="{value}"'
    content = escaped(element.text or "", quote=False) + "".join(map(_mathml_text, element))
    return f"<{name}{attributes}>{content}</{name}>"
