"""Serves a glossary to assistants by the Model Context Protocol, for reading only.

An answer is text of less than a kilobyte, which ends with the address to cite. Names that are not
in force are answered with the name to use.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations

from sitegen import __version__
from sitegen.integrations.loading import Glossary
from sitegen.integrations.published_terms import Match, PublishedChange, PublishedTerm
from sitegen.integrations.term_links import other_release, similar_names
from sitegen.model import SitegenError, grouped
from sitegen.text.shortening import without_last_word

LIMIT = 1000
"""The maximum length of an answer, in bytes."""
INSTRUCTIONS = """\
The glossary of this project, with the history of every term. Before you use a term of the \
project in text or in a
name, look it up with `define`: it says what the term means now, and what to write instead of \
an old name. `changed`
lists what is new since a release; `check` finds outdated names in a text. Cite the address \
that ends an answer."""
READ_ONLY = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


def server(glossary: Glossary) -> MCPServer:
    """Returns a server with the tools `define`, `history`, `changed` and `check`, and a list of all
    terms."""
    made = MCPServer(
        "sitegen",
        title=glossary.title,
        instructions=INSTRUCTIONS,
        version=__version__,
        log_level="ERROR",
    )
    tools = Tools(glossary)
    for function in (tools.define, tools.history, tools.changed, tools.check):
        made.tool(annotations=READ_ONLY, structured_output=False)(function)
    made.resource(
        "glossary://terms", title=f"{glossary.title}: all terms", mime_type="text/markdown"
    )(tools.terms)
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
            heading = [*_heading(match), *_names(term), *self._others(match)]
            return _answer(heading, [term.definition], term.defining_term.url)
        try:
            found = self._glossary.index.named(release)
        except SitegenError as error:
            return _answer([str(error)], (), term.url)
        return self._defined_in(found, match, note=other_release(release, found))

    def _defined_in(self, release: str, match: Match, *, note: str) -> str:
        """Returns what a term meant at a release."""
        term = match.term
        wording = term.at(release)
        if wording is None:
            absent = f"“{term.name}” was not defined in {release}."
            return _answer([absent, *_heading(match)], (), term.url)
        heading = [f"Note: {note}."] if note else []
        heading.append(f"{wording.name}, as of {release} (the same words since {wording.since}):")
        heading.append(f"Today: {term.name}, {term.standing}.")
        return _answer([*heading, *self._others(match)], [wording.text], wording.url)

    def history(self, name: str) -> str:
        """What happened to a term, newest first, with the file and line of each change."""
        match = self._glossary.find(name)
        if match is None:
            return self._unknown(name)
        changes = [_change(one) for one in reversed(match.term.history)]
        return _answer(_heading(match), changes, match.term.url)

    def changed(self, since: str) -> str:
        """Which terms were added, reworded, renamed, deprecated or removed after a release or a day
        (2026-11-24)."""
        address = self._glossary.base_url
        try:
            found = self._glossary.changes(since)
        except SitegenError as error:
            return _answer([str(error)], (), address)
        kinds = grouped(((one.term.name, one.release), _kind(one)) for one in found)
        lines = []
        for (name, release), several in kinds.items():
            lines.append(f"- {name}: {', '.join(several)} in {release}")
        return _answer([f"{len(lines)} terms changed after {since}."], lines, address)

    def check(self, text: str, format: str = "markdown") -> str:
        """Outdated names and links in a text, with what to write instead. The format is markdown,
        rst or text."""
        try:
            found = self._glossary.check(text, format)
        except SitegenError as error:
            return str(error)
        if not found:
            return "Nothing is outdated."
        lines = [f"- line {use.line}, column {use.column}: {use.message}" for use in found]
        return _answer([f"{len(lines)} outdated names or links."], lines, "")

    def terms(self) -> str:
        """Every term in force, with its state, its other names and the first sentence of
        its definition."""
        return "\n".join([_list_item(term) for term in self._glossary.terms if term.is_defined])

    def _others(self, match: Match) -> Iterable[str]:
        """Yields the other terms with that name, such as BOX beside Box."""
        for term in self._glossary.others_named(match):
            yield f"Another term: {term.name}, {term.standing}. {term.url}"

    def _unknown(self, name: str) -> str:
        heading = [f"No term has the name “{name[:80]}”."]
        if like := similar_names(self._glossary, name):
            heading.append(f"Similar: {like}.")
        return _answer(heading, (), self._glossary.base_url)


def _heading(match: Match) -> Iterable[str]:
    """Yields the name and state of a term, and what to write instead of the name by which it was
    found."""
    term, instead = match.term, match.term.instead
    yield f"{term.name}: {term.standing}."
    if instead:
        yield f"Do not write “{match.name}”; write “{instead.name}”."
    elif match.kind == "former":
        yield f"“{match.name}” is a former name; write “{term.name}”."
    elif match.kind == "avoided":
        yield f"“{match.name}” is a name to avoid; write “{term.name}”."


def _names(term: PublishedTerm) -> Iterable[str]:
    """Yields the names of a term but for the preferred one, a line for each kind."""
    others = [name.text for name in term.names[1:] if name.status != "deprecated"]
    avoided = [name.text for name in term.names if name.status == "deprecated"]
    former = [f"{name.text} (until {name.until})" for name in term.former_names]
    for label, names in (("Also called", others), ("Avoid", avoided), ("Formerly", former)):
        if names:
            yield f"{label}: {', '.join(names)}."


def _kind(change: PublishedChange) -> str:
    if change.kind == "renamed" and change.before:
        return f"renamed from “{change.before.name}”"
    return change.kind


def _change(change: PublishedChange) -> str:
    day = f" ({change.date})" if change.date else ""
    place = f"{change.path}:{change.line}" if change.line else change.path
    return f"- {change.release}{day}: {_kind(change)}, {place}"


def _answer(heading: Iterable[str], lines: Sequence[str], address: str) -> str:
    """Returns an answer below the limit: lines that do not fit are counted, and a single long one
    is cut."""
    ending = f"\n{address}" if address else ""
    room = LIMIT - _size(ending) - 40
    answer = _cut("\n".join(heading), room)
    for number, line in enumerate(lines):
        if _size(f"{answer}\n{line}") <= room:
            answer += f"\n{line}"
            continue
        rest = f"… and {len(lines) - number} more"
        if len(lines) == 1:
            rest = _cut(line, room - _size(answer))
        return f"{answer}\n{rest}{ending}"
    return answer + ending


def _cut(text: str, room: int) -> str:
    if _size(text) <= room:
        return text
    beginning = text.encode(errors="replace")[: max(0, room - 8)]
    return without_last_word(beginning.decode(errors="ignore"))


def _size(text: str) -> int:
    return len(text.encode(errors="replace"))


def _list_item(term: PublishedTerm) -> str:
    parts = [f"- **{term.name}** ({term.standing}).", *_names(term), term.summary, term.url]
    return " ".join(filter(None, parts))
