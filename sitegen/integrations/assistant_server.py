"""Serves a glossary to assistants by the Model Context Protocol, for reading only.

An answer is text that ends with the address to cite. Names that are not in force are answered with
the name to use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations

from sitegen import __version__
from sitegen.integrations.glossary import Glossary, Match
from sitegen.integrations.published_terms import PublishedChange, PublishedTerm
from sitegen.integrations.term_links import similar_terms
from sitegen.model import SitegenError, counted
from sitegen.text.names import avoided, usable

MAX_LINES = 20
"""The maximum number of changes or uses in an answer."""
MAX_SHOWN_NAME = 80
"""The maximum number of characters of an unknown name in an answer."""
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
    mcp_server = MCPServer(
        "sitegen",
        title=glossary.title,
        instructions=INSTRUCTIONS,
        version=__version__,
        log_level="ERROR",
    )
    tools = Tools(glossary)
    for function in (tools.define, tools.history, tools.check):
        register = mcp_server.tool(annotations=READ_ONLY, structured_output=False)
        register(function)
    return mcp_server


class Tools:
    """The functions by which assistants read a glossary. The first lines of the methods are shown
    to them."""

    def __init__(self, glossary: Glossary) -> None:
        self._glossary = glossary

    def define(self, name: str, release: str = "") -> str:
        """What a term means, by any present or former name, in any case or in the plural; with a
        release, what it meant then."""
        match = self._glossary.find(name)
        if match is None:
            return self._unknown(name)
        term = match.term
        if not release:
            lines = [*_heading(match), *_other_names(term), term.definition]
            return _answer(lines, term.defining_term.url)  # a merged term has that of another term
        try:
            release_name = self._glossary.known_release(release)
        except SitegenError as error:
            return _answer([str(error)], term.url)
        wording = term.at(release_name)
        if wording is None:
            absent = f"“{term.name}” was not defined in {release_name}."
            return _answer([absent, *_heading(match)], term.url)
        then = f"{wording.name}, as of {release_name} (the same words since {wording.since}):"
        today = f"Today: {term.name}, {term.standing}."
        return _answer([then, today, wording.text], wording.url)

    def history(self, name: str) -> str:
        """What happened to a term, newest first, with the file and line of each change."""
        match = self._glossary.find(name)
        if match is None:
            return self._unknown(name)
        lines = [_change_line(change) for change in reversed(match.term.history)]
        return _answer([*_heading(match), *_shortened(lines)], match.term.url)

    def check(self, text: str, format: str = "markdown") -> str:
        """Outdated names in a text, with what to write instead. The format is markdown, rst or
        text."""
        try:
            uses = self._glossary.check(text, format)
        except SitegenError as error:
            return str(error)
        if not uses:
            return "Nothing is outdated."
        lines = [f"- line {use.line}, column {use.column}: {use.message}" for use in uses]
        return "\n".join([f"{counted(len(lines), 'outdated name')}.", *_shortened(lines)])

    def _unknown(self, name: str) -> str:
        """Returns the answer for a name that no term has, with similar names."""
        shown_name = name[:MAX_SHOWN_NAME]
        lines = [f"No term has the name “{shown_name}”."]
        similar = similar_terms(self._glossary, name)
        if similar:
            lines.append(f"Similar: {similar}.")
        return _answer(lines, self._glossary.base_url)


def _heading(match: Match) -> Iterable[str]:
    """Yields a line with the name and state of a term, and a line with the name to write if the
    name that was looked up is not in force."""
    yield f"{match.term.name}: {match.term.standing}."
    advice = match.advice(match.name)
    if advice:
        yield f"{advice}."


def _other_names(term: PublishedTerm) -> Iterable[str]:
    """Yields the names of a term without the preferred one, a line for each kind."""
    _preferred, *others = term.names
    names_by_label = {
        "Also called": usable(others),
        "Avoid": avoided(term.names),
        "Formerly": [f"{name.text} (before {name.until})" for name in term.former_names],
    }
    for label, names in names_by_label.items():
        if names:
            yield f"{label}: {', '.join(names)}."


def _change_line(change: PublishedChange) -> str:
    """Returns a line about a change: `- 2.0 (2024-05-01): reworded, docs/terms.md:12`."""
    kind = change.kind
    if kind == "renamed" and change.before:
        kind = f"renamed from “{change.before.name}”"
    day = f" ({change.date})" if change.date else ""
    return f"- {change.release}{day}: {kind}, {change.path}:{change.line}"


def _shortened(lines: Sequence[str]) -> Iterator[str]:
    """Yields the first lines. If there are more, a last line says how many."""
    yield from lines[:MAX_LINES]
    if len(lines) > MAX_LINES:
        yield f"… and {len(lines) - MAX_LINES} more"


def _answer(lines: Iterable[str], address: str) -> str:
    """Returns an answer: the lines, and at the end the address to cite. Empty lines are left
    out."""
    return "\n".join(line for line in (*lines, address) if line)
