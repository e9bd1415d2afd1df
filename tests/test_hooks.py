"""The hooks for pre-commit: installed as pre-commit does it, they advise and stop nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from commands import Command
from glossary_folder import glossary
from newcomer import ROOT, link_packages
from repositories import Repository

SITE = '[[source]]\nid = "words"\ngit = "."\npaths = ["docs/glossary.md"]\n'


@pytest.mark.parametrize("name", ["-h.md", "--json.md", "--glossary=x.md", "-.md"])
def test_file_named_like_an_option_is_a_document(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    """The hook that is given names of files reads each as a document."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    with_names = [hook for hook in hooks if hook.get("pass_filenames", True)]
    assert [hook["id"] for hook in with_names] == ["sitegen-check-text"]
    words = [*with_names[0]["entry"].split(), *with_names[0]["args"]]
    monkeypatch.chdir(tmp_path)
    Path("site.toml").write_text('[[source]]\nid = "words"\nfile = "GLOSSARY.md"\n')
    Path("GLOSSARY.md").write_text("# Glossary\n\n## Tree\n\nA tall plant.\n\n_Avoid_: shrublet\n")
    Path(name).write_text("One shrublet.\n")
    result = command(*words[1:], name)
    assert (result.status, f"{name}:1:5" in result.out) == (0, True), result.out + result.err


def test_hooks_run_in_a_repository(tmp_path: Path) -> None:
    """`pre-commit try-repo` installs sitegen, and each hook prints its findings and passes, also
    without a remote."""
    program = shutil.which("pre-commit", path=Path(sys.executable).parent)
    if program is None:
        pytest.skip("pre-commit is not installed")
    hooks = Repository(tmp_path / "hooks")
    for name in (".ci", "sitegen", "templates"):
        shutil.copytree(
            ROOT / name, hooks.path / name, ignore=shutil.ignore_patterns("__pycache__")
        )
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, hooks.path / name)
    # pre-commit runs the hooks of one stage; here each of them runs at once.
    text = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    hooks.commit({".pre-commit-hooks.yaml": text.replace("  stages: [pre-push]\n", "")})
    project = Repository(tmp_path / "project")
    project.commit(
        {
            "docs/glossary.md": glossary(Kernel="Deprecated. Use Tensor.", Tensor="A grid."),
            "site.toml": SITE,
        }
    )
    project.git("tag", "v1.0")
    project.git("checkout", "--quiet", "-b", "topic")
    project.commit(
        {"docs/glossary.md": glossary(Tensor="A grid of numbers."), "README.md": "A kernel runs.\n"}
    )
    project.git("tag", "v1.1")
    (tmp_path / "packages").mkdir()
    link_packages(tmp_path / "packages")
    # No index is asked: what sitegen needs is found beside these tests.
    world = {
        **os.environ,
        "HOME": str(tmp_path),
        "PRE_COMMIT_HOME": str(tmp_path / "cache"),
        "PYTHONPATH": str(tmp_path / "packages"),
        "PIP_NO_INDEX": "1",
        # Of what an option with “no” turns off, pip takes the new value: 0.
        "PIP_NO_BUILD_ISOLATION": "0",
        "PIP_NO_COMPILE": "0",
        "PIP_CONFIG_FILE": os.devnull,
        "VIRTUALENV_NO_PERIODIC_UPDATE": "1",
    }
    command = [program, "try-repo", hooks.path, "--all-files", "--verbose", "--color=never"]
    done = subprocess.run(command, cwd=project.path, env=world, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    check, text_, diff = done.stdout.partition("Check the glossary")[2].split("hook id: ")[1:]
    assert "Passed" in done.stdout
    assert "Failed" not in done.stdout
    assert check.startswith("sitegen-check\n")
    assert "README.md:1:3: “kernel” was removed in 1.1; use “Tensor”" in text_
    assert "Tensor" in diff
    assert "numbers" in diff
