"""How the documentation of a repository is built in a workflow, as a file of the project says it.

Files of the checkout are only read. What is taken from them into a workflow has no sign that a
shell interprets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath

import yaml

from sitegen import safe_files
from sitegen.config.hosts import DOCS_TOOLS, OTHER_SUBFOLDER, SUBFOLDER, Docs
from sitegen.model import SitegenError
from sitegen.tools.installation import PIP

MAX_SETTINGS_BYTES = 256 * 1024
"""The maximum size of a configuration file that is read."""
READ_THE_DOCS = (".readthedocs.yaml", ".readthedocs.yml", "readthedocs.yml")
PLAIN_PATH = re.compile(r"[\w./-]+", re.ASCII)
PLAIN_COMMAND = re.compile(r"\w([\w ./=<>~,@+\[\]'\"-]|:(?! ))*", re.ASCII)
"""Matches a command that means the same to YAML, and in which a shell expands nothing."""
EXTRA = re.compile(
    r"(?m)^\[(project\.optional-dependencies|dependency-groups)\]\n(?:(?!\[).*\n)*?"
    r"(docs?|documentation) *= *\["
)
EXTRA_OPTION = {"project.optional-dependencies": "'.[{}]'", "dependency-groups": "--group {} ."}


def docs_of(tool: str, folder: Path) -> Docs:
    """Returns the documentation that a tool makes. Raises `SitegenError` if it has no settings
    there."""
    if docs := _docs([tool], folder):
        return docs
    settings = " or ".join(DOCS_TOOLS[tool].settings)
    raise SitegenError(
        f"{folder}: no {DOCS_TOOLS[tool].title} documentation: there is no {settings}"
    )


def find_docs(folder: Path) -> Docs | None:
    """Returns the documentation of the first tool that has settings in a repository, or None."""
    return _docs(DOCS_TOOLS, folder)


def _docs(tools: Iterable[str], folder: Path) -> Docs | None:
    """Returns the documentation that the first of the tools with settings in a repository makes."""
    of_host = _read_the_docs(folder)
    for name in tools:
        paths = [*_texts(of_host, name, "configuration"), *DOCS_TOOLS[name].settings]
        for path in filter(PLAIN_PATH.fullmatch, paths):
            if (folder / path).is_file():
                return _docs_in(folder, name, path, of_host)
    return None


def _docs_in(folder: Path, name: str, settings: str, of_host: object) -> Docs:
    """Returns the documentation of a tool with these settings; `of_host` are those of Read the
    Docs."""
    tool, parent = DOCS_TOOLS[name], PurePosixPath(settings).parent
    installing = _installing(folder, name, settings, of_host)
    command, taken_by = tool.command, tool.taken_by
    if "dirhtml" in _texts(of_host, name, "builder"):
        command, taken_by = tool.command_for_folders, (*tool.taken_by, *tool.pages)
    is_taken = any((folder / parent / path).exists() for path in taken_by)
    unknown = (f'echo "EDIT THIS LINE, install what {settings} needs" && exit 1',)
    return Docs(
        tool=name,
        settings=settings,
        commands=(*(installing or unknown), command.replace("@DIR@", str(parent))),
        output=str(PurePosixPath(tool.output.replace("@DIR@", str(parent)))),
        subfolder=OTHER_SUBFOLDER if is_taken else SUBFOLDER,
        is_known=bool(installing),
    )


def _installing(folder: Path, tool: str, path: str, settings: object) -> Sequence[str]:
    """Returns the commands that install what the documentation needs, as a file of the project says
    it; none if no file does."""
    if steps := _steps_of_read_the_docs(tool, settings):
        return steps
    places = (PurePosixPath(path).parent / "requirements.txt", "docs/requirements.txt")
    for place in places:
        if (folder / place).is_file():
            return (f"{PIP} {tool} --requirement {place}",)
    if found := EXTRA.search(text_of(folder / "pyproject.toml")):
        return (f"{PIP} {tool} {EXTRA_OPTION[found[1]].format(found[2])}",)
    return ()


def _steps_of_read_the_docs(tool: str, settings: object) -> Sequence[str]:
    """Returns the commands with which Read the Docs installs what it needs; none if they are not
    plain, or not in the file."""
    steps = [f"{PIP} {tool}"]
    steps += _texts(settings, "build", "jobs", "install")
    for entry in _items(settings, "python", "install"):
        steps += [f"{PIP} --requirement {path}" for path in _texts(entry, "requirements")]
        for path in _texts(entry, "path"):
            extras = ",".join(_texts(entry, "extra_requirements"))
            steps.append(f"{PIP} '{path}[{extras}]'" if extras else f"{PIP} {path}")
    steps += _texts(settings, "build", "jobs", "post_install")
    steps += _texts(settings, "build", "jobs", "pre_build")
    is_plain = all(map(PLAIN_COMMAND.fullmatch, steps))
    return steps if len(steps) > 1 and is_plain else ()


def _read_the_docs(folder: Path) -> object:
    """Returns the settings of Read the Docs, in which every value is a text, a list or a mapping;
    None if there are none."""
    for name in READ_THE_DOCS:
        with suppress(yaml.YAMLError, RecursionError):
            text = text_of(folder / name)
            # This loader makes no objects, and applies no merges, which can grow without limit.
            if settings := yaml.load(text, Loader=yaml.BaseLoader):  # noqa: S506
                return settings
    return None


def _items(settings: object, *keys: str) -> Sequence[object]:
    """Returns the list below these keys; of another value, a list with that."""
    for key in keys:
        if not isinstance(settings, dict):
            return ()
        settings = settings.get(key)
    return settings if isinstance(settings, list) else (settings,)


def _texts(settings: object, *keys: str) -> Sequence[str]:
    """Returns the text below these keys, or those of a list."""
    return [item for item in _items(settings, *keys) if isinstance(item, str)]


def text_of(path: Path) -> str:
    """Returns the text of a file; empty if it cannot be read."""
    with suppress(OSError):
        return safe_files.read(path, limit=MAX_SETTINGS_BYTES).decode("utf-8", "replace")
    return ""
