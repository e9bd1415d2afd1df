"""A preview between saves: every answer is of the newest state, and nothing is written."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from queue import SimpleQueue

import pytest
from hostile_repositories import everything

from sitegen.pipeline.site_build import Built, build
from sitegen.preview.server import HttpResponse, Preview
from sitegen.preview.session import PreviewSession
from sitegen.site.templates import read_templates
from sitegen.sources.git.repositories import Clones
from sitegen.sources.projects import Project
from sitegen.text.memo import memo


@dataclass(frozen=True, kw_only=True)
class SavedFolder:
    """A glossary, its preview, and what was reported."""

    folder: Path
    site: Path
    preview: Preview = field(default_factory=lambda: Preview(read_templates()))
    reported: list[Built] = field(default_factory=list)

    def save(self, **terms: str) -> None:
        """Saves a glossary of these terms and updates the preview."""
        text = "".join(f"## {name}\n\n{definition}\n\n" for name, definition in terms.items())
        (self.folder / "1.0").mkdir(exist_ok=True, parents=True)
        (self.folder / "1.0/GLOSSARY.md").write_text(f"# Glossary\n\n{text}")
        self.update()

    def update(self) -> None:
        session = PreviewSession(
            Project(folder=self.folder), self.preview, self.site, report=self.note
        )
        session.rebuild(fetching=False)

    def note(self, built: Built, seconds: float) -> None:
        self.reported.append(built)

    def shows(self, path: str, words: str) -> bool:
        return words in self.preview.answer(path).body.decode()

    def asked(self, path: str) -> SimpleQueue[HttpResponse]:
        """Returns the answer to a request, which may arrive later."""
        answers: SimpleQueue[HttpResponse] = SimpleQueue()
        threading.Thread(target=lambda: answers.put(self.preview.answer(path)), daemon=True).start()
        return answers


@pytest.fixture
def data(tmp_path: Path) -> SavedFolder:
    return SavedFolder(folder=tmp_path / "words", site=tmp_path / "words/site")


def test_what_was_parsed_is_freed_after_some_saves(
    data: SavedFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A preview empties the cache of parsed texts after `MAX_SAVES` saves, and not before."""
    monkeypatch.setattr("sitegen.preview.session.MAX_SAVES", 2)
    computed = []
    cached = memo(computed.append)
    session = PreviewSession(Project(folder=data.folder), data.preview, data.site, report=data.note)
    for expected in (1, 1, 2):
        cached("a text")
        assert len(computed) == expected
        session.rebuild(fetching=False)


def test_an_edit_is_shown_everywhere(data: SavedFolder) -> None:
    """Pages, lists and data all have a saved edit."""
    data.save(ATen="A library.", Kernel="A loop.")
    data.save(ATen="An edited library.", Kernel="A loop.")
    for path in (
        "/",
        "/term/aten/",
        "/term/aten/index.html",
        "/term/aten/index.json",
        "/term/aten/1.0/",
        "/a-z/",
        "/glossary.json",
        "/search/names.js",
    ):
        assert data.preview.answer(path).status == HTTPStatus.OK
        assert data.shows(path, "An edited library."), path
    assert data.preview.answer("/term/aten").location == "/term/aten/"
    assert data.preview.answer("/assets/site.css").type == "text/css; charset=utf-8"


def test_a_term_that_was_deleted_is_gone(data: SavedFolder) -> None:
    """The page of a deleted term is not served."""
    data.save(ATen="A library.", Kernel="A loop.")
    data.save(ATen="A library.")
    answer = data.preview.answer("/term/kernel/")
    assert answer.status == HTTPStatus.NOT_FOUND
    assert b"A loop." not in answer.body


def test_the_first_page_is_waited_for(data: SavedFolder) -> None:
    """A request before the first site waits for it."""
    answers = data.asked("/term/aten/")
    assert answers.empty()
    data.save(ATen="A library.")
    assert b"A library." in answers.get().body


def test_a_preview_writes_nothing(data: SavedFolder) -> None:
    """The site that was built stays as it is, and no archive is written."""
    data.save(ATen="A library.", Kernel="A loop.")
    clones = Clones(folder=data.folder)
    build(data.folder, data.site, notify=lambda doing: None, clones=clones)
    before = everything(data.site)
    for name in ("Loop", "Tape"):
        data.save(**{name: "Another."})
        assert data.shows("/", name)
    assert everything(data.site) == before
    assert {path.name for path in data.folder.iterdir()} == {"1.0", "site"}


def test_what_a_build_would_say_is_reported(data: SavedFolder) -> None:
    """Problems are reported after each save."""
    data.save(ATen="A library.", Kernel="See `kernel`_.")
    counts = data.reported[0].counts
    assert (counts["terms"], counts["releases"]) == (2, 1)
    (data.folder / "1.0/odd.md").write_text("")
    data.save(ATen="A library.")
    assert ["odd.md" in problem.path for problem in data.reported[-1].problems] == [True]
    assert data.preview.answer("/").status == HTTPStatus.OK


def test_a_file_that_nothing_names_changes_nothing(
    data: SavedFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    """A save of a file that no source reads, such as the log of `sitegen serve`, reports nothing
    anew, neither a site nor an error; what was edited is reported again."""
    data.save(ATen="A library.")
    session = PreviewSession(Project(folder=data.folder), data.preview, data.site, report=data.note)
    session.rebuild(fetching=False)
    reported, state = len(data.reported), data.preview.state
    (data.folder / "serve.log").write_text("words: 1 term")
    session.rebuild(fetching=False)
    assert (len(data.reported), data.preview.state) == (reported, state)
    (data.folder / "1.0/GLOSSARY.md").write_text("# Glossary\n\n## ATen\n\nEdited.\n")
    session.rebuild(fetching=False)
    assert len(data.reported) == reported + 1
    broken(data)
    for _ in range(2):
        session.rebuild(fetching=False)
    assert capsys.readouterr().err.count("unknown key") == 1


def broken(data: SavedFolder) -> None:
    (data.folder / "site.toml").write_text("[sit]\n")


def emptied(data: SavedFolder) -> None:
    (data.folder / "1.0/GLOSSARY.md").unlink()


@pytest.mark.parametrize(
    ("damage", "result"),
    [(broken, "unknown key &#39;sit&#39;"), (emptied, "1.0: no documents here")],
)
def test_what_cannot_be_built_is_said_until_it_is_mended(
    data: SavedFolder, damage: Callable[[SavedFolder], None], result: str
) -> None:
    """A mistake replaces every page until it is corrected."""
    data.save(ATen="A first edit.")
    damage(data)
    data.update()
    for path in ("/a-z/", "/term/aten/"):
        answer = data.preview.answer(path)
        assert answer.status == HTTPStatus.INTERNAL_SERVER_ERROR
        assert result in answer.body.decode()
    (data.folder / "site.toml").unlink(missing_ok=True)
    data.save(ATen="A second edit.")
    assert data.shows("/term/aten/", "A second edit.")


def test_a_mistake_in_a_template_is_said(
    data: SavedFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that cannot be rendered is its error; other pages are shown."""
    templates = {**read_templates(), "pages/term.html": "{{ mistake }}"}
    monkeypatch.setattr("sitegen.pipeline.site_build.read_templates", lambda: templates)
    data.save(ATen="An edited library.")
    assert data.shows("/term/aten/", "&#39;mistake&#39; is undefined")
    assert data.preview.answer("/term/aten/").status == HTTPStatus.INTERNAL_SERVER_ERROR
    assert data.shows("/a-z/", "An edited library.")


def test_a_site_below_a_path_is_shown_there(data: SavedFolder) -> None:
    """The site is at the path of base_url, and other addresses lead to it."""
    data.folder.mkdir()
    (data.folder / "site.toml").write_text('[site]\nbase_url = "https://example.org/words/"\n')
    data.save(ATen="An edited library.")
    assert data.shows("/words/term/aten/", "An edited library.")
    assert data.preview.answer("/words/term/none/").status == HTTPStatus.NOT_FOUND
    for path in ("/", "/words", "/term/aten/"):
        assert data.preview.answer(path).location == "/words/"


def test_a_site_below_a_path_with_escapes_is_shown_there(data: SavedFolder) -> None:
    """A base_url has escapes for umlauts and spaces, and links to its pages have them too."""
    data.folder.mkdir()
    base_url = "https://example.org/w%C3%B6rter%20a/"
    (data.folder / "site.toml").write_text(f'[site]\nbase_url = "{base_url}"\n')
    data.save(ATen="An edited library.")
    assert data.shows("/wörter a/term/aten/", "An edited library.")
    assert data.preview.answer("/").location == "/w%C3%B6rter%20a/"
