"""The glossary that `sitegen.api` gives to others: its terms, and a check of texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitegen.integrations.published_terms import PublishedTerms

if TYPE_CHECKING:
    from sitegen.integrations.outdated import OutdatedUse


class Glossary(PublishedTerms):
    """The glossary of a built site."""

    def check(self, text: str, format: str = "markdown", *, removed: bool = False) -> tuple[OutdatedUse, ...]:
        """Returns the outdated names and links in a text, in order, as `sitegen check-text` does.

        `format` is `markdown`, `rst` or `text`. With `removed`, terms that were removed without a replacement count.
        """
        from sitegen.integrations.outdated import findings, outdated

        return tuple(findings(self, outdated(self, unreplaced=removed), {f"text.{format}": text}))
