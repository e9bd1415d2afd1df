"""What a machine's reader is told in words: releases, kinds of change, how a term stands.

All is plain text in the language of the interface, and made once for all forms.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from sitegen import urls
from sitegen.model import Citation, Life
from sitegen.pages.page import Pen, desk
from sitegen.pages.status import status
from sitegen.site import Site
from sitegen.wording import Catalogue, catalogue, plain


@dataclass(frozen=True)
class Labels:
    """The labels of one site, each made once."""

    site: Site
    _standings: dict[str, str] = field(default_factory=dict)
    _said: dict[str, str] = field(default_factory=dict)
    _listed: dict[tuple[str, ...], str] = field(default_factory=dict)

    @cached_property
    def words(self) -> Catalogue:
        return catalogue(self.site.language)

    def standing(self, life: Life) -> str:
        """The one sentence under a term's name."""
        if life.key not in self._standings:
            self._standings[life.key] = plain(status(life, self.pen))
        return self._standings[life.key]

    @cached_property
    def pen(self) -> Pen:
        """Writes for what stands where a term's page does."""
        return Pen(desk(self.site), urls.root(urls.term("any")))

    def say(self, key: str) -> str:
        """A message without gaps."""
        if key not in self._said:
            self._said[key] = plain(self.words.say(key))
        return self._said[key]

    def cited(self, citation: Citation) -> str:
        """Who says so: a source and its release."""
        return self.releases[citation.source, citation.release]

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

    def kind(self, kind: str) -> str:
        """The name of a kind of change."""
        return self.say(f"kind.{kind}")

    def listed(self, kinds: Iterable[str]) -> str:
        """The names of several kinds of change."""
        together = tuple(kinds)
        if together not in self._listed:
            self._listed[together] = plain(self.words.listed(map(self.kind, together)))
        return self._listed[together]
