"""Templates say what they receive, as their first comment, and pages send them that and nothing
else."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest
import views
from sites import pages_of

TEMPLATES = Path(__file__).parent.parent / "templates"
COMMENT = re.compile(r"\{#-?(.*?)-?#\}", re.S)


@pytest.fixture(scope="module")
def sent() -> dict[str, set[str]]:
    """Returns the names of the values that each template is sent by the pages of all sites of the
    gallery."""
    names: dict[str, set[str]] = defaultdict(set)
    for make in views.SITES.values():
        for page in pages_of(make()).values():
            names[page.template] |= page.context.keys()
    return names


def received(template: str) -> set[str]:
    """Returns the names in the first comment of a template, after "Receives"."""
    comment = COMMENT.match((TEMPLATES / template).read_text(encoding="utf-8"))
    assert comment, f"{template} does not begin with a comment"
    return set(re.findall(r"`([a-z_]+)`", comment[1].partition("Receives")[2]))


def test_templates_of_pages_receive_what_they_say(sent: dict[str, set[str]]) -> None:
    """The comment of each template names all values that its pages send, and no others."""
    assert len(sent) >= 13
    assert {template: received(template) for template in sent} == sent
