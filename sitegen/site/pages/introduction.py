"""Says in two sentences what a site is: its terms and their history, and what its releases are."""

from __future__ import annotations

from markupsafe import Markup, escape

from sitegen.site.pages.page import Writer

PERIODS = ("year", "month", "day")
"""The period of a dated state, by the number of hyphens in its name: `2024-05` is a month."""


def introduction(writer: Writer) -> Markup:
    """Returns the sentence that introduces the site."""
    count = len(writer.data.current)
    sources = writer.site.dated_sources
    firsts = [source.releases[0].name for source in sources if len(source.releases) > 1]
    if not firsts:
        return writer.say("home.what", count)
    if len(firsts) > 1:
        return writer.say("home.what-changes", count)
    return writer.say("home.what-since", count, first=writer.version(firsts[0]))


def origin(writer: Writer) -> Markup:
    """Returns the sentence about what a release is, after the first one; empty unless it is a tag
    or a dated state, and the site has a repository and one source with releases, which is not
    known to be elsewhere."""
    sources = writer.site.dated_sources
    if len(sources) != 1 or not writer.site.settings.repository:
        return Markup()
    first = sources[0].releases[0]
    repository = writer.data.repository
    own_lines = f"{repository.web.base}/" if repository else ""
    is_own = own_lines and first.line_pattern.startswith(own_lines)
    if first.line_pattern and not is_own:
        return Markup()
    if first.dated:
        period = PERIODS[first.name.count("-")]
        return writer.say(f"origin.{period}", place=repository_link(writer))
    if first.kind == "tag":
        return writer.say("origin.tag", place=repository_link(writer))
    return Markup()


def repository_link(writer: Writer) -> Markup:
    """Returns a link to the site's repository."""
    address = writer.site.settings.repository
    shown = escape(address.partition("://")[2]).replace("/", Markup("/<wbr>"))
    return Markup('<a href="{}">{}</a>').format(address, shown)
