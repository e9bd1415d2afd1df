"""Whole builds: reproducible, one line for each bad input, and safe with hostile text."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pages_server import published
from written_sites import contents

from sitegen.pipeline.site_build import Built, build
from sitegen.site.rendering import THEME_SCRIPT
from sitegen.site.templates import read_templates
from sitegen.sources.git.repositories import Clones

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

ROOT = Path(__file__).parent.parent
CORPORA = "cncf sphinx".split()

GOOD = "# Glossary\n\n## ATen\n\nA tensor library.\n\n## Kernel\n\nWhat runs on a device.\n"


def built(folder: Path, output: Path) -> Built:
    """Builds a site and returns the result, with paths of problems relative to the folder."""
    done = build(folder, output, notify=lambda doing: None, clones=Clones(folder=output))
    problems = (
        replace(problem, path=problem.path.removeprefix(f"{folder}/")) for problem in done.problems
    )
    return replace(done, problems=tuple(problems))


def statuses(site: Path) -> dict[str, str]:
    """Returns the terms of a built site with their statuses."""
    terms = json.loads((site / "glossary.json").read_text(encoding="utf-8"))["terms"]
    return {term["name"]: term["status"] for term in terms}


# The same bytes, whatever the machine.

PROGRAM = """
import sys
from pathlib import Path
from sitegen.pipeline.site_build import Built, build
from sitegen.sources.git.repositories import Clones
for name in sys.argv[2:]:
    build(Path(name), Path(sys.argv[1], name), notify=lambda doing: None, clones=Clones(folder=Path(name)))
"""

WORLDS = {
    "one": {
        "LC_ALL": "C",
        "TZ": "UTC",
        "PYTHONHASHSEED": "1",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
    },
    "another": {
        "LC_ALL": "tr_TR.UTF-8",
        "TZ": "Pacific/Chatham",
        "PYTHONHASHSEED": "2",
        "COLUMNS": "40",
    },
}


def build_all(folder: Path, world: dict[str, str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", PROGRAM, folder / "sites", "seeds", *CORPORA]
    return subprocess.Popen(command, cwd=folder / "content", env={"PYTHONPATH": str(ROOT), **world})


def copy_in_order(source: Path, target: Path, order: random.Random) -> None:
    """Copies a folder with its files in a given order, in which some disks list them."""
    files = sorted(path for path in source.rglob("*") if path.is_file())
    order.shuffle(files)
    for path in files:
        copy = target / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)


def test_same_input_gives_the_same_bytes(shared: Path, tmp_path: Path) -> None:
    """Builds with another locale, time zone, folder, disk order and hash seed have the same
    bytes."""
    processes = []
    for name, world in WORLDS.items():
        for corpus in (shared / "seeds", *(shared / "corpora" / corpus for corpus in CORPORA)):
            copy_in_order(corpus, tmp_path / name / "content" / corpus.name, random.Random(name))
        processes.append(build_all(tmp_path / name, world))
    assert [process.wait() for process in processes] == [0, 0]
    for corpus in ("seeds", *CORPORA):
        one, another = (contents(tmp_path / name / "sites" / corpus) for name in WORLDS)
        assert len(one) > 10
        assert one.keys() == another.keys()
        assert [path for path in one if one[path] != another[path]] == []


# Bad input.

Spoil = Callable[[Path], object]


def spoiled(text: str | bytes) -> Spoil:
    content = text if isinstance(text, bytes) else text.encode()
    return lambda path: path.write_bytes(content)


def enormous(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(50 * 1024 * 1024)


BAD_INPUT: dict[str, Spoil] = {
    "empty": spoiled(""),
    "white space": spoiled(" \n\t\n"),
    "binary": spoiled(bytes(range(256)) * 64),
    "50 MB": enormous,
    "bytes no text has": spoiled(
        GOOD.encode() + b"\n## Odd\n\nA \x00 and \x1b[2J and \xef\xbf\xbe.\n"
    ),
    "lone directive": spoiled(".. glossary::\n"),
    "directive and nothing": spoiled("Glossary\n========\n\n.. glossary::\n   :sorted:\n"),
    "empty fence": spoiled("```{glossary}\n```\n"),
    "not markup": spoiled("<html><body></body></html>"),
    "folder instead of a file": lambda path: path.mkdir(),
    "link": lambda path: path.symlink_to("/etc/passwd"),
    "pipe": lambda path: os.mkfifo(path),
}
"""Files in place of a glossary from which no term can be read."""


@pytest.mark.parametrize("spoil", BAD_INPUT.values(), ids=BAD_INPUT.keys())
def test_bad_file_is_one_line_and_the_rest_is_built(tmp_path: Path, spoil: Spoil) -> None:
    """An unusable file gives one problem that names it; its earlier terms are unread, not
    removed."""
    site = built(with_bad_release(tmp_path, spoil), tmp_path / "site")
    assert len(site.problems) == 1, site.problems
    assert site.problems[0].path.startswith("words/1.1")
    assert "\n" not in str(site.problems[0])
    assert statuses(tmp_path / "site") == {"ATen": "unread", "Kernel": "unread"}


def with_bad_release(folder: Path, spoil: Spoil) -> Path:
    for release in ("1.0", "1.1"):
        (folder / "content/words" / release).mkdir(parents=True)
    (folder / "content/words/1.0/GLOSSARY.md").write_text(GOOD)
    (folder / "content/site.toml").write_text('[[source]]\nid = "words"\nfolder = "words"\n')
    spoil(folder / "content/words/1.1/GLOSSARY.md")
    return folder / "content"


ODD_INPUT: dict[str, str | bytes] = {
    "wrong encoding": GOOD.encode() + "\n## Grösse\n\nWie groß etwas ist.\n".encode("cp1252"),
    "unclosed everything": GOOD
    + "\n## Unclosed\n\n**bold *em `code [link](http://x <b><div ``` ~~~ :::{note}\n\n```\n> - "
    "1. (",
    "10,000 nested quotes": GOOD + "\n## Deep\n\n" + ">" * 10_000 + " deep\n",
    "10,000 nested lists": GOOD + "\n## Deep\n\n" + "- " * 10_000 + "deep\n",
    "10,000 nested elements": GOOD + "\n## Deep\n\n" + "<div>" * 10_000 + "deep\n",
    "10,000 nested brackets": GOOD + "\n## Deep\n\n" + "[" * 10_000 + "deep\n",
    "unclosed Sphinx": ".. glossary::\n\n   ATen\n      A ``tensor *library **of :term:`PyTorch "
    "<x\n\n"
    "   Kernel\n      .. code::\n",
    "deeply indented Sphinx": ".. glossary::\n\n   ATen\n      A library.\n\n   Kernel\n"
    + "".join(" " * (6 + depth) + "x\n\n" for depth in range(400)),
    "one endless line": GOOD + "\n## Long\n\n" + "word " * 150_000 + "\n",
    "unclosed HTML": "<h1>Words</h1><dl><dt>ATen<dd>A library<dt>Kernel<dd>It <b>runs <i>on "
    "<script>x<!--",
}
"""Files that can be read in part."""


@pytest.mark.parametrize("text", ODD_INPUT.values(), ids=ODD_INPUT.keys())
def test_odd_file_is_read_as_far_as_it_goes(tmp_path: Path, text: str | bytes) -> None:
    """A file damaged in one place gives its other terms, and each problem is one line."""
    site = built(with_bad_release(tmp_path, spoiled(text)), tmp_path / "site")
    assert {"ATen", "Kernel"} <= statuses(tmp_path / "site").keys()
    assert set(statuses(tmp_path / "site").values()) == {"current"}
    assert all("\n" not in str(problem) for problem in site.problems)


def test_missing_file_is_one_line(tmp_path: Path) -> None:
    """A missing file that site.toml names is one problem, and a gap in the history."""
    (tmp_path / "content").mkdir()
    (tmp_path / "content/one.md").write_text(GOOD)
    files = 'files = { "1.0" = "one.md", "1.1" = "tow.md" }'
    (tmp_path / "content/site.toml").write_text(f'[[source]]\nid = "words"\n{files}\n')
    site = built(tmp_path / "content", tmp_path / "site")
    assert [problem.path for problem in site.problems] == ["tow.md"]
    assert set(statuses(tmp_path / "site").values()) == {"unread"}


def test_release_listed_twice_is_one_line(tmp_path: Path) -> None:
    """A release with two tables in site.toml is one problem with its line, and built once."""
    content = with_bad_release(tmp_path, spoiled(GOOD))
    with (content / "site.toml").open("a") as file:
        file.write(
            '[[release]]\nname = "1.0"\n[[release]]\nname = "1.0"\n[[release]]\nname = "1.1"\n'
        )
    site = built(content, tmp_path / "site")
    assert [(problem.path, problem.line) for problem in site.problems] == [("site.toml", 6)]
    assert site.counts["releases"] == 2


def test_folder_without_permission_is_one_line() -> None:
    """A release's folder without read permission is one problem, and a gap in the history."""
    with unprivileged() as folder:
        content = with_bad_release(folder, spoiled(GOOD))
        (content / "words/1.1").chmod(0)
        try:
            site = built(content, folder / "site")
        finally:
            (content / "words/1.1").chmod(0o755)
        assert [problem.path for problem in site.problems] == ["words/1.1"]
        assert set(statuses(folder / "site").values()) == {"unread"}


@contextlib.contextmanager
def unprivileged() -> Iterator[Path]:
    """Removes root's right to override permissions for the duration of a test."""
    with tempfile.TemporaryDirectory() as name:
        before = _effective() if os.geteuid() == 0 else None
        if before is not None:
            _set_effective(before & ~OVERRIDES)
        try:
            yield Path(name)
        finally:
            if before is not None:
                _set_effective(before)


OVERRIDES = 1 << 1 | 1 << 2
"""The capabilities of root that override permissions: CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH
(capabilities(7))."""


def _capabilities() -> tuple[
    ctypes.CDLL, ctypes.Array[ctypes.c_uint32], ctypes.Array[ctypes.c_uint32]
]:
    """Returns the C library, the header for capget(2) and this process's sets: effective,
    permitted, inheritable."""
    library = ctypes.CDLL(None, use_errno=True)
    header, sets = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    if library.capget(header, sets):
        pytest.skip("this system does not tell capabilities, and root may read everything")
    return library, header, sets


def _effective() -> int:
    return int(_capabilities()[2][0])


def _set_effective(effective: int) -> None:
    library, header, sets = _capabilities()
    sets[0] = effective
    assert library.capset(header, sets) == 0


# Hostile text.

ATTACKS = (
    "<script>window.hit = 1</script><img src=x onerror='window.hit = 2'>",
    "\"><svg onload='window.hit = 3'>'><b onmouseover=window.hit=4 style=position:fixed>",
    "{{ 7 * 191 }}{% include 'layout.html' %}{{ site.__class__ }}"
    "</title></style></template></textarea><script>window.hit = 5</script>",
    "\u202egnissim\u202c \x1b[2J",
)
DEFINITION = " ".join(ATTACKS)

MARKDOWN = f"""\
# Glossary

## Plain

{DEFINITION} [click](javascript:window.hit=6) ![x](javascript:window.hit=7)
<javascript:window.hit=8> [data](data:text/html,<script>window.hit=9</script>) [quote](http://x/"onclick=window.hit=10)

<a href="javascript:window.hit=11" onclick="window.hit=12">raw</a> <iframe src="//elsewhere.example/"></iframe>
<form action="//elsewhere.example/"><button>send</button></form> <base href="//elsewhere.example/">
<style>body {{ display: none }}</style> <link rel=stylesheet href="//elsewhere.example/x.css">

"""

SPHINX = f"""\
.. glossary::

   Plain
      {DEFINITION} `click <javascript:window.hit=13>`__ :term:`x <javascript:window.hit=14>`

      .. raw:: html

         <script>window.hit = 15</script>

      .. include:: /etc/passwd

      .. image:: /etc/passwd
         :loading: embed

      .. figure:: javascript:window.hit=16
         :target: javascript:window.hit=17

      .. csv-table::
         :file: /etc/passwd

"""

PAGE = f"""\
<html><body><h1>Words</h1><dl><dt>Plain</dt><dd>{DEFINITION} <a href=" java\tscript:window.hit=18">x</a>
<math><mtext><table><mglyph><style><img src=x onerror=window.hit=19></style></table></mtext></math></dd></dl></body>
"""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site in which every name, release, title, path and definition is an attack."""
    folder = tmp_path_factory.mktemp("hostile")
    texts = {"a.md": MARKDOWN, "b.rst": SPHINX, "c.html": PAGE, "d.txt": f"Plain\n\n{DEFINITION}\n"}
    for number, attack in enumerate(ATTACKS):
        texts["a.md"] += f"## Named {number} {attack}\n\n{attack} defines it.\n\n"
        texts["b.rst"] += f"   Sphinx {number} {attack}\n      {attack} defines it.\n\n"
        release = (
            folder
            / "content/words"
            / f"1.{number} {attack}".replace("/", "\u2215").replace("\x1b", "")
        )
        for name, text in texts.items():
            release.mkdir(parents=True, exist_ok=True)
            (
                release / f"{number} {attack}{name}".replace("/", "\u2215").replace("\x1b", "")
            ).write_text(text)
    script, quoted, braces, _ = ATTACKS
    (folder / "content/site.toml").write_text(
        f"[site]\ntitle = '''{script.replace('window', 'document')}{braces}'''\n"
        f"note = '''{script}{quoted}{braces}'''\n"
        f"[[source]]\nid = 'words'\nfolder = 'words'\ntitle = '''{braces}'''\n"
        f"note = '''{script}'''\nlicense = '''{quoted}'''\n"
    )
    built(folder / "content", folder / "site")
    return folder / "site"


FACTS = """() => ({
    hit: window.hit ?? document.hit ?? null,
    events: [...document.querySelectorAll("*")].flatMap(element => element.getAttributeNames()
        .filter(name => name.startsWith("on") || name === "style" || name === "srcdoc")
        .map(name => `${element.localName} ${name}`)),
    addresses: [...document.querySelectorAll("script[src], body :is([href], [src], [action], [data])")]
        .flatMap(element => [element.href, element.src, element.action, element.data])
        .filter(address => address?.split).filter(address => !/^(https?|mailto):/i.test(address)),
    elements: [...document.querySelectorAll(`iframe, object, embed, base, style, svg script, math, textarea,
        script:not([src], [type$=json]), body form:not([role=search], [data-since], .filters),
        body link, body meta, body img`)].map(it => it.outerHTML),
    text: document.documentElement.textContent,
})"""


def test_hostile_text_does_nothing(hostile: Path, browser: Browser) -> None:
    """On no page does any of it run, load or lead anywhere, and none of it is expanded, even
    without the policy.

    The page's Content-Security-Policy is put aside, so that the escaping and the sanitizer stand
    alone.
    """
    context = browser.new_context(bypass_csp=True)
    try:
        with published(hostile) as address:
            elsewhere = strangers(context, address)
            page = context.new_page()
            page.on("dialog", lambda dialog: elsewhere.append(dialog.message))
            for path in pages_of_each_kind(hostile):
                page.goto(address + path.relative_to(hostile).as_posix().replace("%", "%25"))
                check_inert(page.evaluate(FACTS))
    finally:
        context.close()
    assert elsewhere == []


def pages_of_each_kind(site: Path) -> list[Path]:
    """Returns all pages but those of frozen wordings and of the terms of a release, of which one is
    like the others."""
    single = [*site.glob("*.html"), *site.glob("*/index.html")]
    compared = [*site.glob("compare/*/index.html"), *site.glob("compare/1-0*/*/index.html")]
    of_terms = [*site.glob("term/*/index.html"), *site.glob("term/plain*/*/index.html")]
    of_releases = [*site.glob("release/*/index.html"), *site.glob("release/1-1*/terms/index.html")]
    return sorted([*single, *compared, *of_terms, *of_releases])


def check_inert(facts: dict[str, object]) -> None:
    text = facts.pop("text")
    ours = f"<script>{read_templates()[THEME_SCRIPT]}</script>"
    assert facts == {"hit": None, "events": [], "addresses": [], "elements": [ours]}
    assert isinstance(text, str)
    assert "1337" not in text, "a template's braces were expanded"
    assert "root:" not in text, "a file of this machine was read"


def strangers(context: BrowserContext, address: str) -> list[str]:
    """Collects the requests of a page to other hosts."""
    asked: list[str] = []
    context.on(
        "request", lambda request: request.url.startswith(address) or asked.append(request.url)
    )
    return asked
