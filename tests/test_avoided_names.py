"""Names to avoid: pages show them, and `check-text` finds them."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import Command
from sites import data_of, export_files, read_site

from sitegen import formats
from sitegen.model import Document

CONTEXT = """# Ordering

## Language

**Order**:
What a customer has asked for.
_Avoid_: Purchase, transaction

**Invoice**:
A request for payment.
"""


def test_names_to_avoid_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    """The page of a term lists the names to avoid, and `check-text` reports each use of one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "glossary/1.0").mkdir(parents=True)
    (tmp_path / "glossary/1.0/CONTEXT.md").write_text(CONTEXT)
    (tmp_path / "notes.md").write_text("A purchase leads to an order.\n")
    command("build", "glossary")
    page = (tmp_path / "site/term/order/index.html").read_text()
    assert "<dt>Avoid</dt><dd>Purchase, transaction</dd>" in page
    found = command("check-text", "--glossary", "glossary", "notes.md")
    assert found.status == 1
    assert found.out == "notes.md:1:3: “purchase” is to be avoided; use “Order”\n"


def test_a_name_that_is_no_longer_avoided_is_no_former_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A word that an `_Avoid_` line no longer has was never a name of the term, so that it is not
    reported."""
    monkeypatch.chdir(tmp_path)
    for release, text in {
        "1.0": CONTEXT,
        "2.0": CONTEXT.replace("Purchase, transaction", "Purchase"),
    }.items():
        (tmp_path / "glossary" / release).mkdir(parents=True)
        (tmp_path / "glossary" / release / "CONTEXT.md").write_text(text)
    words = data_of(read_site(tmp_path / "glossary"))
    order = words.find("order")
    assert order and order.term.former_names == () and words.find("transaction") is None
    assert [use.message for use in words.check("A purchase, a transaction.")] == [
        "“purchase” is to be avoided; use “Order”"
    ]
    assert words.as_of("1.0").find("transaction") is not None


def test_a_name_to_avoid_that_other_definitions_use_is_an_ordinary_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name to avoid is not reported if the definition of another term uses it; its own definition
    may."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "glossary/1.0").mkdir(parents=True)
    own = CONTEXT.replace("has asked for.", "has asked for; no purchase yet.")
    other = own.replace("A request for payment.", "A request for the payment of a transaction.")
    (tmp_path / "glossary/1.0/CONTEXT.md").write_text(other)
    words = data_of(read_site(tmp_path / "glossary"))
    uses = words.check("A purchase, a transaction.")
    assert [(use.name.rule, use.text) for use in uses] == [("avoided", "purchase")]


def test_our_turtle_has_the_same_terms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The glossary.ttl of a site, read as a glossary, has the same terms; former names and names to
    avoid are hidden labels, which are not read."""
    pytest.importorskip("rdflib")
    monkeypatch.chdir(tmp_path)
    context = CONTEXT.replace("payment.", "payment that is sent when all goods have arrived.")
    for release, text in {
        "1.0": context.replace("**Invoice**", "**Bill**"),
        "2.0": context.replace("has asked for.", "has asked for and will pay."),
    }.items():
        (tmp_path / "glossary" / release).mkdir(parents=True)
        (tmp_path / "glossary" / release / "CONTEXT.md").write_text(text)
    site = read_site(tmp_path / "glossary")
    (turtle,) = (file for file in export_files(site) if file.path == "glossary.ttl")
    text = turtle.content.decode()
    assert 'skos:hiddenLabel "Bill"@en' in text
    document = Document(source="s", release="1", path="w.ttl", name="w.ttl", text=text)
    read = formats.read(document).entries
    assert [(one.name, one.definition.text) for one in read] == [
        (life.name, life.entry.definition.text) for life in site.lives
    ]
    read_names = {name.text for one in read for name in one.designations}
    shown = {name.text for life in site.lives for name in life.names if name.status != "deprecated"}
    assert read_names == shown
