"""The layout: imports run downwards, few packages have side effects, and the wheel is complete."""

from __future__ import annotations

import ast
import doctest
import graphlib
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from sitegen.commands.main import COMMANDS

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "sitegen"

FLOORS = [
    floor.split()
    for floor in (
        "model",
        "text safe_files",
        "formats",
        "config",
        "history",
        "sources addresses",
        "permanence",
        "site",
        "pipeline",
        "integrations",
        "api sphinx",
        "tools",
        "preview",
        "commands",
    )
]
"""From low to high: a module imports from its own package or from packages on lower floors."""

SIDE_EFFECTS = (
    "safe_files sources permanence.archive_file permanence.published_archive pipeline integrations tools "
    "preview commands "
    "site.compiled site.messages site.templates site.theme __main__"
).split()
"""Packages and modules that may touch disk, clock, network and environment. All others can be tried
with strings."""

WORLD = frozenset(
    """asyncio ctypes datetime.datetime glob http io locale logging multiprocessing os pathlib platform random secrets
    shutil signal socket subprocess sys tempfile threading time tkinter urllib.request uuid warnings""".split()
)
"""Modules, and names in them, through which a program meets disk, clock, network or environment."""

TEXTS = frozenset({".css", ".html", ".js", ".md", ".py", ".toml", ".yml"})
"""The suffixes of files that we write."""

DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)

HARMLESS = frozenset({"io.StringIO", "pathlib.PurePosixPath", "sys.intern"})


@cache
def modules() -> dict[str, ast.Module]:
    """Returns every module's syntax tree by its dotted name without the package's."""
    return {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(
            ".__init__"
        ): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(PACKAGE.rglob("*.py"))
    }


def imports(tree: ast.Module) -> Iterator[str]:
    """Returns the imports of a module as dotted names: `from a import b` gives `a.b`. Imports for
    types count too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are spelled out in full"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def home_imports(tree: ast.Module, known: set[str]) -> set[str]:
    """Returns the modules of this package that a module imports."""
    found = set()
    for name in imports(tree):
        if name.partition(".")[0] == "sitegen":
            inside = name.removeprefix("sitegen").lstrip(".")
            found.add(
                next(
                    (part for part in (inside, inside.rpartition(".")[0]) if part in known),
                    "__init__",
                )
            )
    return found


def level(module: str) -> int:
    """Returns the floor of a module's package; the top package and `__main__` are at the ends."""
    package = module.partition(".")[0]
    floors = {name: number for number, names in enumerate(FLOORS) for name in names}
    return {"__init__": -1, "__main__": len(FLOORS)}.get(module, floors.get(package, -1))


def test_imports_run_downwards() -> None:
    """Each module is in one of the packages, which are on floors, and imports only from that one
    and lower floors."""
    trees = modules()
    upwards = [
        f"{name} imports {other}"
        for name, tree in trees.items()
        for other in home_imports(tree, set(trees))
        if level(name) <= level(other) and name.partition(".")[0] != other.partition(".")[0]
    ]
    assert upwards == []


def test_git_knows_nothing_of_sources() -> None:
    """The modules that read repositories import none of those that read sources from them."""
    trees = modules()
    upwards = [
        f"{name} imports {other}"
        for name, tree in trees.items()
        for other in home_imports(tree, set(trees))
        if packages(name)[-1:] == ["sources.git"]
        and other.startswith("sources.")
        and not other.startswith("sources.git.")
    ]
    assert upwards == []


def test_imports_form_no_circle() -> None:
    """No module imports itself, directly or through others. Importing a module runs its packages
    first."""
    trees = modules()
    graph = {name: home_imports(tree, set(trees)) for name, tree in trees.items()}
    for name, others in graph.items():
        inside = {above for other in others for above in packages(other)}
        others |= inside - {name, *packages(name)}
    list(graphlib.TopologicalSorter(graph).static_order())


def packages(module: str) -> list[str]:
    """Returns the packages that a module is in."""
    parts = module.split(".")
    return [".".join(parts[:depth]) for depth in range(1, len(parts))]


def test_formats_know_nothing_of_each_other() -> None:
    """A format imports only `common`, and Markdown if that is part of it or around it; Markdown
    imports HTML."""
    trees = modules()
    allowed = {
        ("markdown", "html"),
        ("myst", "markdown"),
        ("records", "markdown"),
        ("rst", "markdown"),
    }
    pairs = {
        (name.split(".")[1], other.split(".")[1])
        for name, tree in trees.items()
        for other in home_imports(tree, set(trees))
        if name.startswith("formats.") and other.startswith("formats.")
    }
    assert {
        (one, other) for one, other in pairs if one != other and other != "common"
    } - allowed == set()


SHARED_NAMES = {
    "site": ["site", "site.site"],
}
"""Names that several modules or packages have."""


def test_modules_have_names_of_their_own() -> None:
    """A name leads to one module or package; the exceptions are listed."""
    homes: dict[str, list[str]] = {}
    for module in modules():
        homes.setdefault(module.rpartition(".")[2], []).append(module)
    shared = {name: found for name, found in homes.items() if len(found) > 1}
    assert shared == SHARED_NAMES


def test_types_and_shared_constants_have_names_of_their_own() -> None:
    """A type has a name that no other type has, and so has a constant that other modules import."""
    meanings: dict[str, set[str]] = {}
    for module, tree in modules().items():
        for name, meaning in _types(tree):
            meanings.setdefault(name, set()).add(meaning or module)
        for taken in imports(tree):
            home, _, name = taken.rpartition(".")
            if home.startswith("sitegen.") and name.isupper():
                meanings.setdefault(name, set()).add(home)
    assert {name: found for name, found in meanings.items() if len(found) > 1} == {}


def _types(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yields the classes of a module, and its other names for types with what they stand for."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield node.name, ""
        for target in node.targets if isinstance(node, ast.Assign) else ():
            if isinstance(target, ast.Name) and target.id[0].isupper() and not target.id.isupper():
                yield target.id, ast.unparse(node.value)


BRITISH = re.compile(
    r"""(?ix) artefact | behaviour | cancelled | cancelling | catalogue | centre | colour | favour | \bgrey
    | honour | judgement | labelled(?!by) | labelling | learnt | licence | modelled | modelling | neighbour | spelt
    | whilst | (?:capital|emphas|initial|memo|minim|normal|optim|organ|recogn|sanit|serial|special|summar|token|util)
    is(?:e|ing|ation)"""
)
"""Matches in words of British spelling."""

SEVERAL_SPELLINGS = frozenset(
    f"sitegen/{path}"
    for path in (
        "formats/common/headings.py",
        "formats/records/shapes.py",
        "sources/glossary_names.py",
    )
)
"""The modules that recognize words of glossaries in any spelling."""


def test_spelling_is_american() -> None:
    """Code, templates and documents are written in American English."""
    paths = [*ROOT.glob("*.md"), ROOT / "sitegen/site/messages/locale/en.po"]
    paths += [
        path for name in ("sitegen", "templates", "docs") for path in (ROOT / name).rglob("*.*")
    ]
    texts = {
        path.relative_to(ROOT).as_posix(): path
        for path in paths
        if path.suffix in TEXTS or path.name == "en.po"
    }
    found = {
        f"{name}: {word}"
        for name, path in texts.items()
        if name not in SEVERAL_SPELLINGS
        for word in {*re.findall(r"\w+", path.read_text(encoding="utf-8"))}
        if BRITISH.search(word)
    }
    assert found == set()


SEARCHES = frozenset(
    """count endswith find findall finditer fullmatch index match partition removeprefix removesuffix rfind rpartition
    rsplit search split splitlines startswith sub""".split()
)
"""Methods of texts and of patterns that look into a text."""

FOREIGN_MESSAGES = {
    "config.parsing": "tomllib",
    "formats.common.record_values": "yaml",
    "formats.skos": "rdflib",
}
"""The modules that shorten the message of a library which tells a place or a reason in no other
way."""


def test_nothing_is_decided_by_wording() -> None:
    """No code compares or searches the text of a problem or an error: what it needs to know is a
    kind or a type."""
    found = {
        f"{name}:{node.lineno}: {ast.unparse(node)}"
        for name, tree in modules().items()
        if name not in FOREIGN_MESSAGES
        for node in ast.walk(tree)
        if any(map(_is_message, _looked_into(node)))
    }
    assert found == set()


def _looked_into(node: ast.AST) -> list[ast.expr]:
    """Returns the expressions whose text a comparison, a search or a `match` looks into."""
    match node:
        case ast.Compare(left=left, comparators=others):
            return [left, *others]
        case ast.Call(func=ast.Attribute(value=text, attr=attribute), args=arguments) if (
            attribute in SEARCHES
        ):
            return [text, *arguments]
        case ast.Match(subject=subject):
            return [subject]
    return []


def _is_message(node: ast.expr) -> bool:
    """Returns whether an expression is the text of a problem or of an error."""
    match node:
        case ast.Attribute(attr="found"):
            return True
        case ast.Call(func=ast.Name(id="str" | "repr"), args=[ast.Name(id=name)]):
            return "error" in name or name in {"problem", "reason", "refused", "refusal", "remedy"}
    return False


COMPREHENSION_TYPES = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def test_comprehensions_are_few_and_not_nested() -> None:
    """No comprehension is inside another, and no statement has more than two."""
    found = []
    for name, tree in modules().items():
        nested, crowded = _hard_comprehensions(tree)
        if nested or crowded:
            found.append(f"{name}: {nested} are nested, {crowded} statements have more than two")
    assert not found, f"{found}: write a loop"


def _hard_comprehensions(tree: ast.Module) -> tuple[int, int]:
    """Returns how many comprehensions are inside another, and how many statements have more than
    two."""
    nested, crowded = 0, 0
    for statement in ast.walk(tree):
        if not isinstance(statement, ast.stmt):
            continue
        own = [node for node in _own_nodes(statement) if isinstance(node, COMPREHENSION_TYPES)]
        inner = set()
        for comprehension in own:
            inner.update({*ast.walk(comprehension)} - {comprehension})
        nested += len(inner.intersection(own))
        if len(own) > 2:
            crowded += 1
    return nested, crowded


def _own_nodes(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yields the nodes of a statement, without those of statements inside it."""
    nodes: list[ast.AST] = [statement]
    while nodes:
        node = nodes.pop()
        yield node
        children = ast.iter_child_nodes(node)
        nodes.extend(child for child in children if not isinstance(child, ast.stmt))


def test_side_effects_live_in_few_packages() -> None:
    """Other packages do not import what accesses disk, clock, network or environment, and open no
    file."""
    meetings = []
    for name, tree in modules().items():
        if name.partition(".")[0] in SIDE_EFFECTS or name in SIDE_EFFECTS:
            continue
        taken = (taken for taken in imports(tree) if taken not in HARMLESS)
        meetings += [f"{name}: {taken}" for taken in taken if {taken, *_parents(taken)} & WORLD]
        calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
        meetings += [
            f"{name}: open()" for call in calls if isinstance(call, ast.Name) and call.id == "open"
        ]
    assert meetings == []


def test_programs_are_started_in_one_place() -> None:
    """Only `sources/git/process.py` starts a program, which is git; `commands/main.py` starts
    itself with UTF-8."""
    starting = {
        "subprocess.run",
        "subprocess.Popen(",
        "subprocess.call",
        "subprocess.check",
        "os.system",
        "os.exec",
    }
    texts = {
        path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8")
        for path in PACKAGE.rglob("*.py")
    }
    places = {name for name, text in texts.items() if any(call in text for call in starting)}
    assert places == {"sources/git/process.py", "commands/main.py"}


def _parents(name: str) -> Iterator[str]:
    while "." in name:
        name = name.rpartition(".")[0]
        yield name


def test_nothing_of_this_machine_is_in_the_papers() -> None:
    """The pinned versions contain no host name and no path."""
    pins = (ROOT / "constraints.txt").read_text().splitlines()
    assert [line for line in pins if not line.startswith("#") and "==" not in line] == []
    assert [line for line in pins if "/" in line or "@" in line] == []


def test_every_dependency_is_pinned() -> None:
    """A test and a build use the same versions on every machine: another one may read or sort
    otherwise."""
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    pins = (ROOT / "constraints.txt").read_text().splitlines()
    pinned = {canonicalize_name(line.partition("==")[0]) for line in pins}
    assert {canonicalize_name(Requirement(line).name) for line in wanted} - pinned == set()


BEHAVIORS = frozenset(
    """
    about_page accessibility assets avoided_names bad_documents bench budgets build_notes builds
    change_kinds cli compare_browser content corpora corpora_reading declared_names
    discovered_paths discovered_translations docutils export_forms faults first_year
    frozen_pages fuzz git_clones git_hostile github_pages golden hard_names head hooks hostile
    hostile_checkouts house includes incremental install_steps journeys language_builds
    languages left_out_glossaries limits list_pages live_site lost_addresses markdown_text
    marked_words oracle other_documents overview_pages pages_browser papers preview_session
    ranking reader_tasks rebuilding release_differences same_words search_browser search_data
    senses sitemap successive_saves tag_families term_files term_page term_page_browser
    toml_lines toml_text translated_files unread_documents unread_formats unreleased valid_html
    whole_or_old windows withheld workflows working_copy
    """.split()
)
"""What test modules test that is not a module or package of the program, a template, a script or a
page of docs/."""


def test_examples_in_docstrings_are_true() -> None:
    """Each call after `>>>` in a docstring has the result that is below it."""
    tried = 0
    for name, tree in modules().items():
        docstrings = [
            ast.get_docstring(one) for one in ast.walk(tree) if isinstance(one, DOCUMENTED)
        ]
        if any(text and ">>> " in text for text in docstrings):
            result = doctest.testmod(import_module(f"sitegen.{name}"))
            assert not result.failed, name
            tried += result.attempted
    assert tried


def test_test_modules_are_named_after_what_they_test() -> None:
    """A test module has the name of a module, package, template, script, page, command or listed
    behavior."""
    files = (
        path
        for folder in ("sitegen", "templates", "docs")
        for path in (ROOT / folder).rglob("*")
        if path.is_file()
    )
    commands = {name.replace("-", "_") for name in COMMANDS}
    known = commands | {
        name.replace("-", "_") for path in files for name in (path.stem, path.parent.name)
    }
    tests = {path.stem.removeprefix("test_") for path in (ROOT / "tests").glob("test_*.py")}
    assert tests <= known | BEHAVIORS
    assert tests >= BEHAVIORS


def test_no_test_module_is_imported_by_another() -> None:
    """What several test modules use is in a helper module."""
    trees = {
        path.name: ast.parse(path.read_text(encoding="utf-8"))
        for path in (ROOT / "tests").glob("*.py")
    }
    taken = [
        (name, one)
        for name, tree in trees.items()
        for one in imports(tree)
        if one.startswith("test_")
    ]
    assert taken == []


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    (folder / "temporary").mkdir()
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-qq",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        folder,
        ROOT,
    ]
    world = {**os.environ, "TMPDIR": str(folder / "temporary")}
    subprocess.run(command, env=world, check=True)
    return next(folder.glob("sitegen_glossary-*.whl"))


def test_building_a_wheel_leaves_nothing_behind(wheel: Path) -> None:
    """No temporary file is left when a wheel is built."""
    assert [*(wheel.parent / "temporary").iterdir()] == []


def test_wheel_carries_every_template(wheel: Path) -> None:
    """Each template, style and script is in the wheel, and no test or content is."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    templates = (path for path in (ROOT / "templates").rglob("*") if path.is_file())
    missing = {f"sitegen/{path.relative_to(ROOT).as_posix()}" for path in templates} - names
    assert missing == set()
    assert {name.split("/")[0].partition("-")[0] for name in names} == {
        "sitegen",
        "sitegen_glossary",
        "sitegen_templates",
    }


def test_wheel_works_elsewhere(wheel: Path, tmp_path: Path) -> None:
    """Installed elsewhere, the command builds a site with styles and scripts."""
    library = tmp_path / "library"
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "-qq",
        "--no-deps",
        "--no-index",
        "--target",
        library,
        wheel,
    ]
    subprocess.run(install, check=True)
    (tmp_path / "glossary/1.0").mkdir(parents=True)
    (tmp_path / "glossary/1.0/GLOSSARY.md").write_text(
        "# Glossary\n\n## ATen\n\nA library.\n\n## Kernel\n\nA loop.\n"
    )
    run = [sys.executable, "-m", "sitegen"]
    world = {"PYTHONPATH": str(library), "PATH": ""}
    where = "import sitegen; print(sitegen.__file__)"
    found = subprocess.run(
        [sys.executable, "-c", where], cwd=tmp_path, env=world, capture_output=True, text=True
    )
    assert Path(found.stdout.strip()).is_relative_to(library)
    subprocess.run([*run, "build", "glossary"], cwd=tmp_path, env=world, check=True)
    for path in (
        "index.html",
        "term/aten/index.html",
        "assets/site.css",
        "assets/site.js",
        "glossary.json",
    ):
        assert (tmp_path / "site" / path).stat().st_size > 0
