"""Says in two sentences what a site is: its terms and their history, and what its releases are."""

from __future__ import annotations

from markupsafe import Markup, escape

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
    if len(sources) != 1 or not writer.site.settings.repository:
        return Markup()

    # A source with a line_pattern may be in another repository; one without is beside site.toml.
    first = sources[0].releases[0]  # all releases are of one kind
    repository = writer.data.repository
    is_of_own_repository = repository is not None and first.line_pattern.startswith(
        f"{repository.web.base}/"
    )
    if first.line_pattern and not is_of_own_repository:
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
    # Without "https://", and with line breaks allowed after each slash.
    without_scheme = address.partition("://")[2]
    label = escape(without_scheme).replace("/", Markup("/<wbr>"))
    return Markup('<a href="{}">{}</a>').format(address, label)
