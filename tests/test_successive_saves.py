"""Successive saves: results of earlier saves do not affect the site."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from random import Random

import pytest
from changing import Keeper
from glossaries import with_documents
from hostile_repositories import everything
from hypothesis import example, given, settings
from hypothesis import strategies as st
from soaking import IS_SOAK, seeds

from sitegen.addresses import urls
from sitegen.config.parsing import parse
from sitegen.model import Document, Source
from sitegen.permanence.archive import Archive
from sitegen.permanence.archive_file import archive_store_in
from sitegen.pipeline import assembly
from sitegen.pipeline.site_build import build
from sitegen.preview.server import Preview
from sitegen.preview.session import PreviewSession
from sitegen.site.pages import lists
from sitegen.site.templates import read_templates
from sitegen.sources.folder_trees import MARKER
from sitegen.sources.git.repositories import Clones
from sitegen.sources.projects import Project
from sitegen.sources.reading import Glossaries
from sitegen.text import memo

RELEASES = ("1", "2", "3")
NAMES = ("A", "a", "B", "C", "D")
WORDINGS = (
    "One thing of its own kind.",
    "See [A](#a), and also [B](#b).",
    "Same as [C](#c).",
    "Deprecated since 2: use [B](#b).",
    "- a list\n- of [D](#d)",
)

Wording = Mapping[str, str]
Text = tuple[int, Wording]
"""How many lines stand above the first term, and the terms."""

texts = st.tuples(
    st.integers(0, 2),
    st.dictionaries(st.sampled_from(NAMES), st.sampled_from(WORDINGS), max_size=5),
)
histories = st.tuples(texts, texts, texts)
saves = st.lists(st.tuples(st.sampled_from([2, 2, 2, 1, 0]), texts), min_size=1, max_size=4)

CONFIG = parse('[[source]]\nid = "s"\ntitle = "S"\nfolder = "."\n', path="site.toml")
TEMPLATES = read_templates()


def read(history: Sequence[Text]) -> Glossaries:
    """Returns a source in Markdown."""
    documents = [document(name, text) for name, text in zip(RELEASES, history, strict=True)]
    source = with_documents(Source(id="s", title="S", releases=()), documents)
    return Glossaries(sources=(source,))


def document(release: str, text: Text) -> Document:
    above, wording = text
    entries = (f"## {name}\n\n{words}\n" for name, words in wording.items())
    written = "\n".join(chain(["# Glossary\n" + "\n" * above], entries))
    return Document(source="s", release=release, path=f"{release}/g.md", name="g.md", text=written)


MOVED = (
    (0, {"A": WORDINGS[0], "B": WORDINGS[1]}),
    (0, {"A": WORDINGS[0], "B": WORDINGS[1]}),
    (0, {}),
)


@settings(max_examples=30)
@example(
    MOVED,
    [(1, (1, MOVED[1][1])), (0, (2, MOVED[0][1])), (2, (2, MOVED[0][1])), (2, (0, MOVED[0][1]))],
    False,
)
@given(histories, saves, st.booleans())
def test_a_site_does_not_depend_on_earlier_saves(
    history: tuple[Text, ...], saves: list[tuple[int, Text]], is_published: bool
) -> None:
    """After every save of any release, the site is the one assembled anew."""
    archive = Archive()
    if is_published:
        archive = assembly.next_archive(assembly.assemble(CONFIG, read(history), archive))
    for number, text in ((0, history[0]), *saves):
        history = (*history[:number], text, *history[number + 1 :])
        site = assembly.assemble(CONFIG, read(history), archive)
        memo.clear()
        anew = assembly.assemble(CONFIG, read(history), archive)
        assert site == anew
        assert assembly.next_archive(site) == assembly.next_archive(anew)


@pytest.mark.soak
@pytest.mark.parametrize("seed", seeds(test=1, soak=1))
def test_what_is_served_is_what_is_built(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After each of a sequence of changes, every file is that of a first build, and the site that
    was built before is as it was."""
    monkeypatch.setattr(lists, "MANY_TERMS", 4)
    keeper = Keeper(tmp_path / "content", Random(seed))
    keeper.begin()
    site = keeper.folder / "site"
    write(keeper.folder, site)
    before, done = everything(site), ["nothing"]
    preview = Preview(TEMPLATES)
    session = PreviewSession(
        Project(folder=keeper.folder), preview, site, report=lambda built, seconds: None
    )
    for _ in range(100 if IS_SOAK else 4):
        session.rebuild(fetching=False)
        copy = shutil.copytree(keeper.folder, tmp_path / "copy")
        write(copy, copy / "site")
        assert served(preview, copy / "site") == [], done
        assert everything(site) == before
        shutil.rmtree(copy)
        done.append(keeper.change())


def write(folder: Path, site: Path) -> None:
    """Builds a folder, with an archive that is not kept."""
    clones = Clones(folder=folder / "clones")
    archive = folder / "archive.jsonl"
    shutil.rmtree(site, ignore_errors=True)
    build(
        folder,
        site,
        notify=lambda doing: None,
        clones=clones,
        archive_store=archive_store_in(folder),
    )
    archive.unlink()


def served(preview: Preview, site: Path) -> list[str]:
    """Returns the paths that a preview does not answer with the files of a site, without the
    archive."""
    script = f'<script src="/-/reload.js?shown={preview.state.name}"></script>\n'.encode()
    different = []
    for path in sorted(site.rglob("*")):
        address = path.relative_to(site).as_posix()
        if path.is_file() and address not in (MARKER, urls.ARCHIVE):
            answer = preview.answer(f"/{address}")
            if answer.body.replace(script, b"") != path.read_bytes():
                different.append(address)
    return different


PROGRAM = """
import gc, resource, sys
from pathlib import Path
from sitegen.preview.server import Preview
from sitegen.preview.session import PreviewSession
from sitegen.site.templates import read_templates
from sitegen.sources.projects import Project

gc.set_threshold(100_000, 20, 1_000)
folder, first, last = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
preview = Preview(read_templates())
session = PreviewSession(Project(folder=folder), preview, folder / "site", report=lambda built, seconds: None)
newest = folder / "9/GLOSSARY.md"
text = newest.read_text()
for number in range(1, last + 1):
    newest.write_text(text.replace("number 7.", f"number 7, edited {number}."))
    session.rebuild(fetching=False)
    for path in ("/", "/term/term-7/"):
        assert preview.answer(path).status == 200, path
    if number in (first, last):
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.soak
def test_memory_does_not_grow_with_each_save(tmp_path: Path) -> None:
    """After many saves, a preview has not needed five megabytes more than after the first ones."""
    text = "".join(f"## Term {number}\n\nIt is number {number}.\n\n" for number in range(100))
    for release in range(10):
        (tmp_path / f"{release}").mkdir()
        (tmp_path / f"{release}/GLOSSARY.md").write_text(f"# Glossary\n\n{text}")
    first, last = (50, 500) if IS_SOAK else (10, 30)
    command = [sys.executable, "-c", PROGRAM, str(tmp_path), str(first), str(last)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    early, late = map(int, result.stdout.split())
    unit = 1 if sys.platform == "darwin" else 1024
    assert (late - early) * unit < 5_000_000
