"""What this version of sitegen reads in the bytes of published documents.

If the bytes of a document can still be read, they are read anew: this version may find other words
than the version that published it (`ReadAgain.read_now`), or not find an entry
(`ReadAgain.unseen`). That is no change of the glossary.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence

from sitegen.model import Document, Entry, EntryText, Release
from sitegen.permanence.archive import Archive, ArchivedDocument, ArchivedEdition
from sitegen.permanence.archived_releases import digest_of, sums_of
from sitegen.text.names import fold

DocumentBytes = tuple[str, str]
"""(name, digest) of a document."""
NameNumber = tuple[str, int]
"""A folded name, and the position among the entries of one release with this name."""


class ReadAgain:
    """The documents of a source that can be read now, and what is read otherwise than it was
    published."""

    def __init__(
        self, read: Iterable[Release], published: Iterable[ArchivedEdition], archive: Archive
    ) -> None:
        """`read` are the releases as they are now, `published` the editions of the source."""
        self.read_now: dict[str, EntryText] = {}
        """The sums of archived texts, to what this version reads in the same bytes; only of
        documents that are read otherwise than they were published."""
        self._documents: dict[DocumentBytes, Document] = {}
        """The documents that can be read now."""
        self._unseen: dict[DocumentBytes, set[str]] = defaultdict(set)
        """The published names that this version does not see in the same bytes any more."""
        for release in read:
            for document in release.documents:
                self._documents[document.name, digest_of(document)] = document
        for edition in published:
            for archived in archive.documents_of(edition):
                now = self.document(archived)
                if now:
                    names = [archive.texts[text].name for text in archived.texts]
                    self._compare(archived, names, now)

    def document(self, archived: ArchivedDocument) -> Document | None:
        """Returns the document of the same name and bytes as a published one, from any release that
        can be read; None if there is none."""
        return self._documents.get((archived.name, archived.digest))

    def unseen(self, document: Document) -> Collection[str]:
        """Returns the names that were published for the bytes of a document, but are not read in
        these bytes now."""
        return self._unseen.get((document.name, digest_of(document)), ())

    def _compare(self, archived: ArchivedDocument, names: Sequence[str], now: Document) -> None:
        """Adds what this version reads otherwise in a published document. `names` are those of the
        published entries, `now` is the document as it is read now."""
        # If any text is another one, all are mapped; those that are the same change nothing.
        if sums_of(now.entries) != archived.texts:
            entries = by_name_and_number(now.entries)
            for sum, key in zip(archived.texts, _name_numbers(names), strict=True):
                if key in entries:
                    self.read_now.setdefault(sum, entries[key].text)

        # Names that this version does not find.
        names_now: set[str] = set()
        for entry in now.entries:
            names_now.update(name.text for name in entry.designations)
        unseen_names = {*names, *archived.kept_as_text} - names_now
        self._unseen[archived.name, archived.digest] |= unseen_names


def by_name_and_number(entries: Sequence[Entry]) -> dict[NameNumber, Entry]:
    """Returns entries by their folded names and numbers, in their order. Two entries "Saw" have the
    keys `("saw", 0)` and `("saw", 1)`."""
    names = [entry.name for entry in entries]
    return dict(zip(_name_numbers(names), entries, strict=True))


def _name_numbers(names: Iterable[str]) -> list[NameNumber]:
    """Returns names folded, each with its number.

    >>> _name_numbers(["Saw", "Nail", "saw"])
    [('saw', 0), ('nail', 0), ('saw', 1)]
    """
    numbered_names = []
    earlier_uses: Counter[str] = Counter()
    for name in map(fold, names):
        numbered_names.append((name, earlier_uses[name]))
        earlier_uses[name] += 1
    return numbered_names
