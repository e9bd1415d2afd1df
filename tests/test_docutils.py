"""reStructuredText is read alike with every docutils that pyproject.toml allows, and beside others
that use it in the same process.

The environment of the tests has one of them, because Sphinx is in it too. Users get the newest.
`make setup` puts the oldest and the newest into folders of the environment.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import Directive, directives
from docutils_globals import changed_by
from format_cases import cases, outcome

from sitegen.formats.rst import parser
from sitegen.model import TooMuchWorkError

TESTS = Path(__file__).resolve().parent
OLDEST, NEWEST = "0.21.2", "0.23"

READ = """
import json, docutils
from format_cases import cases, outcome
print(json.dumps([docutils.__version__, [outcome(case) for case in cases("sphinx")]]))
"""
READ_AND_COMPARE = """
import json, docutils
from docutils_globals import changed_by
from test_docutils import parse_all
print(json.dumps([docutils.__version__, changed_by(parse_all)]))
"""
ENTRY = ".. glossary::\n\n   anvil\n      - A block.\n"
TOO_DEEP = "".join([f"{'  ' * depth}- a\n\n" for depth in range(400)])
TOO_MUCH_WORK = "- a\n\n  - " + "b:" * 8_000


def parse_all() -> None:
    """Reads documents, among them some that cannot be parsed, and one whose parser is
    interrupted."""
    for case in (*cases("sphinx"), *cases("myst")):
        outcome(case)
    renderer = parser.parse(TOO_DEEP, path="glossary.rst")
    assert renderer.problems
    with pytest.raises(TooMuchWorkError):
        parser.parse(TOO_MUCH_WORK, path="glossary.rst")

    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("sitegen.formats.rst.directives.glossary_entries", _interrupt)
        parser.parse(ENTRY, path="glossary.rst")


def _interrupt(_lines: object, *, path: str) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("version", [OLDEST, NEWEST])
def test_documents_are_read_alike(version: str) -> None:
    """The cases of reStructuredText pass with the oldest and the newest one."""
    expected = [case.expected for case in cases("sphinx")]
    assert printed(READ, version) == [version, expected]


@pytest.mark.parametrize("version", [OLDEST, NEWEST])
def test_reading_changes_nothing_for_others(version: str) -> None:
    """After documents are read, also such as cannot be read, no global of docutils differs."""
    assert printed(READ_AND_COMPARE, version) == [version, []]


def printed(code: str, version: str) -> Any:
    """Returns the JSON that a program prints which has this version of docutils."""
    folder = Path(sys.prefix, "docutils", version)
    if not folder.is_dir():
        pytest.skip(f"no docutils {version} here: `make setup` downloads it")
    world = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (folder, TESTS, TESTS.parent)))}
    done = subprocess.run(
        [sys.executable, "-c", code], env=world, stdout=subprocess.PIPE, check=True
    )
    return json.loads(done.stdout)


HOST = """\
Title
=====

- one

  .. other:: first

     A *word*, :emphasis:`role`.

     - two

       .. note:: Three

- four

  .. other:: second

     .. other:: third

        * five

.. tip:: Six
"""


@pytest.mark.parametrize("text", [ENTRY, TOO_DEEP], ids=["entry", "too deep"])
def test_reading_within_a_parse(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A directive of a host that reads a glossary changes nothing of docutils, and the host's
    document is as it is without."""

    class Other(Directive):
        has_content = True
        required_arguments = 1

        def run(self) -> list[nodes.Node]:
            around = nodes.container()
            changes.extend(changed_by(read))
            self.state.nested_parse(self.content, self.content_offset, around)
            changes.extend(changed_by(read))
            return [around]

    def read() -> None:
        if is_reading:
            parser.parse(text, path="glossary.rst")

    changes: list[str] = []
    monkeypatch.setitem(directives._directives, "other", Other)
    is_reading = False
    expected = publish_doctree(HOST).pformat()
    is_reading = True
    assert publish_doctree(HOST).pformat() == expected
    assert changes == []


def test_range_ends_with_these_versions() -> None:
    """pyproject.toml allows no docutils beyond the two that are tried, and the set-up downloads
    these."""
    project = tomllib.loads((TESTS.parent / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]
    assert [one for one in project["dependencies"] if one.startswith("docutils")] == [
        "docutils>=0.21,<0.24"
    ]
    assert f"\nDOCUTILS := {OLDEST} {NEWEST}\n" in (TESTS.parent / "Makefile").read_text(
        encoding="utf-8"
    )
