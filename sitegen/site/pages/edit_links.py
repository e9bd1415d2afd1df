"""Links from a page to its forge: to edit the source file, and to report a problem."""

from __future__ import annotations

from markupsafe import Markup

from sitegen.config.forges import Home
from sitegen.model import Citation, Entry
from sitegen.site.messages import plain
from sitegen.site.pages.copying import absolute
from sitegen.site.pages.page import PageData, Writer
from sitegen.text.markdown_escaping import literal


def upkeep(name: str, shown: Entry, *, address: str, current: bool, writer: Writer) -> tuple[Markup, ...]:
    """Returns links for a page at `address` that shows an entry under a name; none if the forge is unknown.

    An entry that is not `current` has no link to edit it.
    """
    home = writer.data.home
    if home is None:
        return ()
    report = home.report(
        title=writer.tell("report.title", name=name),
        body=f"{absolute(address, writer.data)}\n{literal(plain(writer.defined_in(shown)))}\n\n",
    )
    ways = (
        (writer.say("edit-source"), _edit(shown.citation, home, writer.data) if current else ""),
        (writer.say("report"), report),
    )
    return tuple(Markup('<a href="{}" rel="noopener">{}</a>').format(way, text) for text, way in ways if way)


def _edit(citation: Citation, home: Home, data: PageData) -> str:
    """Returns the address for editing an entry's file; empty if the file is not in the site's own repository."""
    lines = data.releases[citation.source, citation.release].lines
    if lines.startswith(f"{home.web.base}/"):
        return home.edit(citation.name)
    # Entries from another repository or an archive are cited by its tag or archive.
    if citation.path.endswith(f":{citation.name}"):
        return ""
    return home.edit(home.folder + citation.path)
