"""A preview between saves: every answer is of the newest state, never a mixture."""

from __future__ import annotations

import errno
import gc
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from sitegen.pipeline.site_build import Built
from sitegen.pipeline.workers import CAN_FORK
from sitegen.preview import session
from sitegen.preview.server import HttpResponse, Preview
from sitegen.preview.session import BackgroundWork, PreviewSession, Report, Work
from sitegen.site.site import Site
from sitegen.site.templates import read_templates
from sitegen.sources.projects import Project

PATIENCE = 200


class Held(BackgroundWork):
    """A build that waits until the test releases it."""

    latest: Held

    def __init__(self, work: Work, *, fork_guard: AbstractContextManager[Any]) -> None:
        self.let_go = threading.Event()
        super().__init__(work, fork_guard=fork_guard)
        Held.latest = self

    def do(self, heard: Report) -> None:
        self.let_go.wait(PATIENCE)
        super().do(heard)

    def drop(self) -> None:
        super().drop()
        self.let_go.set()


@dataclass(frozen=True, kw_only=True)
class SavedFolder:
    """A glossary, its preview, and the reported builds."""

    folder: Path
    site: Path
    preview: Preview
    previewing: PreviewSession
    built: list[Built]

    def save(self, **terms: str) -> None:
        """Saves a glossary of these terms and updates the preview."""
        text = "".join(f"## {name}\n\n{definition}\n\n" for name, definition in terms.items())
        (self.folder / "1.0/GLOSSARY.md").write_text(f"# Glossary\n\n{text}")
        self.previewing.rebuild(fetching=False)

    def finish(self) -> None:
        Held.latest.let_go.set()
        self.previewing.wait()

    def shows(self, path: str, words: str) -> bool:
        return words in self.preview.answer(path).body.decode()

    def asked(self, path: str) -> SimpleQueue[HttpResponse]:
        """Returns the answer to a request, which may arrive later."""
        answers: SimpleQueue[HttpResponse] = SimpleQueue()
        threading.Thread(target=lambda: answers.put(self.preview.answer(path)), daemon=True).start()
        return answers


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SavedFolder]:
    """A glossary with a built site, whose later builds are held."""
    (tmp_path / "words/1.0").mkdir(parents=True)
    preview = Preview(tmp_path / "site", read_templates())
    built: list[Built] = []
    place = Project(folder=tmp_path / "words")
    keeper = PreviewSession(place, preview, report=lambda done, seconds: built.append(done), jobs=1)
    data = SavedFolder(
        folder=place.folder, site=preview.site, preview=preview, previewing=keeper, built=built
    )
    data.save(ATen="A library.", Kernel="A loop.")
    keeper.wait()
    monkeypatch.setattr(session, "BackgroundWork", Held)
    yield data
    keeper.close()


def test_an_edit_is_served_before_it_is_built(data: SavedFolder) -> None:
    """A term's page, its data and its frozen pages show a saved edit before the build has written
    them."""
    data.save(ATen="An edited library.", Kernel="A loop.")
    for path in (
        "/term/aten/",
        "/term/aten/index.html",
        "/term/aten/index.json",
        "/term/aten/1.0/",
    ):
        assert data.shows(path, "An edited library."), path
    assert data.preview.answer("/term/aten").location == "/term/aten/"
    assert data.preview.answer("/assets/site.css").type == "text/css; charset=utf-8"
    assert "A library." in (data.site / "term/aten/index.html").read_text()
    data.finish()
    assert "An edited library." in (data.site / "term/aten/index.html").read_text()


def test_a_page_shown_before_the_build_is_the_page_that_is_built(data: SavedFolder) -> None:
    """When the build ends nothing changes on an open page, not even its file name."""
    data.save(ATen="An edited library.", Kernel="A loop.")
    before, name = data.preview.answer("/term/aten/"), data.preview.state.name
    data.finish()
    assert (data.preview.answer("/term/aten/"), data.preview.state.name) == (before, name)
    assert data.preview.state.fresh is None


def test_memory_of_saves_whose_builds_were_dropped_is_freed(data: SavedFolder) -> None:
    """Of many saves in quick succession, so that no build begins, only the last few are kept in
    memory."""
    for number in range(3 * session.MAX_UNFREED):
        data.save(ATen=f"Edit {number}.", Kernel="A loop.")
    assert sum(isinstance(one, Site) for one in gc.get_objects()) <= session.MAX_UNFREED + 2


@pytest.mark.parametrize("path", ["/", "/a-z/", "/glossary.json", "/term/tape/"])
def test_what_is_about_the_whole_waits_for_the_build(data: SavedFolder, path: str) -> None:
    """A request that needs the build waits for the new state, and never gets the old one."""
    data.save(ATen="An edited library.", Tape="A loop.")
    if path == "/term/tape/":
        data.save(ATen="A library again.")
    answers = data.asked(path)
    assert answers.empty()
    data.finish()
    answer = answers.get(timeout=PATIENCE)
    assert data.preview.state.name.encode() in answer.body or path == "/glossary.json"
    assert answer.body == data.preview.answer(path).body


def test_a_term_that_was_deleted_is_gone(data: SavedFolder) -> None:
    """The page of a deleted term is not served, even while its file is still in the folder."""
    data.save(ATen="A library.")
    answers = data.asked("/term/kernel/")
    data.finish()
    answer = answers.get(timeout=PATIENCE)
    assert answer.status == HTTPStatus.NOT_FOUND
    assert b"A loop." not in answer.body


def test_a_save_during_a_build_begins_anew(data: SavedFolder) -> None:
    """The running build is dropped, waiting requests get the newest state, and one build is
    reported."""
    before = len(data.built)
    data.save(ATen="A first edit.", Kernel="A loop.")
    first, answers = Held.latest, data.asked("/glossary.json")
    data.save(ATen="A second edit.", Kernel="A loop.")
    assert first.is_dropped
    assert data.shows("/term/aten/", "A second edit.")
    assert answers.empty()
    data.finish()
    assert b"A second edit." in answers.get(timeout=PATIENCE).body
    assert len(data.built) == before + 1


def broken(data: SavedFolder) -> None:
    (data.folder / "site.toml").write_text("[sit]\n")


def emptied(data: SavedFolder) -> None:
    (data.folder / "1.0/GLOSSARY.md").unlink()


@pytest.mark.parametrize(
    ("damage", "result"),
    [(broken, "unknown key &#39;sit&#39;"), (emptied, "no glossary was found here")],
)
def test_what_cannot_be_built_is_said_until_it_is_mended(
    data: SavedFolder, damage: Callable[[SavedFolder], None], result: str
) -> None:
    """A mistake replaces every page, also for waiting requests, until it is corrected."""
    data.save(ATen="A first edit.")
    answers = data.asked("/a-z/")
    damage(data)
    data.previewing.rebuild(fetching=False)
    for answer in (answers.get(timeout=PATIENCE), data.preview.answer("/term/aten/")):
        assert (answer.status, result in answer.body.decode()) == (
            HTTPStatus.INTERNAL_SERVER_ERROR,
            True,
        )
    (data.folder / "site.toml").unlink(missing_ok=True)
    data.save(ATen="A second edit.")
    assert data.shows("/term/aten/", "A second edit.")


def test_what_is_being_saved_is_no_mistake(data: SavedFolder) -> None:
    """A file that changed while it was read is not reported: it is read again."""
    data.save(ATen="A first edit.")
    emptied(data)
    data.previewing.rebuild(fetching=False, is_over=lambda: True)
    assert data.shows("/term/aten/", "A first edit.")
    data.save(ATen="A second edit.")
    assert data.shows("/term/aten/", "A second edit.")


def test_a_mistake_that_only_the_build_meets_is_said(
    data: SavedFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page with a mistake in its template waits for the build, which reports it."""
    templates = {**read_templates(), "pages/term.html": "{{ mistake }}"}
    monkeypatch.setattr("sitegen.pipeline.site_build.read_templates", lambda: templates)
    data.save(ATen="An edited library.")
    answers = data.asked("/term/aten/")
    data.finish()
    assert b"&#39;mistake&#39; is undefined" in answers.get(timeout=PATIENCE).body


def test_a_build_that_was_killed_is_said(
    data: SavedFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the system ends a build, waiting requests are answered."""
    monkeypatch.setattr(Held, "do", lambda held, heard: None)
    data.save(ATen="An edited library.")
    data.finish()
    assert data.shows("/a-z/", "the build was ended by the system")


@pytest.mark.skipif(not CAN_FORK, reason="no process is copied on this system")
def test_a_build_that_cannot_begin_is_said(
    data: SavedFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If no process can be started, waiting requests are answered, and the next save builds
    again."""

    def refuse() -> int:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(os, "fork", refuse)
        data.save(ATen="An edited library.")
        answers = data.asked("/a-z/")
        data.finish()
    assert os.strerror(errno.EAGAIN).encode() in answers.get(timeout=PATIENCE).body
    data.save(ATen="A library again.")
    data.finish()
    assert data.preview.answer("/a-z/").status == HTTPStatus.OK


def test_a_site_below_a_path_is_shown_there(data: SavedFolder) -> None:
    """Before the first build, too, the site is at the path of base_url."""
    (data.folder / "site.toml").write_text('[site]\nbase_url = "https://example.org/words/"\n')
    data.save(ATen="An edited library.")
    assert data.shows("/words/term/aten/", "An edited library.")
    assert data.preview.answer("/term/aten/").status == HTTPStatus.NOT_FOUND
