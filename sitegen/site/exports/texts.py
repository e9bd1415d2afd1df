"""What the formats share: labels in the interface's language, and texts without the characters that
XML forbids."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from markupsafe import escape

from sitegen.site.messages import Catalog, catalog, plain
from sitegen.site.site import Site

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

# Characters that XML 1.0 forbids (section 2.2) or discourages, and surrogates, which UTF-8 cannot
# encode.
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def fit(text: str) -> str:
    """Returns a text with each unsupported character replaced by U+FFFD.

    Line ends become single newlines, as an XML parser would normalize them.
    """
    if text.isprintable():
        return text
    return _UNFIT.sub(REPLACEMENT, text.replace("\r\n", "\n").replace("\r", "\n"))


def one_line(text: str) -> str:
    """Returns the same as `fit`, on one line: each run of white space becomes one space."""
    return fit(" ".join(text.split()))


def xml(text: str) -> str:
    """Returns a text escaped for XML, for element content and quoted attributes."""
    return str(escape(fit(text)))


@dataclass(frozen=True)
class Labels:
    """The names of releases, of kinds of change and of lists, as plain text. All formats share
    them."""

    site: Site

    @cached_property
    def words(self) -> Catalog:
        return catalog(self.site.language)

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

    def kinds(self, kinds: Iterable[str]) -> str:
        """Returns the names of kinds of change as a list."""
        return plain(self.words.listed(self.words.plain_text(f"kind.{kind}") for kind in kinds))
