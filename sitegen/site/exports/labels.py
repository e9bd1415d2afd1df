"""Labels for the exports: names of releases, of kinds of change, and of lists.

All labels are plain text in the interface's language. They are computed once and shared by all formats.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from sitegen.model import Citation
from sitegen.site.messages import Catalogue, catalogue, plain
from sitegen.site.site import Site


@dataclass(frozen=True)
class Labels:
    """The labels of one site."""

    site: Site

    @cached_property
    def words(self) -> Catalogue:
        return catalogue(self.site.language)

    @cached_property
    def releases(self) -> Mapping[tuple[str, str], str]:
        """(source id, release) to the label of both, such as “Handbook 2.0”."""
        return {
            (source.id, release.name): plain(
                self.words.say("release.of", source=source.title, release=release.name)
            ).strip()
            for source in self.site.sources
            for release in source.releases
        }

    @cached_property
    def messages(self) -> Mapping[str, str]:
        """Key to message, for the messages that have neither placeholders nor plural forms."""
        messages = self.words.messages.items()
        whole = (key for key, message in messages if isinstance(message, str) and "{" not in message)
        return {key: plain(self.words.say(key)) for key in whole}

    @cached_property
    def comma(self) -> str:
        """The separator of a list."""
        return str(self.words.say("comma"))

    def cited(self, citation: Citation) -> str:
        """Returns the label of the source and the release that a citation names."""
        return self.releases[citation.source, citation.release]

    def kind(self, kind: str) -> str:
        """Returns the name of a kind of change."""
        return self.messages[f"kind.{kind}"]

    def listed(self, kinds: Iterable[str]) -> str:
        """Returns the names of several kinds of change as a list."""
        names = tuple(map(self.kind, kinds))
        return names[0] if len(names) == 1 else plain(self.words.listed(names))
