"""The ranking of the search, on judged queries over real glossaries (`bench/queries.txt`)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import ranking

from sitegen.tools.findings import read_site


def test_the_right_term_comes_first(shared: Path) -> None:
    """Of the judged queries 92% have their answer first and 97% among five; the mean reciprocal rank is 0.94."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed, which runs the browser's scripts here")
    found: list[int] = []
    for name, asked in ranking.queries().items():
        site = read_site(shared / "corpora" / name)
        found += ranking.places(site, asked, ranking.ours(site, asked))
    good = ranking.quality(found)
    assert len(found) >= 300
    assert (good.first >= 0.92, good.among_five >= 0.97, good.reciprocal >= 0.94) == (True, True, True), good
