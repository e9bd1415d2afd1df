"""Entries as the archive keeps them, and back."""

from __future__ import annotations

from sitegen.model import EntryText
from sitegen.permanence.archive import ArchivedText
from sitegen.text.memo import memo
from sitegen.text.prose import from_sanitized


@memo
def archived_text(text: EntryText) -> ArchivedText:
    """Returns an entry's content as the archive keeps it."""
    return ArchivedText(
        names=text.designations,
        html=text.definition.html,
        section=text.section,
        anchors=text.anchors,
        deprecated=text.deprecated,
        metadata=text.metadata,
    )


@memo
def entry_text(text: ArchivedText) -> EntryText:
    """Returns the content of an archived entry. Its HTML passes the sanitizer again."""
    return EntryText(
        designations=text.names,
        definition=from_sanitized(text.html),
        section=text.section,
        anchors=text.anchors,
        deprecated=text.deprecated,
        metadata=text.metadata,
    )
