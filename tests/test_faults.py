"""Whichever system call fails, a command ends with at most one line, and the site is the old or the
new one."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from soaking import seeds

from sitegen import safe_files


@pytest.mark.soak
def test_any_call_may_fail(tmp_path: Path) -> None:
    """A build or publication with a failing call prints one line and no traceback, and its status
    fits the site."""
    program = str(Path(__file__).with_name("faulting.py"))
    faults = seeds(test=8, soak=150)
    command = [sys.executable, program, str(tmp_path), *map(str, faults)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    results = [json.loads(line) for line in ran.stdout.splitlines()]
    assert len(results) == len(faults)
    for name, call, error, status, result, site in results:
        reported = f"{name}: {call} fails with {error}: status {status}, {site} site: {result}"
        is_gap = status == 0 and (
            "cannot be read" in result or "no permission to read it" in result
        )  # of a source, in what was never published
        is_unchanged = site == "old" and (name == "serve" or status == 2)
        assert is_gap or is_unchanged or (status, site) == (0, "new"), reported
        assert "Traceback" not in result, reported
        # What could not be read of a source is a line of its own.
        assert len(result.splitlines()) <= 2, reported


def test_a_disk_that_cannot_sync_names_does_not_undo_a_rename(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once a file has its new name, an error of the sync is none: the change is made."""
    (tmp_path / "next").write_text("new")

    def refuse(_opened: int) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "fsync", refuse)
    safe_files.rename(tmp_path / "next", tmp_path / "present")
    assert (tmp_path / "present").read_text() == "new"
