"""The steps that install sitegen run nothing of the checkout in which they are run."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from zipfile import ZipFile

import pytest
import yaml
from newcomer import environment_in
from workflows import ROOT, commands, service_variables, stand_ins, written

STAND_IN = """
import sys
from pathlib import Path

def main():
    if sys.argv[1] == "build":
        folder = Path(sys.argv[sys.argv.index("--output") + 1] if "--output" in sys.argv else "site")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "index.html").touch()
"""
"""A small program in place of sitegen."""
BACKEND = """
import shutil
from pathlib import Path

def build_wheel(folder, config_settings=None, metadata_directory=None):
    [wheel] = Path(__file__).parent.glob("*.whl")
    shutil.copy(wheel, folder)
    return wheel.name
"""
MODULES = {*sys.stdlib_module_names, "pip", "setuptools", "sitecustomize", "sitegen", "stand_in"}


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    """A folder with the distributions that the steps install."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    write_wheel(folder, "sitegen_glossary", "0.2.0", program="sitegen")
    return folder


def write_wheel(folder: Path, name: str, version: str, *, program: str) -> None:
    about = f"{name}-{version}.dist-info"
    with ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        wheel.writestr("stand_in.py", STAND_IN)
        wheel.writestr(
            f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        )
        wheel.writestr(
            f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(
            f"{about}/entry_points.txt", f"[console_scripts]\n{program} = stand_in:main\n"
        )
        wheel.writestr(f"{about}/RECORD", "")


@pytest.mark.parametrize("host", ["github", "gitlab", "netlify", "readthedocs"])
def test_nothing_of_the_checkout_runs(host: str, tmp_path: Path, wheels: Path) -> None:
    """In a checkout with a file for every module of Python, the steps of a host's file install
    sitegen, and run none of these files."""
    others = stand_ins(tmp_path / "programs", without=("python", "sitegen"))
    (others / "git").symlink_to("gh")  # which does nothing
    checkout = tmp_path / "checkout"
    written(checkout, host)
    place_modules(checkout, ran=tmp_path / "ran")
    programs = environment_in(tmp_path / "environment")
    world = world_of(programs, others, wheels=wheels) | service_variables(checkout, "")
    run(commands(host, checkout), folder=checkout, world=world)
    assert (programs / "sitegen").is_file()
    assert not (tmp_path / "ran").exists()


def test_nothing_of_the_checkout_runs_in_the_action(tmp_path: Path, wheels: Path) -> None:
    """In such a checkout, the action installs sitegen from its own folder, and runs none of these
    files."""
    action, checkout = tmp_path / "action", tmp_path / "checkout"
    action.mkdir()
    checkout.mkdir()
    (wheels / "sitegen_glossary-0.2.0-py3-none-any.whl").rename(
        action / "sitegen_glossary-0.2.0-py3-none-any.whl"
    )
    (action / "constraints.txt").touch()
    (action / "backend.py").write_text(BACKEND)
    (action / "pyproject.toml").write_text(
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
    )
    place_modules(checkout, ran=tmp_path / "ran")
    read = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    steps = [step["run"] for step in read["runs"]["steps"] if "run" in step]
    (tmp_path / "runner").mkdir()
    world = world_of(wheels=wheels) | {
        "PYTHON": sys.executable,
        "RUNNER_TEMP": str(tmp_path / "runner"),
        "GITHUB_ACTION_PATH": str(action),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        "FOLDER": "",
        "OUTPUT": "site",
    }
    run(steps, folder=checkout, world=world)
    assert (checkout / "site/index.html").is_file()
    assert not (tmp_path / "ran").exists()


def place_modules(checkout: Path, *, ran: Path) -> None:
    """Writes a module for each name into a checkout, which would note that it ran."""
    for name in MODULES:
        (checkout / f"{name}.py").write_text(f"open({str(ran)!r}, 'a').write(__name__ + ' ')\n")


def world_of(*programs: Path, wheels: Path) -> dict[str, str]:
    """Returns the variables of a shell with these programs, in which pip finds these wheels
    alone."""
    return {
        "PATH": os.pathsep.join([*map(str, programs), os.environ["PATH"]]),
        "HOME": str(wheels.parent),
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(wheels),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }


def run(steps: Iterable[str], *, folder: Path, world: Mapping[str, str]) -> None:
    for step in steps:
        done = subprocess.run(
            ["bash", "-ec", step], cwd=folder, env=world, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{step}: {done.stdout}{done.stderr}"
