"""A build after a change gives the same bytes as a first build, whatever changed."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from random import Random

import pytest
from changing import Keeper
from soaking import seeds
from written_sites import contents

from sitegen.pipeline import workers
from sitegen.pipeline.site_build import build
from sitegen.site.pages import lists
from sitegen.sources.git.repositories import Clones

CHANGES = 6


def built(folder: Path, site: Path, *, jobs: int) -> dict[str, bytes]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "sched_getaffinity", lambda process: range(jobs))
        build(folder, site, notify=lambda doing: None, clones=Clones(folder=folder / "clones"))
    return contents(site)


@pytest.mark.soak
@pytest.mark.parametrize("seed", seeds(test=1, soak=10))
def test_as_a_first_build_would(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After each of a sequence of changes, the updated site equals one built from nothing."""
    monkeypatch.setattr(workers, "WORTHWHILE", 4)
    monkeypatch.setattr(lists, "MANY_TERMS", 4)
    keeper = Keeper(tmp_path / "content", Random(seed))
    keeper.begin()
    done = ["nothing"]
    for _ in range(CHANGES):
        kept = built(keeper.folder, tmp_path / "kept/site", jobs=2)
        anew = built(keeper.folder, tmp_path / "anew/site", jobs=1)
        different = [path for path in kept.keys() | anew.keys() if kept.get(path) != anew.get(path)]
        assert different == [], done
        shutil.rmtree(tmp_path / "anew")
        done.append(keeper.change())
