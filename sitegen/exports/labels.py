"""What a machine's reader is told in words: releases and kinds of change, as plain text in the site's language."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import get_args

from sitegen.model import Citation, Kind
from sitegen.site import Site
from sitegen.wording import Catalogue, catalogue, plain


@dataclass(frozen=True)
class Labels:
    """The labels of one site, each made once."""

    site: Site

    def cited(self, citation: Citation) -> str:
        """Who says so: a source and its release."""
        return self.releases[citation.source, citation.release]

    @cached_property
    def releases(self) -> dict[tuple[str, str], str]:
        """(source id, release) to both in words."""
        return {
            (source.id, release.name): plain(
                self._words.say("release.of", source=source.title, release=release.name)
            ).strip()
            for source in self.site.sources
            for release in source.releases
        }

    @cached_property
    def kinds(self) -> dict[str, str]:
        """Kind of change to its name."""
        return {kind: plain(self._words.say(f"kind.{kind}")) for kind in get_args(Kind)}

    @cached_property
    def _words(self) -> Catalogue:
        return catalogue(self.site.language)
