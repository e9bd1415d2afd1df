"""Checks images before they are copied into the site: type by the first bytes, size, and the
elements of SVG.

A browser runs no script of an SVG file inside a page, but does when the file is opened by itself.
So only drawing elements are kept, and no attribute that runs, loads or links to anything outside of
the file.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml import etree

MAX_IMAGE_BYTES = 2_000_000
MAX_SVG_BYTES = 500_000
MAX_ATTRIBUTES = 200
"""The maximum number of attributes of an SVG element. The time to parse them grows with the square
of the number."""
FIRST_BYTES = (
    ("png", re.compile(rb"\x89PNG\r\n\x1a\n")),
    ("jpg", re.compile(rb"\xff\xd8\xff")),
    ("gif", re.compile(rb"GIF8[79]a")),
    ("webp", re.compile(rb"RIFF....WEBP", re.S)),
    ("avif", re.compile(rb"....ftypavi[fs]", re.S)),
)
SVG = "http://www.w3.org/2000/svg"
SVG_ELEMENTS = frozenset(
    """
    a circle clipPath defs desc ellipse feBlend feColorMatrix feComposite feDropShadow feFlood
    feGaussianBlur feMerge feMergeNode feOffset filter g line linearGradient marker mask path
    pattern polygon polyline radialGradient rect stop style svg switch symbol text textPath title
    tspan use
    """.split()
)
LEFT_OUT = "left-out"
"""The tag that elements get before all with this tag are removed."""
OUTSIDE = re.compile(r"url\(\s*[\"']?(?!#)|image-set\(|@import|expression\(|javascript:|\\", re.I)
"""In a style or an attribute: anything that is loaded or run, and escapes that may hide it."""


class ImageError(Exception):
    """The image is not copied into the site; the text says why."""


def checked(content: bytes) -> tuple[str, bytes]:
    """Returns the file suffix and the content of an image; of SVG, only the parts that are safe.
    Raises `ImageError` for other files."""
    if len(content) > MAX_IMAGE_BYTES:
        raise ImageError(f"it has more than {MAX_IMAGE_BYTES:,} bytes")
    if content.startswith(b"version https://git-lfs"):
        raise ImageError("it is kept in Git LFS, and only a pointer to it is in the repository")
    for suffix, start in FIRST_BYTES:
        if start.match(content):
            return suffix, content
    if b"<svg" in content[:4_000]:
        return "svg", _safe_svg(content)
    raise ImageError("it is none of PNG, JPEG, GIF, WebP, AVIF and SVG")


def _safe_svg(content: bytes) -> bytes:
    """Returns an SVG image without scripts, links to other files and anything else that does not
    draw. Raises `ImageError`."""
    from lxml import etree  # slow to import, and few builds read an image

    from sitegen.text import safe_xml

    if len(content) > MAX_SVG_BYTES:
        raise ImageError(f"it is SVG of more than {MAX_SVG_BYTES:,} bytes")
    if b"<!ENTITY" in content:
        raise ImageError("it is SVG that defines entities")

    try:
        root = etree.fromstring(content, safe_xml.parser())
    except etree.XMLSyntaxError:
        raise ImageError("it is SVG that is not well-formed") from None
    if root.tag != f"{{{SVG}}}svg":
        raise ImageError("it is SVG without its namespace")

    for element in root.iter("*"):
        if not _is_drawing(element):
            element.tag = LEFT_OUT
            continue
        if len(element.attrib) > MAX_ATTRIBUTES:
            raise ImageError(f"it is SVG with more than {MAX_ATTRIBUTES} attributes in an element")
        for key, value in element.attrib.items():
            if not _is_harmless(str(key), str(value)):
                del element.attrib[key]
    etree.strip_elements(root, LEFT_OUT, etree.Entity, with_tail=False)
    etree.cleanup_namespaces(root)
    return etree.tostring(root)


def _is_drawing(element: etree._Element) -> bool:
    """True for an element that draws, and for a style that loads nothing."""
    namespace, _, name = element.tag.removeprefix("{").rpartition("}")  # {namespace}name
    if namespace != SVG or name not in SVG_ELEMENTS:
        return False
    if name != "style":
        return True
    style = "".join(map(str, element.itertext()))
    return OUTSIDE.search(style) is None


def _is_harmless(key: str, value: str) -> bool:
    """True for an attribute that runs no script, and links to nothing outside the file."""
    _, _, name = key.lower().rpartition("}")  # {namespace}name
    if name == "href":
        return value.startswith("#")
    if name == "base" or name.startswith("on"):
        return False
    return OUTSIDE.search(value) is None
