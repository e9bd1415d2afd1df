"""Text as Markdown that shows its words and does nothing else: no markup, no link, no mention of a user.

Forges look for names, numbers and addresses in what has been rendered, where an escaped `@` is an `@` again. Only a
character between the sign and what it would call keeps the two apart, and one of no width is not seen.
"""

from __future__ import annotations

import re
from functools import lru_cache

ZERO = "\u200b"
"""Takes no room."""

QUOTED = 600
"""Characters of a text after which a quotation breaks off."""

# Signs that are active by the CommonMark specification or by GitHub's additions: "~" strikes, "|" makes tables,
# "$" sets formulas. "_" does nothing between letters, and others do something only where a line begins.
# Both patterns begin with all that can begin a match, so that a text without is passed over at once.
_MARKUP = re.compile(
    r"""[\\`*\[\]<|~$_&]
    (?: (?<![_&])
      | (?<=_) (?: (?<![^\W_]_) | (?![^\W_]))
      | (?<=&) (?=\#?\w+;)
    )""",
    re.X,
)
_START = re.compile(r"[-+=#>:]|\d+(?=[.)])")
_CALLS = re.compile(
    r"""[@\#!%&:GgWw]
    (?: (?<=[@\#!%&]) (?=\w)           # a user, an issue, a merge request; on GitLab also other things
      | (?<=[Gg]) [Hh]-(?=\d)
      | (?<=:) (?=[\w+-]+:)          # a picture, :tada:
      | (?<=:) (?=//)                # a web address, which a forge would link
      | (?<=[Ww]) [Ww]{2}(?=\.)
    )""",
    re.X,
)


def literal(text: str) -> str:
    """Returns Markdown that shows a text as it is, without mentions. Its lines stay lines."""
    return escaped(_CALLS.sub(lambda match: match[0] + ZERO, text))


def escaped(text: str) -> str:
    """Returns Markdown that shows a text as it is, for where no forge renders it."""
    return begun(inline(text))


def inline(text: str) -> str:
    """Returns the same for the middle of a line."""
    return _MARKUP.sub(lambda match: f"\\{match[0]}", text)


def begun(markdown: str) -> str:
    """Returns Markdown whose lines begin with nothing but words: no list, heading or quotation."""
    return "\n".join(map(_begun, markdown.split("\n")))


def _begun(line: str) -> str:
    found = _START.match(line)
    if found is None:
        return line
    return f"{found[0]}\\{line[found.end() :]}" if found[0].isdigit() else f"\\{line}"


# The page of a term quotes what the page of its last wording quotes, soon after.
@lru_cache(maxsize=64)
def quotation(text: str) -> str:
    """Returns Markdown that quotes a text, block by block; of a long one the beginning."""
    lines = (" ".join(line.split()) for line in _beginning(text).split("\n"))
    return "\n".join(f"> {literal(line)}".rstrip() for line in lines)


def link(text: str, address: str) -> str:
    """Returns Markdown that links a text, in bold."""
    return f"**[{literal(' '.join(text.split()))}]({address})**"


def code(text: str) -> str:
    """Returns Markdown that shows a text on one line as code, in which a forge looks for no mentions."""
    line = " ".join(text.split())
    fence = "`" * (_longest_run(line) + 1)
    room = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{room}{line}{room}{fence}"


def fenced(text: str, language: str = "") -> str:
    """Returns Markdown that shows lines as a block of code."""
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def _beginning(text: str) -> str:
    if len(text) <= QUOTED:
        return text
    return text[:QUOTED].rsplit(None, 1)[0].rstrip(" ,;:–—") + " …"
