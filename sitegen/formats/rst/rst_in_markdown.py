"""reStructuredText in a Markdown file: what surrounds it is put aside, and every line stays where it is."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass

from sitegen.formats.common.fences import Fence, fences, is_markdown, options, without_front_matter
from sitegen.formats.common.sections import Headings, markdown_headings

RST_INLINE = re.compile(r"(?<![{\w]):[a-z][\w:+.-]*:`[^`]|`[^`<]+<[^>`]+>`_")
MYST_ROLE = re.compile(r"\{[a-z][\w:+.-]*\}`")


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """The reStructuredText of a document, and the headings of the Markdown around it; None when there is none."""

    text: str
    headings: Headings | None


def unwrap(text: str) -> Unwrapped:
    """Returns the reStructuredText of a document, whatever it is wrapped in.

    A fence `{eval-rst}` is opened, a fence `{glossary}` around reStructuredText becomes the directive, and code is
    blanked: a glossary that is only shown there is none.
    """
    if not is_markdown(text):
        return Unwrapped(text, None)
    lines = without_front_matter(text.split("\n"))
    around = list(lines)
    for fence in fences(lines):
        past = fence.past
        around[fence.first : past] = [""] * (past - fence.first)
        lines[fence.first : past] = _opened(fence, lines[fence.first : past])
    return Unwrapped("\n".join(lines), markdown_headings("\n".join(around)))


def _opened(fence: Fence, lines: list[str]) -> list[str]:
    """What reStructuredText there is in the lines of a fence, each where it stood."""
    last = [""] if fence.is_closed else []
    if fence.directive == "eval-rst":
        return ["", *fence.body, *last]
    if fence.directive == "glossary" and is_rst("\n".join(fence.body)):
        _, taken = options(fence.body)
        body = textwrap.dedent("\n".join(fence.body[taken:])).split("\n")
        return [".. glossary::", *[""] * taken, *(f"   {line}".rstrip() for line in body), *last]
    return [""] * len(lines) if fence.is_code or fence.directive == "glossary" else lines


def is_rst(text: str) -> bool:
    """True when definitions are marked up as reStructuredText and not as MyST."""
    return MYST_ROLE.search(text) is None and RST_INLINE.search(text) is not None
