"""The ledger after corrections of published names and ids."""

from __future__ import annotations

from dataclasses import replace

from glossaries import Glossary, source

from sitegen.config.tables import Rename
from sitegen.permanence.corrections import correct
from sitegen.permanence.ledger import Ledger, LedgerRow
from sitegen.permanence.shown_words import wording_of

TERM = LedgerRow(
    address="/term/tensr/",
    kind="term",
    name="Tensr",
    source="s",
    first="1",
    fragments=(("r1", "s 1"),),
    wordings={("s", "1"): "ab"},
)
FROZEN = LedgerRow(
    address="/term/tensr/1/", kind="frozen", name="Tensr", source="s", first="1", words="ab"
)
PAGE = LedgerRow(address="/a-z/", kind="page", fragments=(("term-s", "s"),))
LEDGER: Ledger = {row.address: row for row in (TERM, FROZEN, PAGE)}


def read(
    *renames: tuple[str, str] | tuple[str, str, str],
    glossary: Glossary | None = None,
    ids: dict[str, str] | None = None,
) -> tuple[Ledger, list[tuple[str, str]]]:
    """Returns the ledger after these renames of source `s`, which has this glossary, and the
    remaining renames."""
    read = source("s", glossary or {"1": {"Tensor": "A thing."}})
    words = tuple(
        Rename(source="s", old=old, new=new, release="".join(at)) for old, new, *at in renames
    )
    found = correct(
        LEDGER,
        ids=ids or {},
        renames=words,
        verdicts=(),
        corrected=(),
        sources=[read],
    )
    return found.ledger, [(rename.old, rename.new) for rename in found.renames]


def test_name_that_its_release_does_not_have_any_more_was_corrected():
    """A rename to a name that the release has instead of the published one is a correction."""
    ledger, left = read(("tensr", "Tensor"))
    assert (ledger["/term/tensr/"].name, left) == ("Tensor", [])
    assert ledger["/term/tensr/"].meaning == ("term", "Tensor", "s", "1")


def test_name_that_a_release_has_was_renamed():
    """A rename from a name that its release still has is an event of the term."""
    ledger, left = read(
        ("Tensr", "Tensor"), glossary={"1": {"Tensr": "A thing."}, "2": {"Tensor": "A thing."}}
    )
    assert (ledger, left) == (LEDGER, [("Tensr", "Tensor")])


def test_name_that_was_never_published_was_not_corrected():
    """A rename from a name that was never published is left, and reported later."""
    ledger, left = read(("Vector", "Tensor"))
    assert (ledger["/term/tensr/"].name, left) == ("Tensr", [("Vector", "Tensor")])


def test_corrected_name_may_be_another_terms_name_later():
    """A correction applies to its release, even if a later release defines another term under the
    old name."""
    glossary = {"1": {"Tensor": "A thing."}, "2": {"Tensor": "A thing.", "Tensr": "Another."}}
    ledger, left = read(("Tensr", "Tensor"), glossary=glossary)
    assert (ledger["/term/tensr/"].name, left) == ("Tensor", [])


def test_declared_rename_follows_the_correction_of_its_old_name():
    """If the old name of a rename is corrected, the rename applies to the corrected name."""
    glossary = {"1": {"Tensor": "A thing."}, "2": {"Array": "A thing of numbers."}}
    ledger, left = read(("Tensr", "Array", "2"), ("Tensr", "Tensor"), glossary=glossary)
    assert (ledger["/term/tensr/"].name, left) == ("Tensor", [("Tensor", "Array")])


def test_name_may_be_corrected_twice():
    """Corrections are chained in any order; a circle ends."""
    assert read(("Tensro", "Tensor"), ("Tensr", "Tensro"))[0]["/term/tensr/"].name == "Tensor"
    assert read(("Tensr", "Tensro"), ("Tensro", "Tensr"))[0]["/term/tensr/"].name == "Tensr"


def test_source_has_another_id():
    """Rows and ids have the source's present id; nothing else changes."""
    ledger, _ = read(ids={"s": "new"})
    assert (ledger["/term/tensr/"].source, ledger["/term/tensr/"].fragments) == (
        "new",
        (("r1", "new 1"),),
    )
    assert ledger["/term/tensr/"].wordings == {("new", "1"): "ab"}
    assert ledger["/term/tensr/1/"].meaning == ("frozen", "new", "1", "ab")
    assert ledger["/a-z/"] == PAGE


def test_name_that_one_of_its_releases_keeps_was_not_corrected():
    """Where the first release is emptied, a later one that keeps the published name decides, and
    not one without."""
    published = source("s", {release: {"Tensr": "A thing."} for release in "123"}).releases
    wordings = {("s", one.name): wording_of(one.entries[0]) for one in published}
    row = replace(TERM, words=wordings["s", "1"][:12], wordings=wordings)
    now = source("s", {"1": {"Other": ""}, "2": {"Tensor": "A thing."}, "3": {"Tensr": "A thing."}})
    rename = Rename(source="s", old="Tensr", new="Tensor")
    found = correct(
        {row.address: row},
        ids={},
        renames=(rename,),
        verdicts=(),
        corrected=(),
        sources=[now],
    )
    assert found.ledger[row.address].name == "Tensr"
