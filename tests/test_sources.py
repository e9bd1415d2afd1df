"""Sources on disk; what cannot be read is a problem and a gap."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import replace
from datetime import date
from pathlib import Path

import glossaries
import pytest

from sitegen import safe_files
from sitegen.config.parsing import ConfigError, parse
from sitegen.model import Release, SitegenError, Source
from sitegen.pipeline.output import MARKER_TEXT
from sitegen.sources import folder_trees
from sitegen.sources.folder_trees import MARKER
from sitegen.sources.git.repositories import Clones
from sitegen.sources.reading import SourceReader, read_config
from sitegen.text.decoding import MAX_DOCUMENT_BYTES
from sitegen.text.file_names import DOCUMENT_SUFFIXES


def put(root: Path, files: Mapping[str, str | bytes]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def read(root: Path, toml: str = "", *, skip: tuple[Path, ...] = ()) -> Source:
    """Reads the first source. Its problems include those of no single source."""
    config = parse(toml, path="site.toml")
    found = SourceReader(root, clones=CLONES, skip=skip).read(config)
    return replace(found.sources[0], problems=(*found.problems, *found.sources[0].problems))


def check(
    source: Source, documents: str, *problems: str, unread: tuple[tuple[str, str], ...] = ()
) -> None:
    """Asserts which documents (`release:name`), problems and gaps were found."""
    assert [
        f"{document.release}:{document.name}" for document in source.documents
    ] == documents.split()
    assert [str(problem) for problem in source.problems] == list(problems)
    assert glossaries.unread(source) == unread


def refuse(monkeypatch: pytest.MonkeyPatch, path: Path, error: OSError) -> None:
    """Makes the system refuse to read or list a path, as for another user."""

    def wrap(method):
        def refusing(self: Path, *arguments, **options):
            if self == path:
                raise error
            return method(self, *arguments, **options)

        return refusing

    monkeypatch.setattr(os, "scandir", wrap(os.scandir))
    monkeypatch.setattr(safe_files, "read", wrap(safe_files.read))
    monkeypatch.setattr(folder_trees, "read_real", wrap(folder_trees.read_real))


CLONES = Clones(folder=Path("/nonexistent"))
"""No source here needs one."""

SOURCE = """
[[source]]
id = "s"
"""


def test_a_folder_of_releases_needs_no_configuration(tmp_path: Path):
    """Each folder is a release, read whole and in version order; documents have their paths."""
    put(
        tmp_path,
        {
            "v1.10/glossary.md": "ten",
            "v1.9/docs/b.rst": "nine b",
            "v1.9/docs/a.rst": "nine a",
            "v1.9/GLOSSARY": "nine",
        },
    )
    found = read(tmp_path)
    check(found, "v1.9:GLOSSARY v1.9:docs/a.rst v1.9:docs/b.rst v1.10:glossary.md")
    assert [document.path for document in found.documents][1] == "v1.9/docs/a.rst"
    assert [document.text for document in found.documents] == ["nine", "nine a", "nine b", "ten"]
    assert (found.id, found.title, found.undated) == (
        "glossary",
        "Glossary",
        False,
    )


def test_a_release_may_be_still_to_come(tmp_path: Path):
    """site.toml can mark the folder of an unreleased state."""
    put(tmp_path, {"1.0/a.md": "a", "main/a.md": "a"})
    found = read(tmp_path, '[[release]]\nname = "main"\nunreleased = true')
    assert [release.unreleased for release in found.releases] == [False, True]
    assert found.unreleased == {"main"}


def test_folders_named_after_days_are_dated(tmp_path: Path):
    """A release named by a date has that date, unless site.toml gives another."""
    put(
        tmp_path,
        {"2021-12-01/content/en/a.md": "a", "2022-08-01/content/en/a.md": "a", "2023-08/a.md": "a"},
    )
    found = read(
        tmp_path,
        '[[release]]\nname = "2022-08-01"\ndate = 2022-08-02\nlink = "https://example.org/x"',
    )
    first, second, third = found.releases
    assert (first.name, first.date) == ("2021-12-01", date(2021, 12, 1))
    assert (second.name, second.date) == ("2022-08-01", date(2022, 8, 2))
    assert second.link == "https://example.org/x"
    assert (third.name, third.date, third.open) == ("2023-08", None, True)


def test_a_source_passes_on_what_site_toml_says(tmp_path: Path):
    """Title and completeness belong to the source; format and section to each document."""
    put(tmp_path, {"content/1/a.md": "a"})
    toml = 'folder = "content"\ntitle = "T"\ncomplete = true\nformat = "text"\nsection = "Terms"\n'
    found = read(tmp_path, SOURCE + toml)
    source, document = found, found.documents[0]
    assert (source.title, source.complete) == ("T", True)
    assert (document.source, document.path, document.name) == ("s", "content/1/a.md", "a.md")
    assert (document.format, document.section) == ("text", "Terms")


def test_declared_order_of_releases(tmp_path: Path):
    """The order of [[release]] tables overrides the rule of versions."""
    put(tmp_path, {f"{name}/a.md": "a" for name in ("2.7.18", "3.4", "3.5")})
    tables = "".join(f'[[release]]\nname = "{name}"\n' for name in ("3.4", "3.5", "2.7.18"))

    def names(toml: str) -> list[str]:
        return [release.name for release in read(tmp_path, toml).releases]

    assert names("") == ["2.7.18", "3.4", "3.5"]
    assert names(tables) == ["3.4", "3.5", "2.7.18"]


def test_facts_of_a_release_may_be_one_sources_own(tmp_path: Path):
    """A [[release]] with the source's id overrides one without; of two equal ones the first
    counts."""
    put(tmp_path, {"a/1/x.md": "x", "b/1/x.md": "x"})
    config = parse(
        '[[release]]\nname = "1"\ndate = 2020-01-01\n[[release]]\nname = "1"\ndate = 2021-01-01\n'
        '[[release]]\nname = "1"\nsource = "b"\ndate = 2022-01-01\n'
        '[[source]]\nid = "a"\nfolder = "a"\n[[source]]\nid = "b"\nfolder = "b"\n',
        path="site.toml",
    )
    dates = [
        source.releases[0].date
        for source in SourceReader(tmp_path, clones=CLONES).read(config).sources
    ]
    assert dates == [date(2020, 1, 1), date(2022, 1, 1)]


def test_listed_files(tmp_path: Path):
    """Each release's file is given by its path, or by its path within the folder of that name."""
    put(
        tmp_path,
        {"GLOSSARY.md": "one", "docs/glossary.rst": "two", "old/3.0/docs/glossary.rst": "three"},
    )
    toml = (
        'files = { "1.0" = "GLOSSARY.md", "2.0" = "docs/glossary.rst", "3.0" = '
        '"old/3.0/docs/glossary.rst" }'
    )
    found = read(tmp_path, SOURCE + toml)
    check(found, "1.0:GLOSSARY.md 2.0:docs/glossary.rst 3.0:docs/glossary.rst")
    assert found.documents[2].path == "old/3.0/docs/glossary.rst"


def test_a_listed_file_may_be_in_a_hidden_folder(tmp_path: Path):
    """A file that site.toml names is read; hidden files in a folder are not."""
    put(tmp_path, {".github/GLOSSARY.md": "a"})
    check(read(tmp_path, SOURCE + 'file = ".github/GLOSSARY.md"'), ":.github/GLOSSARY.md")


def test_a_translation_beside_its_original_is_not_read(tmp_path: Path):
    """`cache.fr.md` beside `cache.md` is in another language."""
    put(tmp_path, {"words/1.0/cache.md": "a", "words/1.0/cache.fr.md": "b"})
    check(read(tmp_path, SOURCE + 'folder = "words"'), "1.0:cache.md")


def test_a_listed_place_may_be_a_folder(tmp_path: Path):
    """A release can be a folder, which is read whole."""
    put(tmp_path, {"one/b.md": "b", "one/a/c.md": "c"})
    check(read(tmp_path, SOURCE + 'files = { "1.0" = "one" }'), "1.0:a/c.md 1.0:b.md")


def test_the_whole_folder_of_the_site_may_be_a_release(tmp_path: Path):
    """In the folder of site.toml, files about the project are not of the glossary."""
    put(tmp_path, {"glossary.md": "a", "README.md": "b", "CONTRIBUTING.md": "c"})
    check(read(tmp_path, SOURCE + 'files = { "1.0" = "." }'), "1.0:glossary.md")


def test_an_undated_file(tmp_path: Path):
    """One document makes an undated source, with the date on which it was retrieved."""
    put(tmp_path, {"page.html": "<dl></dl>"})
    found = read(tmp_path, SOURCE + 'file = "page.html"\nretrieved = 2025-03-01')
    check(found, ":page.html")
    assert (found.undated, found.retrieved) == (True, date(2025, 3, 1))
    assert found.releases == (Release(name=""),)


@pytest.mark.parametrize(
    "others", [{}, {"images/a.png": b"\x89PNG"}, {"README.md": "Read me.", ".git/config": "x"}]
)
def test_a_folder_without_releases_is_undated(tmp_path: Path, others: Mapping[str, bytes]):
    """Files outside any release's folder are one undated source; pictures beside them do not
    count."""
    put(tmp_path, {"glossary.md": "a", **others})
    found = read(tmp_path)
    check(found, ":glossary.md")
    assert found.undated


@pytest.mark.parametrize("suffix", DOCUMENT_SUFFIXES)
def test_a_document_without_a_release_is_undated(tmp_path: Path, suffix: str):
    """A folder is the glossary of no release whichever format its document has."""
    put(tmp_path, {f"glossary{suffix}": "a"})
    found = read(tmp_path)
    check(found, f":glossary{suffix}")
    assert found.undated


def test_documents_beside_the_releases_are_reported(tmp_path: Path):
    """A document of no release is not read, which is a problem; a README is expected there."""
    put(
        tmp_path,
        {
            "1.0/a.md": "a",
            "new.md": "n",
            "old.adoc": "o",
            "README.md": "r",
            "LICENSE": "l",
            "COMMITS": "c",
            "x.zip": "z",
        },
    )
    check(
        read(tmp_path),
        "1.0:a.md",
        "new.md: is beside the folders of the releases, and not read; put it into one of them",
        "old.adoc: is beside the folders of the releases, and not read; put it into one of them",
        f"x.zip: {ARCHIVE}",
    )


ARCHIVE = "this is an archive, which is not read; unpack it into a folder named after its release"


@pytest.mark.parametrize(
    "place", ['folder = "x.zip"', 'file = "x.zip"', 'files = { "1.0" = "x.zip" }']
)
@pytest.mark.parametrize("content", [b"PK\3\4\0\0", b"\0" * (MAX_DOCUMENT_BYTES + 1)])
def test_an_archive_is_named_as_not_read(tmp_path: Path, place: str, content: bytes):
    """Where a source names an archive, also one above the size limit, the problem says to unpack
    it."""
    put(tmp_path, {"x.zip": content})
    source = f'[[source]]\nid = "s"\n{place}\n'
    assert [str(problem) for problem in read(tmp_path, source).problems] == [f"x.zip: {ARCHIVE}"]


def test_what_is_plainly_no_document_is_passed_over(tmp_path: Path):
    """Hidden files, backups, pictures, styles and our own files are not read."""
    put(
        tmp_path,
        {
            **{
                f"1.0/{name}": b"\0"
                for name in (".hidden", "a.md~", "a.png", "b.PNG", "style.css", "font.woff2")
            },
            "1.0/.git/config": "x",
            "1.0/three.js/a.md": "a",
            "site.toml": "",
            "archive.jsonl": "{}",
            ".venv/lib/x.txt": "x",
        },
    )
    check(read(tmp_path), "1.0:three.js/a.md")


def test_the_site_itself_is_skipped(tmp_path: Path):
    """A site written beside its sources does not become a release."""
    put(tmp_path, {"1.0/a.md": "a", "site/index.html": "x"})
    check(read(tmp_path, skip=(tmp_path / "site",)), "1.0:a.md")


def test_a_site_built_here_is_no_source(tmp_path: Path):
    """A built site anywhere among the sources is not read as a glossary."""
    put(tmp_path, {"1.0/a.md": "a", "1.0/old/b.md": "b", "site/index.html": "x"})
    for site in ("site", "1.0/old"):
        put(tmp_path / site, {MARKER: MARKER_TEXT})
    check(read(tmp_path), "1.0:a.md")


def test_a_site_named_as_a_glossary_is_refused(tmp_path: Path):
    """Naming a built site as a source or release is an error that says what to name."""
    put(tmp_path, {"1.0/a.md": "a", "site/index.html": "x", f"site/{MARKER}": MARKER_TEXT})
    reported = (
        "site: a site that was built here, and no glossary; name the folder that it was made from"
    )
    check(read(tmp_path, SOURCE + 'folder = "site"'), "", reported)
    both = SOURCE + 'files = { "1.0" = "1.0/a.md", "1.1" = "site" }'
    check(read(tmp_path, both), "1.0:a.md", reported, unread=(("1.1", ""),))


def test_a_missing_file_is_a_gap(tmp_path: Path):
    """A missing listed file is a problem with the nearest name, and a gap of its release."""
    put(tmp_path, {"GLOSSARY.md": "a", "docs/other": "b"})
    toml = (
        'files = { "1.0" = "GLOSSARY.md", "2.0" = "GLOSARY.md", "3.0" = "docs/glossary.rst", '
        '"4.0" = "no/x.md" }'
    )
    check(
        read(tmp_path, SOURCE + toml),
        "1.0:GLOSSARY.md",
        "GLOSARY.md: missing; did you mean 'GLOSSARY.md'?",
        "docs/glossary.rst: missing; name one that exists",
        "no/x.md: missing; name one that exists",
        unread=(("2.0", "GLOSARY.md"), ("3.0", "docs/glossary.rst"), ("4.0", "no/x.md")),
    )


def test_a_missing_folder_is_one_problem(tmp_path: Path):
    """A source with a missing folder has no releases; the problem names the likely folder."""
    (tmp_path / "pytorch").mkdir()
    found = read(tmp_path, SOURCE + 'folder = "pytorhc"')
    check(found, "", "pytorhc: missing; did you mean 'pytorch'?")
    assert found.releases == ()
    check(read(tmp_path, SOURCE + 'folder = "pytorch"'), "", PUT_EACH.format("pytorch"))
    check(read(tmp_path / "pytorch"), "", PUT_EACH.format("."))


PUT_EACH = "{}: no releases here; put each into a folder named after the release"


def test_a_release_without_documents_is_a_gap(tmp_path: Path):
    """An empty release folder is a gap."""
    put(tmp_path, {"1.0/a.md": "a", "2.0/a.png": b"\0"})
    (tmp_path / "3.0").mkdir()
    found = read(tmp_path)
    check(
        found,
        "1.0:a.md",
        "2.0: no documents here; put the glossary into it, or delete the folder",
        "3.0: no documents here; put the glossary into it, or delete the folder",
        unread=(("2.0", ""), ("3.0", "")),
    )
    assert [release.name for release in found.releases] == ["1.0", "2.0", "3.0"]


def test_files_that_are_no_text_are_gaps(tmp_path: Path):
    """Empty, binary and very large files are one line each, and other files are read."""
    put(tmp_path, {"1/a.md": "a", "1/b.md": b"\0\1\2", "1/c.md": "", "2/a.md": "a"})
    with (tmp_path / "2/large.md").open("wb") as file:
        file.truncate(50_000_000)
    check(
        read(tmp_path),
        "1:a.md 2:a.md",
        "1/b.md: not a text file; a glossary is text, at best in UTF-8",
        "1/c.md: the file is empty; write the glossary into it, or leave it out",
        f"2/large.md: the file has 50,000,000 bytes; at most {MAX_DOCUMENT_BYTES:,} are read; divide it",
        unread=(("1", "b.md"), ("1", "c.md"), ("2", "large.md")),
    )


def test_a_very_large_file_is_not_even_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A file above the limit is refused by its size, without reading it."""
    put(tmp_path, {"1/a.md": "a"})
    with (tmp_path / "1/large.md").open("wb") as file:
        file.truncate(MAX_DOCUMENT_BYTES + 1)
    refuse(monkeypatch, tmp_path / "1/large.md", AssertionError("read"))
    assert glossaries.unread(read(tmp_path)) == (("1", "large.md"),)


def test_the_configured_character_set_is_used(tmp_path: Path):
    """`encoding` applies to files that are not UTF-8; without it, the guess is a problem with its
    line."""
    put(tmp_path, {"1/a.txt": "жизнь".encode("koi8-r")})
    found = read(tmp_path, SOURCE + 'folder = "."\nencoding = "koi8-r"')
    check(found, "1:a.txt")
    assert found.documents[0].text == "жизнь"
    assert str(read(tmp_path).problems[0]).startswith(
        "1/a.txt:1: byte 0xD6 is not UTF-8; read as windows-1252"
    )


LINK = "a symbolic link, which is not followed; name what it leads to, or put that in its place"


def test_symbolic_links_are_not_followed(tmp_path: Path):
    """A link is reported as a file, a folder, a release or part of a path."""
    put(tmp_path, {"secret.txt": "s", "root/1.0/a.md": "a", "root/kept/1.0/b.md": "b"})
    root = tmp_path / "root"
    (root / "1.0/b.md").symlink_to(tmp_path / "secret.txt")
    (root / "1.0/c").symlink_to(tmp_path)
    (root / "latest").symlink_to("1.0")
    (root / "1.0/dead.md").symlink_to("nowhere")
    check(
        read(root),
        "1.0:a.md kept:1.0/b.md",
        f"latest: {LINK}",
        f"1.0/b.md: {LINK}",
        f"1.0/c: {LINK}",
        f"1.0/dead.md: {LINK}",
        unread=(("1.0", "b.md"), ("1.0", "c"), ("1.0", "dead.md")),
    )
    check(read(root, SOURCE + 'folder = "latest"'), "", f"latest: {LINK}")
    check(
        read(root, SOURCE + 'files = { "1" = "latest/a.md" }'),
        "",
        f"latest: {LINK}",
        unread=(("1", "latest"),),
    )
    check(
        read(root, SOURCE + 'file = "1.0/b.md"'),
        "",
        f"1.0/b.md: {LINK}",
        unread=(("", "1.0/b.md"),),
    )


def test_the_root_itself_may_be_a_link(tmp_path: Path):
    """The folder on the command line can be a link."""
    put(tmp_path, {"real/1.0/a.md": "a"})
    (tmp_path / "link").symlink_to("real")
    check(read(tmp_path / "link"), "1.0:a.md")


def test_special_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A pipe or a socket is not opened, since reading it might never end."""
    put(tmp_path, {"1.0/a.md": "a"})
    os.mkfifo(tmp_path / "1.0/pipe.md")
    monkeypatch.chdir(tmp_path / "1.0")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket.md")
        check(
            read(tmp_path),
            "1.0:a.md",
            "1.0/pipe.md: neither a file nor a folder",
            "1.0/socket.md: neither a file nor a folder",
            unread=(("1.0", "pipe.md"), ("1.0", "socket.md")),
        )


DENIED = "no permission to read it; give yourself permission, or leave it out"


def test_places_without_permission_are_gaps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """An unreadable file or folder is one line, and the rest is read."""
    put(
        tmp_path,
        {"1.0/a.md": "a", "1.0/b.md": "b", "2.0/docs/a.md": "a", "2.0/b.md": "b", "3.0/a.md": "a"},
    )
    for place in ("1.0/b.md", "2.0/docs", "3.0"):
        refuse(monkeypatch, tmp_path / place, PermissionError(13, "Permission denied"))
    check(
        read(tmp_path),
        "1.0:a.md 2.0:b.md",
        f"2.0/docs: {DENIED}",
        f"3.0: {DENIED}",
        f"1.0/b.md: {DENIED}",
        unread=(("1.0", "b.md"), ("2.0", "docs"), ("3.0", "")),
    )


def test_a_source_without_permission_is_one_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """An unreadable folder of releases is one problem."""
    put(tmp_path, {"s/1.0/a.md": "a"})
    refuse(monkeypatch, tmp_path / "s", PermissionError(13, "Permission denied"))
    check(read(tmp_path, SOURCE + 'folder = "s"'), "", f"s: {DENIED}")


def test_real_permissions(tmp_path: Path):
    """Real permissions give gaps: of a folder that cannot be read or entered, or of a file."""
    put(tmp_path, {"1.0/a.md": "a", "1.0/b.md": "b", "2.0/a.md": "a", "3.0/a.md": "a"})
    locked = {"1.0/b.md": 0o000, "2.0": 0o000, "3.0": 0o400}
    for place, mode in locked.items():
        (tmp_path / place).chmod(mode)
    try:
        if os.access(tmp_path / "1.0/b.md", os.R_OK):
            pytest.skip(
                "this user may read everything, as root does, so that permissions prove nothing"
            )
        check(
            read(tmp_path),
            "1.0:a.md",
            f"2.0: {DENIED}",
            f"3.0: {DENIED}",
            f"1.0/b.md: {DENIED}",
            unread=(("1.0", "b.md"), ("2.0", ""), ("3.0", "")),
        )
    finally:
        for place in locked:
            (tmp_path / place).chmod(0o700)


def test_a_disk_that_fails_is_reported_in_its_own_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Any other error of the system is a gap with the system's message."""
    put(tmp_path, {"1.0/a.md": "a", "2.0/a.md": "b"})
    refuse(monkeypatch, tmp_path / "1.0/a.md", OSError(5, "Input/output error"))
    check(
        read(tmp_path),
        "2.0:a.md",
        "1.0/a.md: cannot be read: Input/output error",
        unread=(("1.0", "a.md"),),
    )


def test_names_that_cannot_be_shown_are_refused(tmp_path: Path):
    """A name that is not Unicode, or has hidden characters, is neither read nor printed raw."""
    put(tmp_path, {"1.0/a.md": "a", "1.0/b\u202e.md": "b", "2\x1b[1m/a.md": "a"})
    try:
        (tmp_path / os.fsdecode(b"1.0/\xff.md")).write_text("c")
    except OSError:
        pytest.skip("this disk takes only names in Unicode")
    check(
        read(tmp_path),
        "1.0:a.md",
        "'2\\x1b[1m': a name that cannot be shown; rename it",
        "1.0/'b\\u202e.md': a name that cannot be shown; rename it",
        "1.0/'\\udcff.md': a name that cannot be shown; rename it",
        unread=(("1.0", "'\\udcff.md'"), ("1.0", "'b\\u202e.md'")),
    )


def test_a_name_reads_the_same_however_its_accents_are_stored(tmp_path: Path):
    """Releases and documents have names in normal form, however the disk stores accents."""
    put(tmp_path, {"e\u0301te\u0301/cafe\u0301.md": "a"})
    found = read(tmp_path)
    assert [release.name for release in found.releases] == ["\u00e9t\u00e9"]
    assert found.documents[0].path == "\u00e9t\u00e9/caf\u00e9.md"


def test_folders_within_folders_have_a_limit(tmp_path: Path):
    """A very deep tree is read to a limit, which the problem names."""
    put(
        tmp_path,
        {"1.0/a.md": "a", "1.0/" + "d/" * 63 + "b.md": "b", "1.0/" + "e/" * 64 + "c.md": "c"},
    )
    found = read(tmp_path)
    assert [document.text for document in found.documents] == ["a", "b"]
    assert [problem.found for problem in found.problems] == ["folders too deep within each other"]
    assert [problem.wanted for problem in found.problems] == ["at most 64 are followed"]


def test_order_does_not_depend_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The order of documents does not depend on the disk's order."""
    put(tmp_path, {f"{release}/{name}.md": name for release in ("1", "10", "9") for name in "abc"})
    expected = read(tmp_path)
    listing = os.scandir

    def reversed_listing(place):
        with listing(place) as entries:
            return nullcontext(sorted(entries, key=lambda entry: entry.name, reverse=True))

    monkeypatch.setattr(os, "scandir", reversed_listing)
    assert read(tmp_path) == expected


def test_reading_the_configuration(tmp_path: Path):
    """site.toml is used where there is one; else the folder's name is the title. The folder must
    exist."""
    assert read_config(tmp_path).site.title == tmp_path.name
    put(tmp_path, {"site.toml": b'\xef\xbb\xbf[site]\r\ntitle = "T"\r\n'})
    assert read_config(tmp_path).site.title == "T"
    with pytest.raises(SitegenError, match="no such folder"):
        read_config(tmp_path / "missing")
    with pytest.raises(SitegenError, match="no such folder"):
        read_config(tmp_path / "site.toml")


def test_a_configuration_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A site.toml that is not UTF-8, not a file, or unreadable is one line."""
    put(tmp_path, {"site.toml": b"[site]\ntitle = '\xe9'"})
    with pytest.raises(
        ConfigError, match=r"site\.toml:2: byte 0xE9 is not UTF-8; TOML is written in UTF-8"
    ):
        read_config(tmp_path)
    refuse(monkeypatch, tmp_path / "site.toml", PermissionError(13, "Permission denied"))
    with pytest.raises(ConfigError, match=r"site\.toml: no permission to read it"):
        read_config(tmp_path)


@pytest.mark.parametrize(
    ("corpus", "releases", "documents"),
    [
        ("cncf", 3, 213),
        ("redux", 13, 13),
        ("mercurial", 5, 5),
        ("vue", 4, 4),
        ("sphinx", 12, 12),
        ("pyramid", 4, 4),
    ],
)
def test_real_folders_of_releases(shared: Path, corpus: str, releases: int, documents: int):
    """Real glossaries in folders of releases are read without configuration or problems."""
    root = shared / "corpora" / corpus
    found = SourceReader(root, clones=CLONES).read(read_config(root)).sources[0]
    assert (len(found.releases), len(found.documents)) == (releases, documents)
    assert (found.problems, glossaries.unread(found)) == ((), ())


def test_the_founding_documents(shared: Path):
    """Three releases and an undated page are read; the one damaged line is repaired and
    reported."""
    root = shared / "seeds"
    pytorch, page = SourceReader(root, clones=CLONES).read(read_config(root)).sources
    assert [document.release for document in pytorch.documents] == [
        "1.8.2",
        "expanded",
        "tutorials",
    ]
    assert [(problem.path, problem.line) for problem in pytorch.problems] == [
        ("001_29d2308a1f1269b3.txt", 42)
    ]
    assert "the model’s" in pytorch.documents[1].text
    assert (page.undated, len(page.documents), page.problems) == (True, 1, ())


def test_a_disk_that_fails_is_never_silent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Whichever look at a file fails, the source is read as a whole, or a problem says what is
    missing."""
    put(
        tmp_path,
        {f"{name}/g.rst": ".. include:: more.rst\n" for name in ("1.0", "1.1", "1.2")}
        | {"1.0/more.rst": "Words."},
    )
    toml = SOURCE + 'folder = "."\n'
    whole = read(tmp_path, toml)
    looks = 0

    def failing(look):
        def look_or_fail(*arguments, **options):
            nonlocal looks
            looks += 1
            if looks == fail_at:
                raise OSError(errno.EIO, os.strerror(errno.EIO), str(arguments[0]))
            return look(*arguments, **options)

        return look_or_fail

    for name in ("stat", "open", "scandir"):
        monkeypatch.setattr(os, name, failing(getattr(os, name)))
    for fail_at in range(1, 60):
        looks = 0
        found = read(tmp_path, toml)
        assert found.problems or (found.documents, glossaries.unread(found)) == (
            whole.documents,
            glossaries.unread(whole),
        ), fail_at
    assert looks > 10
