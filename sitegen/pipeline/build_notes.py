"""What a build says besides problems: what is left out although no document has a mistake."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sitegen.config.toml import key_value
from sitegen.site import exports
from sitegen.site.site import Site
from sitegen.sources.editions import entries_of, wordings
from sitegen.sources.git.tags import line_of, summarize
from sitegen.sources.reading import LoadedSource
from sitegen.text.names import fold


def notes(site: Site, loaded_sources: Iterable[LoadedSource]) -> Iterator[str]:
    """Yields the notes about a site, each as one line."""
    for loaded in loaded_sources:
        yield from _unread_tags(loaded)
        yield from _unreleased_edits(site, loaded)
    yield from exports.notes(site)


def _unread_tags(loaded: LoadedSource) -> Iterator[str]:
    """Yields a line for each reason for which tags that name a version are not read as releases."""
    for skipped in loaded.source.skipped:
        found = f"{loaded.source.id}: {summarize(skipped.names)} not read:"
        if skipped.reason == "alias":
            yield f"{found} moving or repeating a release"
        elif skipped.reason == "maintenance":
            line = key_value("tags", (line_of(skipped.names[-1]),)).strip()
            wanted = f"a [[source]] with {line} reads such a line"
            yield f"{found} published after a higher version, with other words; {wanted}"


def _unreleased_edits(site: Site, loaded: LoadedSource) -> Iterator[str]:
    """Yields the number of terms that were changed since the newest release, if the branch is not
    read."""
    if not loaded.pending:
        return
    newest = site.editions[loaded.source.id][-1]
    changed = wordings(newest.entries) ^ wordings(entries_of(loaded.pending))
    if count := len({fold(designations[0].text) for designations, _ in changed}):
        branch, since = loaded.pending[0].path.partition(":")[0], f"changed since {newest.release}"
        terms = f"1 term {since} is" if count == 1 else f"{count:,} terms {since} are"
        yield (
            f'{loaded.source.id}: {terms} not shown; head = "{branch}" in [[source]] shows '
            f"unreleased changes"
        )
