"""Names to avoid: pages show them, and `check-text` finds them."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import Command

CONTEXT = """# Ordering

## Language

**Order**:
What a customer has asked for.
_Avoid_: Purchase, transaction

**Invoice**:
A request for payment.
"""


def test_names_to_avoid_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command) -> None:
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
    assert found.out == "notes.md:1:3: “purchase” is deprecated; use “Order”\n"
