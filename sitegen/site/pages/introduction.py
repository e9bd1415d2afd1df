"""Says in two sentences what a site is: its terms and their history, and what its releases are."""

from __future__ import annotations

from markupsafe import Markup, escape

from sitegen.config.forges import is_address
from sitegen.model import Source
from sitegen.site.pages.page import Writer

PERIODS = ("year", "month", "day")
"""The period of a dated state, by the number of hyphens in its name: `2024-05` is a month."""


def introduction(writer: Writer) -> Markup:
    """Returns the sentence that introduces the site, with the number of its terms. If one source
    has a history, it also names the first release."""
    count = len(writer.data.current)
    with_history = [source for source in writer.site.dated_sources if len(source.releases) > 1]
    if not with_history:
        return writer.say("home.what", count)
    if len(with_history) > 1:
        return writer.say("home.what-changes", count)
    first_release = with_history[0].releases[0].name
    return writer.say("home.what-since", count, first=writer.version(first_release))


def origin(writer: Writer) -> Markup:
    """Returns the sentence that says what a release is: a tag of the site's repository, or its
    state at a date. If that is not known to be true, the result is empty."""
    sources = writer.site.dated_sources
    repository = writer.site.settings.repository
    if len(sources) != 1 or not repository or not is_in_repository(sources[0], writer):
        return Markup()
    releases = sources[0].releases
    if not releases:  # the source could not be read
        return Markup()

    place = address_link(repository, repository)
    first = releases[0]  # all releases are of one kind
    if first.dated:
        period = PERIODS[first.name.count("-")]
        return writer.say(f"origin.{period}", place=place)
    if first.kind == "tag":
        return writer.say("origin.tag", place=place)
    return Markup()


def is_in_repository(source: Source, writer: Writer) -> bool:
    """True if a source is kept in the repository of the site."""
    pattern = source.releases[0].line_pattern if source.releases else ""
    if not pattern:
        # The forge is unknown. A source that is not cloned from an address is beside site.toml.
        return not is_address(writer.site.table_of(source).git)
    repository = writer.data.repository
    return repository is not None and pattern.startswith(f"{repository.web.base}/")


def address_link(address: str, shown: str) -> Markup:
    """Returns a link that shows an address without its scheme."""
    without_scheme = shown.partition("://")[2]
    # Lines may break after each slash.
    label = escape(without_scheme).replace("/", Markup("/<wbr>"))
    return Markup('<a href="{}">{}</a>').format(address, label)
