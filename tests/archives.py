"""Random archives for tests: editions of small glossaries, with pages for their names."""

from __future__ import annotations

from random import Random

from sitegen.model import Designation
from sitegen.permanence.archive import (
    Archive,
    ArchivedDocument,
    ArchivedEdition,
    ArchivedPage,
    ArchivedText,
    EntryReference,
    Line,
)
from sitegen.permanence.archive_lines import archive_of, sum_of_line

NAMES = ("Kernel", "Leaf", "Root", "C++", "naïve", "キー")


def text(name: str, words: str) -> ArchivedText:
    return ArchivedText(names=(Designation(text=name),), html=f"<p>{words}</p>")


def edition(release: str, words: dict[str, str], *, number: int = 1, **facts: object) -> list[Line]:
    """Returns the lines of one state of a release of the source `g`."""
    texts = [text(name, said) for name, said in words.items()]
    document = ArchivedDocument(name="GLOSSARY.md", texts=tuple(map(sum_of_line, texts)))
    one = ArchivedEdition(
        source="g",
        release=release,
        number=number,
        kind="tag",
        documents=(sum_of_line(document),),
        **facts,  # type: ignore[arg-type]
    )
    return [*texts, document, one]


def page(name: str, release: str) -> ArchivedPage:
    entry = EntryReference(source="g", release=release, name=name)
    return ArchivedPage(address=f"term/{name.lower()}/", name=name, entries=(entry,))


def random_archive(random: Random) -> Archive:
    """Returns an archive with one or several states of a few releases."""
    lines: list[Line] = []
    for release in ("1.0", "2.0", "3.0")[: random.randint(1, 3)]:
        for number in range(1, random.randint(1, 3) + 1):
            names = random.sample(NAMES, random.randint(1, 4))
            words = {name: f"words {random.randint(1, 3)}" for name in names}
            closed = random.random() < 0.5
            lines += edition(release, words, number=number, is_closed=closed)
            lines += [page(name, release) for name in names]
    return archive_of(lines)
