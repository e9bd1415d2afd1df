"""The house itself: imports run downwards, the core touches no world, and an installed wheel is whole."""

from __future__ import annotations

import ast
import graphlib
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "sitegen"

CORE = (
    "collation compact_json compiling digests fingerprints forges known lives markdown_text model plain_html "
    "repositories sitegen stencils toml_text tracing",
    "hosting names patterns portable prose release_names releases slugs toml_lines urls wording words decoding",
    "formats hosts relations",
    "editions tables",
    "config",
    "threads",
    "repetition",
    "rounds",
    "chains merge",
    "lane_history references",
    "history",
    "amendments gate ledger owners permalinks",
    "site",
    "assets comparison_data comparisons definitions exports lookalikes marking origins pages search suggestions",
    "built check host_files promises render retiring writing",
)
"""What can be tried with strings alone: every module, lowest floor first; a package in ours is named once. A module
imports from its own floor or from below."""

RIM = (
    "copies file_marks locks",
    "archives aside cache discovery folders gathering git ledgers output sources templates unchanged workshop",
    "making",
    "remembering",
    "build pipeline places proposing",
    "checking fresh importing reviewing serve terminal watch",
    "asking previewing publishing",
    "authoring sharing",
    "cli",
    "__main__",
)
"""What may meet the world; its floors stand on those of the core."""

FLOORS = CORE + RIM

WORLD = frozenset(
    """asyncio ctypes datetime.datetime glob http io locale logging multiprocessing os pathlib platform random secrets
    shutil signal socket subprocess sys tempfile threading time tkinter urllib.request uuid warnings""".split()
)
"""Modules, and names in them, through which a program meets disk, clock, network or environment."""

HARMLESS = frozenset({"pathlib.PurePosixPath", "sys.intern"})


def modules() -> dict[str, ast.Module]:
    """Every module's source, parsed, by its dotted name without the package's: `formats.sphinx`."""
    return {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__"): ast.parse(
            path.read_text(encoding="utf-8")
        )
        for path in sorted(PACKAGE.rglob("*.py"))
    }


def imports(tree: ast.Module) -> Iterator[str]:
    """What a module imports, as dotted names: `from a import b` gives `a.b`. What only types need is left out."""
    for_types = [node for node in ast.walk(tree) if isinstance(node, ast.If) and _is_for_types(node.test)]
    left_out = {inner for node in for_types for inner in node.body}
    for node in ast.walk(tree):
        if node in left_out:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are spelled out in full"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _is_for_types(test: ast.expr) -> bool:
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


def home_imports(tree: ast.Module, known: set[str]) -> set[str]:
    """The modules of ours that a module imports."""
    found = set()
    for name in imports(tree):
        if name.partition(".")[0] == "sitegen":
            inside = name.removeprefix("sitegen").lstrip(".")
            found.add(next((part for part in (inside, inside.rpartition(".")[0]) if part in known), "__init__"))
    return found


def floor(module: str) -> int:
    name = "sitegen" if module == "__init__" else module.partition(".")[0]
    return next((number for number, names in enumerate(FLOORS) if name in names.split()), -1)


def test_every_module_has_a_floor() -> None:
    """Each module stands on exactly one floor, and each floor's modules exist."""
    standing = [name for names in FLOORS for name in names.split()]
    here = {"sitegen" if name == "__init__" else name.partition(".")[0] for name in modules()}
    assert len(standing) == len(set(standing))
    assert set(standing) ^ here == set()


def test_imports_run_downwards() -> None:
    """No module imports from a floor above its own."""
    trees = modules()
    upwards = [
        f"{name} imports {other}"
        for name, tree in trees.items()
        for other in home_imports(tree, set(trees))
        if 0 <= floor(name) < floor(other)
    ]
    assert upwards == []


def test_imports_go_round_in_no_circle() -> None:
    """Modules can be put into an order in which each imports only those before it."""
    trees = modules()
    graph = {name: home_imports(tree, set(trees)) - {name} for name, tree in trees.items()}
    list(graphlib.TopologicalSorter(graph).static_order())


def test_formats_know_nothing_of_each_other() -> None:
    """A format's module imports no other format's; what several share is in modules whose names begin with `_`."""
    trees = {name: tree for name, tree in modules().items() if name.startswith("formats.")}
    formats = {"formats.sphinx", "formats.myst", "formats.markdown", "formats.text", "formats.html"}
    known = [f"{name} imports {other}" for name in formats for other in home_imports(trees[name], formats) & formats]
    assert known == []


def test_core_touches_no_world() -> None:
    """Outside the rim nothing imports what reads or writes disk, clock, network or environment, or opens a file."""
    meetings = []
    for name, tree in modules().items():
        if floor(name) >= len(CORE):
            continue
        taken = (taken for taken in imports(tree) if taken not in HARMLESS)
        meetings += [f"{name}: {taken}" for taken in taken if {taken, *_parents(taken)} & WORLD]
        calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
        meetings += [f"{name}: open()" for call in calls if isinstance(call, ast.Name) and call.id == "open"]
    assert meetings == []


def _parents(name: str) -> Iterator[str]:
    while "." in name:
        name = name.rpartition(".")[0]
        yield name


def test_nothing_of_this_machine_is_in_the_papers() -> None:
    """The pinned versions name no host and no place on a disk."""
    pins = (ROOT / "constraints.txt").read_text().splitlines()
    assert [line for line in pins if not line.startswith("#") and "==" not in line] == []
    assert [line for line in pins if "/" in line or "@" in line] == []


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "-qq", "--no-deps", "--no-build-isolation", "-w", folder, ROOT]
    subprocess.run(command, check=True, timeout=100)
    return next(folder.glob("sitegen-*.whl"))


def test_wheel_carries_every_template(wheel: Path) -> None:
    """Each template, style and script is in the wheel, at its place in the package; no test and no content is."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    templates = (path for path in (ROOT / "templates").rglob("*") if path.is_file())
    missing = {f"sitegen/{path.relative_to(ROOT).as_posix()}" for path in templates} - names
    assert missing == set()
    assert {name.split("/")[0].partition("-")[0] for name in names} == {"sitegen"}


def test_wheel_works_elsewhere(wheel: Path, tmp_path: Path) -> None:
    """Installed in a folder of its own and run from another, the command builds a site with styles and scripts."""
    library = tmp_path / "library"
    install = [sys.executable, "-m", "pip", "install", "-qq", "--no-deps", "--no-index", "--target", library, wheel]
    subprocess.run(install, check=True, timeout=100)
    (tmp_path / "glossary/1.0").mkdir(parents=True)
    (tmp_path / "glossary/1.0/GLOSSARY.md").write_text(
        "# Glossary\n\n## ATen\n\nA library.\n\n## Kernel\n\nA loop.\n"
    )
    run = [sys.executable, "-m", "sitegen"]
    world = {"PYTHONPATH": str(library), "PATH": ""}
    where = "import sitegen; print(sitegen.__file__)"
    found = subprocess.run([sys.executable, "-c", where], cwd=tmp_path, env=world, capture_output=True, text=True)
    assert Path(found.stdout.strip()).is_relative_to(library)
    subprocess.run([*run, "build", "glossary"], cwd=tmp_path, env=world, check=True, timeout=100)
    for path in ("index.html", "term/aten/index.html", "assets/site.css", "assets/site.js", "glossary.json"):
        assert (tmp_path / "site" / path).stat().st_size > 0
