"""Serves a glossary to assistants by the Model Context Protocol, for reading only.

An answer is text that ends with the address to cite. Names that are not in force are answered with
the name to use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations

from sitegen import __version__
from sitegen.integrations.glossary import Glossary
from sitegen.integrations.published_terms import Match, PublishedChange, PublishedTerm
from sitegen.integrations.term_links import similar_terms
from sitegen.model import SitegenError, counted
from sitegen.text.names import avoided, usable

MAX_LINES = 20
"""The maximum number of changes or uses in an answer."""
INSTRUCTIONS = """\
The glossary of this project, with the history of every term. Before you use a term of the \
project in text or in a name, look it up with `define`: it says what the term means now, and what \
to write instead of an old name. `check` finds outdated names in a text. Cite the address that \
ends an answer."""
READ_ONLY = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


def server(glossary: Glossary) -> MCPServer:
    """Returns a server with the tools `define`, `history` and `check`."""
    made = MCPServer(
        "sitegen",
        title=glossary.title,
        instructions=INSTRUCTIONS,
        version=__version__,
        log_level="ERROR",
    )
    tools = Tools(glossary)
    for function in (tools.define, tools.history, tools.check):
        made.tool(annotations=READ_ONLY, structured_output=False)(function)
    return made


class Tools:
    """What the server answers about a glossary. The first lines of the methods are shown to
    assistants."""

    def __init__(self, glossary: Glossary) -> None:
        self._glossary = glossary

    def define(self, name: str, release: str = "") -> str:
        """What a term means, by any present or former name, in any case or in the plural; with a
        release, then."""
        match = self._glossary.find(name)
        if match is None:
            return self._unknown(name)
        term = match.term
        if not release:
            heading = [*_heading(match), *_names(term)]
            return _answer([*heading, term.definition], term.defining_term.url)
        try:
            found = self._glossary.known_release(release)
        except SitegenError as error:
            return _answer([str(error)], term.url)
        wording = term.at(found)
        if wording is None:
            absent = f"“{term.name}” was not defined in {found}."
            return _answer([absent, *_heading(match)], term.url)
        then = f"{wording.name}, as of {found} (the same words since {wording.since}):"
        today = f"Today: {term.name}, {term.standing}."
        return _answer([then, today, wording.text], wording.url)

    def history(self, name: str) -> str:
        """What happened to a term, newest first, with the file and line of each change."""
        match = self._glossary.find(name)
        if match is None:
            return self._unknown(name)
        lines = [_change(one) for one in reversed(match.term.history)]
        return _answer([*_heading(match), *_shortened(lines)], match.term.url)

    def check(self, text: str, format: str = "markdown") -> str:
        """Outdated names in a text, with what to write instead. The format is markdown, rst or
        text."""
        try:
            found = self._glossary.check(text, format)
        except SitegenError as error:
            return str(error)
        if not found:
            return "Nothing is outdated."
        lines = [f"- line {use.line}, column {use.column}: {use.message}" for use in found]
        return "\n".join([f"{counted(len(lines), 'outdated name')}.", *_shortened(lines)])

    def _unknown(self, name: str) -> str:
        """Returns the answer for a name that no term has, with similar ones."""
        lines = [f"No term has the name “{name[:80]}”."]
        if like := similar_terms(self._glossary, name):
            lines.append(f"Similar: {like}.")
        return _answer(lines, self._glossary.base_url)


def _heading(match: Match) -> Iterable[str]:
    """Yields the name and state of a term, and what to write instead of the name by which it was
    found."""
    term = match.term
    yield f"{term.name}: {term.standing}."
    if term.instead:
        yield f"Do not write “{match.name}”; write “{term.instead.name}”."
    elif match.kind == "former":
        yield f"“{match.name}” is a former name; write “{term.name}”."
    elif match.kind == "avoided":
        yield f"“{match.name}” is a name to avoid; write “{term.name}”."


def _names(term: PublishedTerm) -> Iterable[str]:
    """Yields the names of a term but for the preferred one, a line for each kind."""
    lines = {
        "Also called": usable(term.names[1:]),
        "Avoid": avoided(term.names),
        "Formerly": [f"{name.text} (before {name.until})" for name in term.former_names],
    }
    for label, names in lines.items():
        if names:
            yield f"{label}: {', '.join(names)}."


def _change(change: PublishedChange) -> str:
    """Returns a line about a change."""
    kind = change.kind
    if kind == "renamed" and change.before:
        kind = f"renamed from “{change.before.name}”"
    day = f" ({change.date})" if change.date else ""
    return f"- {change.release}{day}: {kind}, {change.path}:{change.line}"


def _shortened(lines: Sequence[str]) -> Iterator[str]:
    """Yields the first lines, and one with the number of the others."""
    yield from lines[:MAX_LINES]
    if len(lines) > MAX_LINES:
        yield f"… and {len(lines) - MAX_LINES} more"


def _answer(lines: Iterable[str], address: str) -> str:
    """Returns the lines that are not empty, with the address to cite."""
    return "\n".join(filter(None, (*lines, address)))
