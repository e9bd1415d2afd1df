"""The ledger as it reads today: names and ids that were put right since it was written."""

from __future__ import annotations

from glossaries import Glossary, source

from sitegen.addresses.corrections import today
from sitegen.addresses.ledger import Ledger, Row
from sitegen.model import Rename

TERM = Row(address="/term/tensr/", kind="term", name="Tensr", source="s", first="1", fragments=(("r1", "s 1"),))
FROZEN = Row(address="/term/tensr/1/", kind="frozen", name="Tensr", source="s", first="1", words="ab")
PAGE = Row(address="/a-z/", kind="page", fragments=(("term-s", "s"),))
LEDGER: Ledger = {row.address: row for row in (TERM, FROZEN, PAGE)}


def read(
    *renames: tuple[str, str], glossary: Glossary | None = None, ids: dict[str, str] | None = None
) -> tuple[Ledger, list[tuple[str, str]]]:
    """The ledger after these renames of source `s`, which has this glossary; and the renames that are left."""
    read, editions = source("s", glossary or {"1": {"Tensor": "A thing."}})
    words = tuple(Rename(source="s", old=old, new=new) for old, new in renames)
    ledger, left = today(LEDGER, ids=ids or {}, renames=words, editions={read.id: editions})
    return ledger, [(rename.old, rename.new) for rename in left]


def test_name_that_no_release_has_any_more_was_corrected():
    """A rename from a published name that is nowhere now is a correction, and no event in the term's life."""
    ledger, left = read(("tensr", "Tensor"))
    assert (ledger["/term/tensr/"].name, left) == ("Tensor", [])
    assert ledger["/term/tensr/"].meaning == ("Tensor", "s", "1")


def test_name_that_a_release_has_was_renamed():
    """A rename from a name that some release still has tells of the term's life, and is left to that."""
    ledger, left = read(("Tensr", "Tensor"), glossary={"1": {"Tensr": "A thing."}, "2": {"Tensor": "A thing."}})
    assert (ledger, left) == (LEDGER, [("Tensr", "Tensor")])


def test_name_that_was_never_published_was_not_corrected():
    """A rename from a name that nobody ever saw is left, to be reported."""
    assert read(("Vector", "Tensor")) == (LEDGER, [("Vector", "Tensor")])


def test_name_may_be_corrected_twice():
    """Corrections follow one another, in whatever order they are written; going round in a circle ends."""
    assert read(("Tensro", "Tensor"), ("Tensr", "Tensro"))[0]["/term/tensr/"].name == "Tensor"
    assert read(("Tensr", "Tensro"), ("Tensro", "Tensr"))[0]["/term/tensr/"].name == "Tensr"


def test_source_has_another_id():
    """Rows and what stands at ids speak of the source by its present id; what is no source stays."""
    ledger, _ = read(ids={"s": "new"})
    assert (ledger["/term/tensr/"].source, ledger["/term/tensr/"].fragments) == ("new", (("r1", "new 1"),))
    assert ledger["/term/tensr/1/"].meaning == ("new", "1", "ab")
    assert ledger["/a-z/"] == PAGE
