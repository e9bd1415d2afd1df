"""Rehearses a release: `make rehearsal`. Users' commands install it from an index on this machine.

The wheel and the sdist are built and served on the loopback. In empty environments, on a small
repository, are then run: the first commands of README, with what it will install after the first
release, the workflow that `sitegen init` writes, the action, the hooks for pre-commit, and the
extras. Dependencies come from the index that pip uses otherwise, in the versions of
constraints.txt.

Then the files that `sitegen init` writes for each host are run, step by step, from a copy that was
installed in each of four ways: from the index, from git, from a clone, and from a file, whose
origin has to be named.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml
from newcomer import environment_in
from servers import Silent, started
from workflows import commands, published_folder, service_variables

from sitegen.config.hosts import HOSTS

ROOT = Path(__file__).resolve().parent.parent
GLOSSARY = "# Glossary\n\n## Kernel\n\nA loop over {}.\n\n## Tensor\n\nA grid of numbers.\n"
EXPRESSION = re.compile(r"\$\{\{ *(.+?) *\}\}")
World = dict[str, str]


def main() -> None:
    with TemporaryDirectory(prefix="rehearsal-") as name:
        folder = Path(name)
        build = [sys.executable, "-m", "hatchling", "build", "--directory", folder / "dist"]
        subprocess.run(build, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        with index(folder) as address:
            world = world_of(folder, address)
            project = repository(folder / "project", world)
            installed(folder, project, world)
            workflow(folder, project, world)
            sources = unpacked(folder, world)
            action(folder, project, sources, world)
            hooks(project, sources, world)
            every_way(folder, project, sources, address, world)
    print("the release works")


@contextmanager
def index(folder: Path) -> Iterator[str]:
    """Serves the built files as an index of one package (PEP 503)."""
    simple = folder / "index/sitegen-glossary"
    simple.mkdir(parents=True)
    for file in (folder / "dist").iterdir():
        shutil.copy(file, simple)
    links = "".join(f'<a href="{file.name}">{file.name}</a>\n' for file in simple.iterdir())
    (simple / "index.html").write_text(f"<!doctype html><title>files</title>\n{links}")

    handler = partial(Silent, directory=str(folder / "index"))
    with started(ThreadingHTTPServer(("127.0.0.1", 0), handler)) as address:
        yield f"{address}/"


def world_of(folder: Path, address: str) -> World:
    """Returns the environment variables of a user: an empty home, and our index beside the usual
    ones."""
    asked = subprocess.run(
        [sys.executable, "-m", "pip", "config", "get", "global.extra-index-url"],
        capture_output=True,
        text=True,
    )
    others = (
        f"{os.environ.get('PIP_EXTRA_INDEX_URL', '')} "
        f"{asked.stdout if asked.returncode == 0 else ''}"
    )
    (folder / "home").mkdir()
    kept = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("PYTHON", "VIRTUAL_ENV", "GIT_"))
    }
    return {
        **kept,
        "HOME": str(folder / "home"),
        "PIP_EXTRA_INDEX_URL": f"{address} {' '.join(others.split())}",
        "PIP_CONSTRAINT": str(ROOT / "constraints.txt"),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_QUIET": "1",
        "PRE_COMMIT_HOME": str(folder / "pre-commit"),
        **{f"GIT_{role}_NAME": "user" for role in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{role}_EMAIL": "user@example.org" for role in ("AUTHOR", "COMMITTER")},
    }


def run(command: str, *, folder: Path, world: World, within: Path | None = None) -> str:
    """Runs a command of a shell, with the programs of an environment first, and returns what it
    prints."""
    print(f"$ {' '.join(command.split())[:110]}", flush=True)
    path = f"{within / 'bin'}{os.pathsep}{world['PATH']}" if within else world["PATH"]
    done = subprocess.run(
        ["bash", "-ec", command],
        cwd=folder,
        env={**world, "PATH": path},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        sys.exit(f"{command}\nended with status {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def repository(folder: Path, world: World) -> Path:
    """Creates a repository with a glossary, two releases, a document and a remote."""
    (folder / "docs").mkdir(parents=True)
    run(
        f"git init -q -b main . && git init -q --bare -b main {folder}.git",
        folder=folder,
        world=world,
    )
    (folder / "README.md").write_text("# Project\n\nA kernel reads a tensor.\n")
    for number, text in enumerate(("one grid", "all numbers of a grid")):
        (folder / "docs/glossary.md").write_text(GLOSSARY.format(text))
        run(
            f"git add . && git commit -qm {number} && git tag v1.{number}",
            folder=folder,
            world=world,
        )
    run(
        f"git remote add origin {folder}.git && git push -q origin main --tags",
        folder=folder,
        world=world,
    )
    return folder


def empty(place: Path, world: World) -> Path:
    """Creates an environment with pip alone."""
    run(f"{sys.executable} -m venv {place}", folder=place.parent, world=world)
    return place


def installed(folder: Path, project: Path, world: World) -> None:
    """Runs the first commands of README, and what they install with the extras."""
    within = empty(folder / "user", world)
    readme = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Start")[2]
    block = re.search(r"(?:^    .+\n)+", readme, re.M)
    assert block, "README has no commands to start with"
    _install, _enter_project, *commands = re.findall(r"^    (.+?)(?: +#.*)?$", block[0], re.M)
    run("pip install sitegen-glossary", folder=project, world=world, within=within)
    for command in commands:
        if " serve " in command:
            _serve(project, world, within)
        else:
            run(
                command.replace("git push", "git push -q origin main"),
                folder=project,
                world=world,
                within=within,
            )
    run("sitegen build --quiet", folder=project, world=world, within=within)
    page = (project / "site/term/tensor/index.html").read_text(encoding="utf-8")
    assert "reworded" in page, "the site has no term"
    run('pip install "sitegen-glossary[mcp,sphinx]"', folder=project, world=world, within=within)
    imports = (
        "import sitegen.sphinx, sitegen.integrations.assistant_server as server; from "
        "sitegen.api import load"
    )
    answer = "print(server.Tools(load('site')).define('tensors'))"
    assert "A grid of numbers." in run(
        f'python -c "{imports}; {answer}"', folder=project, world=world, within=within
    )
    run("sitegen check-text README.md --glossary site", folder=project, world=world, within=within)


def _serve(project: Path, world: World, within: Path) -> None:
    print("$ sitegen serve", flush=True)
    address = "http://127.0.0.1:8765/"
    command = [within / "bin/sitegen", "serve", "--port", "8765"]
    process = subprocess.Popen(
        command, cwd=project, env=world, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(600):
            with suppress(OSError), urllib.request.urlopen(address, timeout=60) as page:
                assert b"<title>" in page.read()
                return
            time.sleep(0.1)
        sys.exit("sitegen serve: no page in a minute")
    finally:
        process.terminate()
        process.wait()


def workflow(folder: Path, project: Path, world: World) -> None:
    """Runs the steps of the workflow that `init` wrote, in a clone and an empty environment."""
    within = empty(folder / "service", world)
    run(f"git clone -q {project}.git checkout", folder=folder, world=world)
    [file] = (project / ".github/workflows").glob("*.yml")
    steps = yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"]["build"]["steps"]
    for step in steps:
        if "run" in step and "if" not in step:
            run(
                step["run"],
                folder=folder / "checkout",
                world={**world, "BRANCH": "main"},
                within=within,
            )
    assert (folder / "checkout/site/index.html").is_file()


def unpacked(folder: Path, world: World) -> Path:
    """Unpacks the sdist into a repository, as which an action and hooks are used."""
    with tarfile.open(next((folder / "dist").glob("*.tar.gz"))) as archive:
        archive.extractall(folder / "sdist", filter="data")
    [sources] = (folder / "sdist").iterdir()
    run("git init -q -b main . && git add . && git commit -qm sources", folder=sources, world=world)
    return sources


def action(folder: Path, project: Path, sources: Path, world: World) -> None:
    """Runs the steps of the action on a push."""
    read = yaml.safe_load((sources / "action.yml").read_text(encoding="utf-8"))
    values = {f"inputs.{name}": str(about["default"]) for name, about in read["inputs"].items()}
    values["steps.python.outputs.python-path"] = sys.executable
    shutil.rmtree(project / "site")
    for step in read["runs"]["steps"]:
        if "run" in step and "if" not in step:
            own = {
                name: EXPRESSION.sub(lambda one: values[one[1]], text)
                for name, text in step.get("env", {}).items()
            }
            places = {"RUNNER_TEMP": str(folder / "runner"), "GITHUB_ACTION_PATH": str(sources)}
            (folder / "runner").mkdir(exist_ok=True)
            run(step["run"], folder=project, world={**world, **places, **own})
    assert (project / "site/index.html").is_file()


def hooks(project: Path, sources: Path, world: World) -> None:
    """Runs each hook that advises, as pre-commit installs it."""
    pre_commit = Path(sys.executable).parent / "pre-commit"
    for hook in ("sitegen-check", "sitegen-check-text"):
        printed = run(
            f"{pre_commit} try-repo {sources} {hook} --all-files --verbose",
            folder=project,
            world=world,
        )
        assert "Passed" in printed, printed


def every_way(folder: Path, project: Path, sources: Path, address: str, world: World) -> None:
    """Runs the file of each host, from a copy that was installed in each of four ways."""
    public = "https://sitegen.invalid/tools/sitegen.git"
    # For pip and git, the address of the repository is that of the sources on this machine.
    world = {
        **world,
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.{sources.as_uri()}.insteadOf",
        "GIT_CONFIG_VALUE_0": public,
        "PIP_NO_BUILD_ISOLATION": "0",  # for pip, this is yes: what builds sitegen is there
    }
    run(f"git clone -q {public} clone", folder=folder, world=world)
    commit = run("git rev-parse HEAD", folder=sources, world=world).strip()
    [wheel] = (folder / "dist").glob("*.whl")
    ways = {
        "index": ("sitegen-glossary", ""),
        "git": (f"git+{public}@main", ""),
        "clone": ("./clone", ""),
        "file": (str(wheel), f"git+{public}@{commit}"),
    }
    for way, (requirement, named) in ways.items():
        user = environment_in(folder / f"user-{way}").parent
        run(f"python -m pip install {requirement}", folder=folder, world=world, within=user)
        for host in ("github", "gitlab", "netlify", "readthedocs"):
            checkout = folder / f"{way}-{host}"
            run(f"git clone -q {project}.git {checkout.name}", folder=folder, world=world)
            set_up(checkout, host, named, world=world, within=user)
            service = environment_in(folder / f"service-{way}-{host}").parent
            variables = service_variables(checkout, address.rstrip("/"))
            for command in commands(host, checkout):
                run(command, folder=checkout, world={**world, **variables}, within=service)
            assert (published_folder(host, checkout) / "index.html").is_file()


def set_up(checkout: Path, host: str, named: str, *, world: World, within: Path) -> None:
    """Has `init` write the file of a host into a checkout. Where the origin is not known, the line
    to install sitegen fails, and the origin is named."""
    run("rm site.toml && rm -rf .github", folder=checkout, world=world)
    printed = run(f"sitegen init --host {host}", folder=checkout, world=world, within=within)
    if named:
        assert "how to install sitegen is unknown" in printed
        [marked] = [command for command in commands(host, checkout) if "EDIT THIS LINE" in command]
        run(f"! (\n{marked}\n) && rm {HOSTS[host].file}", folder=checkout, world=world)
        again = f"sitegen init --host {host} --install {named}"
        printed = run(again, folder=checkout, world=world, within=within)
    assert "it installs" in printed


if __name__ == "__main__":
    main()
