"""The golden site: every page of a small glossary is compared with a copy that a person has read.

`make golden` rewrites the pages; then read the diff. `golden/README.md` says what is in them.
"""

from __future__ import annotations

import difflib
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from sites import files_of

from sitegen import __version__
from sitegen.permanence.archive import Archive
from sitegen.pipeline import assembly
from sitegen.site.templates import read_templates
from sitegen.sources.git.repositories import Clones
from sitegen.sources.reading import SourceReader, read_config

FOLDER = Path(__file__).parent / "golden"
READ = re.compile(r"(?!release/(?!0\.4/|2\.4/).*/terms/).*\.html|glossary\.json")
"""All pages but some whole releases, which repeat those of the first and the last release."""


@pytest.fixture(scope="module")
def site() -> Mapping[str, str]:
    """Returns the text of every page and data file by path."""
    config = read_config(FOLDER / "input")
    assembled = assembly.assemble(
        config, SourceReader(FOLDER / "input", clones=Clones(folder=FOLDER)).read(config), Archive()
    )
    files = files_of(assembled, read_templates())
    return {
        file.path: file.content.decode().replace(f"sitegen {__version__}", "sitegen VERSION")
        for file in files
        if READ.fullmatch(file.path)
    }


def test_the_site_is_the_one_we_have_read(
    site: Mapping[str, str], request: pytest.FixtureRequest
) -> None:
    """Every page of the small glossary is equal to its copy."""
    if request.config.getoption("--golden"):
        rewrite(site)
    golden = FOLDER / "expected"
    expected = {
        path.relative_to(golden).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(golden.rglob("*"))
        if path.is_file()
    }
    changes = [
        difference(path, expected.get(path, ""), site.get(path, ""))
        for path in sorted({*expected, *site})
    ]
    hint = (
        "these pages differ from their copies in tests/golden; if they should, run `make "
        "golden` and read its diff"
    )
    assert not "".join(changes), "\n".join([hint, *filter(None, changes)])


def rewrite(site: Mapping[str, str]) -> None:
    shutil.rmtree(FOLDER / "expected", ignore_errors=True)
    for path, text in site.items():
        (FOLDER / "expected" / path).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / "expected" / path).write_text(text, encoding="utf-8")


def difference(path: str, before: str, after: str) -> str:
    lines = difflib.unified_diff(
        before.splitlines(True), after.splitlines(True), f"golden/expected/{path}", path, n=1
    )
    return "".join(lines)
