"""The Sphinx extension, in real builds: several versions of Sphinx, in parallel, twice,
reStructuredText and MyST."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import lxml.html
import pytest
from loaded_program import loaded_program, temporary_folder
from sites import export_files, glossary, words

from sitegen.site.exports import data

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytest.importorskip("sphinx")

NO_PAGES = ("--builder", "dummy")
"""Options of a build that reads the documents and resolves references, and writes nothing."""

PYTHONS = (
    sys.executable,
    *filter(None, os.environ.get("SITEGEN_SPHINX_PYTHONS", "").split(os.pathsep)),
)
"""Interpreters with different versions of Sphinx. CONTRIBUTING.md says how to name more."""

BASE = "https://example.org/vocabulary/"
RELEASES = {
    "1.0": {
        "state image": "A pointer to a volume.",
        "tape": "Slow.",
        "mirror": "Repeats.",
        "volume": "Holds files.",
    },
    "1.1": {
        "snapshot; capture": "A pointer to a volume.",
        "mirror": "Repeats.",
        "volume": "Holds files.",
    },
    "2.0": {
        "snapshot; capture": "A pointer to a state of a volume.",
        "checkpoint": "A pointer that the system makes.",
        "volume": "Holds files.",
        "replica": "Is a copy.",
    },
}
CONF = (
    'project = "Docs"\nextensions = ["sitegen.sphinx", "myst_parser"]\nshow_warning_types = True\n'
)
INDEX = """\
Docs
====

A :term:`snapshot`, two :term:`Snapshots`, a :term:`CAPTURE`, all :term:`checkpoints`.

.. toctree::

   page
   second

.. glossary::

   snapshot
   capture
      A pointer.

      inner
         A list in a definition.

   unheard
      Of nowhere.
"""
PAGE = (
    "# Page\n\nA {term}`snapshot`, two {term}`snapshots`.\n\n```{glossary}\nvolume\n  Holds "
    "files.\n```\n"
)


SOURCE = """\
Words
=====

.. note:: Two words.

.. glossary::

   snapshot
      A pointer.

      - one

        .. tip:: Two

      - three

   volume
      Holds files.
"""
MODULES = """\
Modules
=======

.. automodule:: anvils
   :members:
"""
PAGE_WITH_MODULES = """\
# Page

:::{tip}
A {term}`volume`.
:::

```{eval-rst}
.. automodule:: swages
   :members:
```
"""
MODULE = '''\
"""Anvils.

.. note:: A :term:`volume` of iron.

- one

  .. tip:: Two
"""


class Anvil:
    """An anvil.

    .. warning::

       Heavy:

       * more than a :term:`snapshot`
    """
'''


def site_data(releases: Mapping[str, Any] = RELEASES, base_url: str = BASE) -> bytes:
    site = glossary(releases, base_url=base_url)
    return next(iter(data.files(site))).content


@cache
def sphinx(python: str) -> Path:
    """Returns an executable file that runs Sphinx in this interpreter."""
    folder = temporary_folder()
    docs = Docs(folder)
    docs.write(**{"conf.py": f'{CONF}sitegen_glossary = "../glossary.json"\n'})
    arguments = ["--jobs", "2", "--quiet", "--builder", "html", folder / "docs", folder / "out"]
    return loaded_program(folder / "sphinx", "sphinx", arguments, python=python)


class Docs:
    """A documentation project in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "docs").mkdir()
        (folder / "glossary.json").write_bytes(site_data())
        self.write(
            **{
                "index.rst": INDEX,
                "page.md": PAGE,
                "second.rst": "Second\n======\n\nA :term:`volume`.\n",
            }
        )

    def write(self, **files: str) -> None:
        for name, text in files.items():
            (self.folder / "docs" / name).write_text(text, encoding="utf-8")

    def build(
        self, *options: str, python: str = PYTHONS[0], settings: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Builds the documentation and returns the outcome."""
        place = "" if "sitegen_glossary" in settings else 'sitegen_glossary = "../glossary.json"\n'
        self.write(**{"conf.py": CONF + place + settings})
        command = [sphinx(python), "--no-color", *options, "docs", "out"]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True)

    def page(self, name: str) -> lxml.html.HtmlElement:
        return lxml.html.parse(self.folder / "out" / name).getroot()

    def facts(self, name: str) -> list[str]:
        return [words(line) for line in self.page(name).find_class("sitegen-facts")]


def references(page: lxml.html.HtmlElement) -> list[tuple[str, str]]:
    """Returns the text and the address of each reference to a term."""
    return [
        (words(link), link.get("href")) for link in page.iter("a") if link.find_class("std-term")
    ]


@pytest.fixture
def docs(tmp_path: Path) -> Docs:
    return Docs(tmp_path)


@pytest.mark.parametrize("python", PYTHONS)
def test_entries_have_their_history_and_references_are_found(docs: Docs, python: str) -> None:
    """In parallel and with -W, each entry has a line about its history, and plurals and other names
    are found."""
    outcome = docs.build("-W", "--jobs", "2", python=python)
    assert outcome.returncode == 0, outcome.stderr
    assert docs.facts("index.html") == ["since 1.0 or earlier · reworded in 2.0 · history"]
    assert docs.facts("page.html") == ["since 1.0 or earlier · history"]
    [line] = docs.page("page.html").find_class("sitegen-facts")
    assert line.find("a").get("href") == f"{BASE}term/volume/#history"
    assert references(docs.page("index.html")) == [
        ("snapshot", "#term-snapshot"),
        ("Snapshots", "#term-snapshot"),
        ("CAPTURE", "#term-capture"),
        ("checkpoints", f"{BASE}term/checkpoint/"),
    ]
    assert references(docs.page("page.html")) == [
        ("snapshot", "index.html#term-snapshot"),
        ("snapshots", "index.html#term-snapshot"),
    ]


@pytest.mark.parametrize("python", PYTHONS)
def test_the_glossary_is_read_from_its_sources(docs: Docs, python: str) -> None:
    """With the folder of site.toml, reStructuredText is read in the process of Sphinx, and the
    documentation of modules and MyST are built without a warning."""
    for release in ("1.0", "2.0"):
        words = docs.folder / "words" / release
        words.mkdir(parents=True)
        entries = SOURCE.replace("A pointer.", f"A pointer of {release}.")
        (words / "glossary.rst").write_text(entries, encoding="utf-8")
    (docs.folder / "words" / "site.toml").write_text("")
    docs.write(
        **{
            "index.rst": SOURCE + "\n.. toctree::\n\n   page\n   second\n",
            "second.rst": MODULES,
            "anvils.py": MODULE,
            "page.md": PAGE_WITH_MODULES,
            "swages.py": MODULE,
        }
    )
    settings = (
        'sitegen_glossary = "../words"\nextensions.append("sphinx.ext.autodoc")\n'
        'myst_enable_extensions = ["colon_fence"]\n'
        "import os, sys\nsys.path.insert(0, os.path.dirname(__file__))\n"
    )
    outcome = docs.build("-W", python=python, settings=settings)
    assert outcome.returncode == 0, outcome.stderr
    assert docs.facts("index.html") == [
        "since 1.0 or earlier · reworded in 2.0",
        "since 1.0 or earlier",
    ]


def test_a_second_build_reads_only_what_has_changed(docs: Docs) -> None:
    """Nothing is read again without a change; if the glossary has changed, everything is."""
    assert "3 added, 0 changed, 0 removed" in docs.build("-W").stdout
    assert "0 added, 0 changed, 0 removed" in docs.build("-W").stdout
    docs.write(**{"second.rst": "Second\n======\n\nTwo :term:`volumes`.\n"})
    assert "0 added, 1 changed, 0 removed" in docs.build("-W").stdout
    assert references(docs.page("second.html")) == [("volumes", "page.html#term-volume")]
    later = {**RELEASES, "2.1": {**RELEASES["2.0"], "volume": "Holds files and folders."}}
    (docs.folder / "glossary.json").write_bytes(site_data(later))
    assert "0 added, 3 changed, 0 removed" in docs.build("-W").stdout
    assert docs.facts("page.html") == ["since 1.0 or earlier · reworded in 2.1 · history"]


def test_another_name_of_a_term_is_found_by_a_second_build(docs: Docs) -> None:
    """A name that the glossary has added or put on its list of names to avoid is a change, though
    no line and no card shows it."""
    docs.write(**{"second.rst": "Second\n======\n\nA :term:`drive`.\n"})
    assert "term not in glossary: 'drive'" in docs.build().stderr
    published = json.loads(site_data())
    [volume] = [term for term in published["terms"] if term["name"] == "volume"]
    for status, warning in (("admitted", ""), ("deprecated", "[sitegen.avoided]")):
        volume["names"][1:] = [{"text": "drive", "status": status}]
        (docs.folder / "glossary.json").write_text(json.dumps(published))
        outcome = docs.build()
        assert warning in outcome.stderr and "not in glossary" not in outcome.stderr
        assert references(docs.page("second.html")) == [("drive", "page.html#term-volume")]


OUTDATED = {
    "state image": "“state image” is a former name since 1.1; use “snapshot” [sitegen.former]",
    "State Images": "“State Images” is a former name since 1.1; use “snapshot” [sitegen.former]",
    "tape": "“tape”: removed in 1.1 [sitegen.removed]",
}


def test_outdated_references_are_warnings_of_their_own_type(docs: Docs) -> None:
    """A former or removed name is a warning at its line, which -W makes an error and
    suppress_warnings silences."""
    docs.write(
        **{
            "second.rst": "Second\n======\n\n"
            + "\n\n".join(f":term:`{name}`" for name in OUTDATED)
            + "\n"
        }
    )
    outcome = docs.build("-W", "--keep-going", *NO_PAGES)
    lines = [line.partition("docs/")[2] for line in outcome.stderr.splitlines() if "docs/" in line]
    assert outcome.returncode == 1
    assert lines == [
        f"second.rst:{4 + 2 * row}: WARNING: {text}" for row, text in enumerate(OUTDATED.values())
    ]
    quiet = docs.build(
        "-W", "-E", settings='suppress_warnings = ["sitegen.former", "sitegen.removed"]\n'
    )
    assert quiet.returncode == 0, quiet.stderr
    assert [href for _, href in references(docs.page("second.html"))][2] == f"{BASE}term/tape/"
    local = "\n.. glossary::\n\n   tape\n      Is back.\n"
    docs.write(**{"second.rst": f"Second\n======\n\nA :term:`tape`.\n{local}"})
    assert docs.build("-W", *NO_PAGES).returncode == 0


def test_the_history_is_cut_at_the_version_of_the_documentation(docs: Docs) -> None:
    """With sitegen_release, later changes are left out; a version between two releases means the
    older one."""
    docs.write(**{"index.rst": INDEX.replace(", all :term:`checkpoints`", "")})
    assert docs.build("-W", "-E", settings='sitegen_release = "1.1.3"\n').returncode == 0
    assert docs.facts("index.html") == ["since 1.0 or earlier · renamed in 1.1 · history"]
    outcome = docs.build("-E", *NO_PAGES, settings='sitegen_release = "0.1"\n')
    assert outcome.stderr.count("WARNING") == 3
    assert (
        "no source has the release 0.1; known: 1.0, 1.1, 2.0 [sitegen.glossary]" in outcome.stderr
    )


def test_what_cannot_be_read_is_one_warning(docs: Docs) -> None:
    """Without its data the documentation is built, with one warning and without lines."""
    docs.write(
        **{
            "index.rst": "Docs\n====\n",
            "page.md": "# Page\n",
            "second.rst": INDEX.partition("A :term")[0],
        }
    )
    (docs.folder / "glossary.json").write_bytes(b'{"terms": []}')
    for is_there in (True, False):
        if not is_there:
            (docs.folder / "glossary.json").unlink()
        outcome = docs.build("-E", settings='suppress_warnings = ["toc"]\n')
        warnings = [line for line in outcome.stderr.splitlines() if "sitegen" in line]
        assert (
            outcome.returncode == 0 and len(warnings) == 1 and "[sitegen.glossary]" in warnings[0]
        )


def test_a_folder_without_settings_is_not_read(docs: Docs) -> None:
    """A folder of documents that has no site.toml is one warning: the output of Sphinx in it is no
    glossary."""
    for settings in ("", 'sitegen_output = "glossary"\n'):
        outcome = docs.build("-E", settings='sitegen_glossary = ".."\n' + settings)
        assert "has no site.toml; `sitegen init` writes one [sitegen.glossary]" in outcome.stderr
        assert not (docs.folder / "out" / "glossary").exists()


def test_a_setting_without_a_value_is_one_warning(docs: Docs) -> None:
    """Where no glossary is named, the warning says what to name."""
    outcome = docs.build(*NO_PAGES, settings='sitegen_glossary = ""\n')
    assert "sitegen_glossary is not set in conf.py; name the folder" in outcome.stderr


def test_settings_may_be_paths_and_numbers(docs: Docs) -> None:
    """A path is as good as a text for `sitegen_glossary`; of others Sphinx says which type they
    should have."""
    settings = "from pathlib import Path\nsitegen_glossary = Path('../glossary.json')\n"
    assert docs.build("-W", settings=settings).returncode == 0
    outcome = docs.build(settings=settings + "sitegen_release = 1.0\n")
    assert outcome.returncode == 0 and "has type `float'; expected `str'" in outcome.stderr
    assert docs.facts("index.html") == [] and docs.facts("page.html") != []  # cut at 1.0


def test_a_whole_site_needs_sources(docs: Docs) -> None:
    """The data of a glossary are not enough to build its site, which is one warning."""
    outcome = docs.build("-E", settings='sitegen_output = "glossary"\n')
    assert "sitegen_output needs a folder with site.toml" in outcome.stderr
    assert not (docs.folder / "out" / "glossary").exists()


def test_a_reference_without_an_address_says_what_is_missing(docs: Docs) -> None:
    """If the address of the site is not known, the first reference to a term says so."""
    docs.write(
        **{
            "index.rst": "Docs\n====\n\nA :term:`snapshot` and :term:`tape`.\n",
            "page.md": "# Page\n",
            "second.rst": "Second\n======\n",
        }
    )
    (docs.folder / "glossary.json").write_bytes(site_data(base_url=""))
    outcome = docs.build("-E", settings='suppress_warnings = ["toc"]\n')
    warning = "WARNING: terms of the glossary have no address to link to; set base_url in [site] of"
    assert outcome.stderr.count(warning) == 1
    assert f"index.rst:4: {warning} its site.toml [sitegen.glossary]" in outcome.stderr


def test_the_whole_site_is_built_into_the_documentation(docs: Docs) -> None:
    """On request the site is in the HTML output, and links to it are relative."""
    for release, text in {
        "1.0": "## volume\n\nHolds.\n",
        "2.0": "## volume\n\nHolds files.\n",
    }.items():
        (docs.folder / "words" / release).mkdir(parents=True)
        (docs.folder / "words" / release / "GLOSSARY.md").write_text(
            f"# Glossary\n\n{text}\n## disk\n\nRound.\n"
        )
    (docs.folder / "words" / "site.toml").write_text("")
    docs.write(
        **{
            "index.rst": "Docs\n====\n\n.. toctree::\n\n   page\n   second\n",
            "page.md": PAGE.replace("snapshot", "disk"),
        }
    )
    outcome = docs.build(
        "-W", settings='sitegen_glossary = "../words"\nsitegen_output = "glossary"\n'
    )
    assert outcome.returncode == 0, outcome.stderr
    assert docs.facts("page.html") == ["since 1.0 or earlier · reworded in 2.0 · history"]
    links = [
        *docs.page("page.html").find_class("sitegen-facts")[0].iter("a"),
        *docs.page("page.html").iter("a"),
    ]
    addresses = {
        link.get("href").partition("#")[0]
        for link in links
        if link.get("href", "").startswith("glossary/")
    }
    assert addresses == {"glossary/term/volume/index.html", "glossary/term/disk/index.html"}
    assert all((docs.folder / "out" / address).is_file() for address in addresses)
    files = [path.name for path in (docs.folder / "words").iterdir() if path.is_file()]
    assert files == ["site.toml"]

    # Sphinx would replace a page of the site by its own.
    outcome = docs.build(
        "--builder",
        "dirhtml",
        settings='import pathlib\nsitegen_glossary = "../words"\nsitegen_output = pathlib.Path("page")\n',
    )
    warning = "WARNING: its page is in page, the sitegen_output; name another folder"
    assert outcome.stderr.count(warning) == 1 and f"page.md: {warning}" in outcome.stderr


def test_a_book_has_no_site_in_it(docs: Docs) -> None:
    """An EPUB has pages in HTML too, but its reader shows no file that is not in its contents."""
    (docs.folder / "words/1.0").mkdir(parents=True)
    (docs.folder / "words/1.0/GLOSSARY.md").write_text("# Glossary\n\n## disk\n\nRound.\n")
    (docs.folder / "words/site.toml").write_text(f'[site]\nbase_url = "{BASE}"\n')
    docs.write(**{"index.rst": "Docs\n====\n\nA :term:`disk`.\n", "page.md": "# Page\n"})
    settings = 'sitegen_glossary = "../words"\nsitegen_output = "glossary"\n'
    docs.build("--builder", "epub", settings=settings)
    assert not (docs.folder / "out/glossary").exists()
    assert f'href="{BASE}term/disk/"' in (docs.folder / "out/index.xhtml").read_text()


@pytest.mark.parametrize("builder", ["latex", "texinfo"])
def test_a_book_of_one_file_is_built(docs: Docs, builder: str) -> None:
    """When the extension starts, such a builder does not know yet which documents it has."""
    docs.write(**{"index.rst": "Docs\n====\n\nA :term:`volume`.\n"})
    outcome = docs.build("--builder", builder)
    assert outcome.returncode == 0, outcome.stderr


def test_references_by_intersphinx_have_cards(docs: Docs) -> None:
    """A reference that intersphinx resolves to the site is marked for its card, and warned of if it
    is outdated."""
    files = {file.path: file for file in export_files(glossary(RELEASES, base_url=BASE))}
    (docs.folder / "docs/objects.inv").write_bytes(files["objects.inv"].content)
    docs.write(**{"second.rst": "Second\n======\n\nA :term:`checkpoint`, a :term:`state image`.\n"})
    settings = (
        f'extensions.append("sphinx.ext.intersphinx")\nintersphinx_mapping = {{"w": '
        f'("{BASE}", "objects.inv")}}\n'
    )
    outcome = docs.build(settings=settings)
    page = docs.page("second.html")
    assert references(page) == [
        ("checkpoint", f"{BASE}term/checkpoint/"),
        ("state image", f"{BASE}term/snapshot/"),
    ]
    assert (
        len(page.find_class("glossary-term-checkpoint"))
        == len(page.find_class("glossary-term-snapshot"))
        == 1
    )
    assert outcome.stderr.count("WARNING") == 1 and "[sitegen.former]" in outcome.stderr


@pytest.mark.parametrize("theme", ["alabaster", "furo", "pydata_sphinx_theme", "sphinx_rtd_theme"])
@pytest.mark.browser
def test_references_have_cards(docs: Docs, page: Page, heard: list[str], theme: str) -> None:
    """A reference to a term shows its name, words and state, also on pages that are opened from
    disk."""
    find = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({theme!r}) is None)"
    python = next(
        (one for one in PYTHONS if subprocess.run([one, "-c", find]).returncode == 0), None
    )
    if python is None:
        pytest.skip(
            f"{theme} is not installed; SITEGEN_SPHINX_PYTHONS names interpreters that have it"
        )
    assert docs.build("-W", python=python, settings=f'html_theme = "{theme}"\n').returncode == 0
    page.goto((docs.folder / "out/index.html").as_uri())
    for text, wanted in {
        "Snapshots": [
            "snapshot",
            "A pointer to a state of a volume.",
            "since 1.0 or earlier, reworded in 2.0",
        ],
        "checkpoints": ["checkpoint", "A pointer that the system makes.", "since 2.0"],
    }.items():
        page.mouse.move(0, 0)
        page.locator(f"a:has(.std-term:text-is('{text}'))").first.hover()
        page.wait_for_selector(f"glossary-card:popover-open p:text-is('{wanted[0]}')")
        assert page.locator("glossary-card p").all_inner_texts() == wanted
    assert [line for line in heard if "sitegen" in line] == []


def test_the_terms_for_cards_are_a_script(docs: Docs) -> None:
    """Names, summaries and states of cards are data in a file of their own."""
    long = {"1.0": {**RELEASES["1.0"], "volume": "Holds files. " * 100}}
    (docs.folder / "glossary.json").write_bytes(site_data(long))
    docs.write(
        **{"index.rst": "Docs\n====\n\n.. toctree::\n\n   page\n   second\n", "page.md": "# Page\n"}
    )
    docs.build(settings='suppress_warnings = ["ref.term"]\n')
    text = (docs.folder / "out/_static/sitegen-terms.js").read_text(encoding="utf-8")
    cards = json.loads(text.removeprefix("window.glossaryTerms = ").rstrip(";\n"))
    assert cards["tape"] == ["tape", "Slow.", "since 1.0 or earlier"]
    assert cards["volume"][1] == "Holds files. Holds files."
