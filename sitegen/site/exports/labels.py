"""What a machine's reader is told in words: releases, kinds of change, and what stands before a list.

All is plain text in the language of the interface, and made once for all forms.
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
        """(source id, release) to both in words."""
        return {
            (source.id, release.name): plain(
                self.words.say("release.of", source=source.title, release=release.name)
            ).strip()
            for source in self.site.sources
            for release in source.releases
        }

    @cached_property
    def said(self) -> Mapping[str, str]:
        """The messages that have neither gaps nor plural forms."""
        messages = self.words.messages.items()
        whole = (key for key, message in messages if isinstance(message, str) and "{" not in message)
        return {key: plain(self.words.say(key)) for key in whole}

    @cached_property
    def comma(self) -> str:
        """What parts one name from the next."""
        return str(self.words.say("comma"))

    def cited(self, citation: Citation) -> str:
        """Who says so: a source and its release."""
        return self.releases[citation.source, citation.release]

    def kind(self, kind: str) -> str:
        """The name of a kind of change."""
        return self.said[f"kind.{kind}"]

    def listed(self, kinds: Iterable[str]) -> str:
        """The names of several kinds of change."""
        names = tuple(map(self.kind, kinds))
        return names[0] if len(names) == 1 else plain(self.words.listed(names))
