"""Images and documents that definitions link to: copied into the site, or linked where they are
published."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from glossaries import FilesInMemory, with_documents
from repositories import Repository

from sitegen.config.parsing import parse
from sitegen.config.tables import SourceTable
from sitegen.model import Document, Place, Release, Source
from sitegen.site.definitions import published_address
from sitegen.sources.folder_trees import ROOT, FolderTrees
from sitegen.sources.git.repositories import Clones
from sitegen.sources.git_source import read_git
from sitegen.sources.linked_files import with_linked_files
from sitegen.sources.parsed_sources import parsed
from sitegen.sources.reading import SourceReader
from sitegen.sources.trees import TreeFiles
from sitegen.text.file_names import DOCUMENT_SUFFIXES
from sitegen.text.images import MAX_IMAGE_BYTES, MAX_SVG_BYTES, ImageError, checked

PNG = b"\x89PNG\r\n\x1a\n" + b"a picture"
SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>'
GLOSSARY = """# Glossary

## Saw

Cuts wood. ![A saw](img/saw.png) See [the shop](../guide/shop.md#tools), [the bench](/bench/) and [gone](gone.md).

## Plane

Like a {doc}`saw <../guide/shop>`, {doc}`or not <none>`. <img src="img/none.png" alt="A plane">
"""
FILES: Mapping[str, bytes] = {
    "docs/img/saw.png": PNG,
    "guide/shop.md": b"",
    "docs/bench/index.md": b"",
}


def gathered(
    files: Mapping[str, bytes], *, text: str = GLOSSARY, has_pages: bool = False
) -> tuple[Source, Release, list[str]]:
    """Returns a source that was read with these files beside its glossary, its release, and its
    problems."""
    name = "docs/g.md"
    document = Document(
        source="s", release="1", path=name, name=name, text=text, has_pages=has_pages
    )
    source = with_documents(Source(id="s", title="S", releases=()), [document])
    source = with_linked_files(source, lambda _: FilesInMemory(files))
    source = parsed(source)
    (release,) = source.releases
    return source, release, [str(problem) for problem in source.problems]


def test_images_are_copied_and_links_know_their_files() -> None:
    """An image has an address of its content; a link has the path of its file, found without its
    ending too."""
    source, release, problems = gathered(FILES)
    (path,) = source.images
    assert source.images[path] == PNG
    saw, plane = (entry.definition.html for entry in release.entries)
    assert f'<a class="image" href="{path}"' in saw
    assert 'href="file:guide/shop.md#tools"' in saw
    assert 'href="file:docs/bench/index.md"' in saw
    assert 'href="file:guide/shop.md"' in plane
    assert problems == [
        "docs/g.md:3: links to 'gone.md', 'img/none.png' are shown as text: there is no such file;"
        " correct them, or set the source's docs_url"
    ]


@pytest.mark.parametrize(
    "shortcode", ['ref "../guide/shop.md"', "relref '../guide/shop.md'", "ref ../guide/shop.md"]
)
def test_hugos_shortcodes_lead_to_files(shortcode: str) -> None:
    """Both shortcodes of Hugo that name a file, `ref` and `relref`, are links to it."""
    text = f"# Glossary\n\n## Saw\n\nSold in a [shop]({{{{< {shortcode} >}}}}) everywhere.\n"
    _, release, problems = gathered(FILES, text=text)
    assert 'href="file:guide/shop.md"' in release.entries[0].definition.html
    assert not problems


@pytest.mark.parametrize(
    ("names", "path"),
    [
        ("docs/shop.md docs/shop.html", "docs/shop.html"),
        ("docs/shop.md", "docs/shop.md"),
        ("docs/shop.qmd", "docs/shop.qmd"),
        ("docs/shop.htm", "docs/shop.htm"),
    ],
)
def test_a_link_to_a_page_leads_to_the_page_or_to_what_it_is_made_from(
    names: str, path: str
) -> None:
    """A file with just the name of the link comes before the document of that page."""
    target = "shop.html"
    if path.endswith(".htm"):
        target = "shop.htm"
    text = f"# Glossary\n\n## Saw\n\nSold in a [shop]({target}) everywhere.\n"
    _, release, problems = gathered(dict.fromkeys(names.split(), b""), text=text)
    assert f'href="file:{path}"' in release.entries[0].definition.html
    assert not problems


@pytest.mark.parametrize("path", ["docs/shop.md", "docs/shop/index.rst", "docs/shop/README.md"])
def test_the_index_of_a_folder_is_the_page_of_the_folder(path: str) -> None:
    """A link to the index of a built folder leads to what it is made from."""
    text = "# Glossary\n\n## Saw\n\nSold in a [shop](shop/index.html#hours) everywhere.\n"
    _, release, problems = gathered({path: b""}, text=text)
    assert f'href="file:{path}#hours"' in release.entries[0].definition.html
    assert not problems


def test_a_target_of_restructuredtext_may_have_an_anchor() -> None:
    """The address of a named target of Sphinx is that of a page, with or without an anchor."""
    text = (
        "Glossary\n========\n\n.. _shop: shop.html#hours\n.. _bench: bench.html\n\n.. glossary::\n\n"
        "   saw\n      Sold in a shop_ beside a bench_.\n"
    )
    _, release, problems = gathered({"docs/shop.rst": b"", "docs/bench.rst": b""}, text=text)
    html = release.entries[0].definition.html
    assert 'href="file:docs/shop.rst#hours"' in html
    assert 'href="file:docs/bench.rst"' in html
    assert not problems


@pytest.mark.parametrize("settings", [{"paths": ("1.0/g.md",)}, {"versions": "{version}/g.md"}])
def test_images_in_git_are_those_of_the_release(
    tmp_path: Path, settings: dict[str, object]
) -> None:
    """An image of a repository is read at the same commit as the document, also in a folder for
    each version."""
    repository = Repository(tmp_path / "project")
    repository.commit(
        {"1.0/g.md": "# Glossary\n\n## Saw\n\nCuts. ![A saw](saw.svg)\n", "1.0/saw.svg": SVG}
    )
    table = SourceTable(id="s", git="project", **settings)  # type: ignore[arg-type]
    repository.git("tag", "v1.0")
    source = read_git(table, {}, root=tmp_path, clones=Clones(folder=tmp_path))
    assert len(source.images) == 1
    assert [*source.images] == [path for _, path in source.documents[0].files]


@pytest.mark.parametrize("number", [4, 5])
def test_many_dead_links_are_one_problem_for_all_releases(number: int) -> None:
    """Their number is not in the problem, so that documents that differ in it have the same."""
    links = " ".join([f"[x](gone{link}.md)" for link in range(number)])
    _, _, (problem,) = gathered(
        {"docs/other.md": b""}, text=f"# Glossary\n\n## Saw\n\nCuts. {links}\n"
    )
    assert problem.startswith(
        "docs/g.md:3: links to 'gone0.md', 'gone1.md', 'gone2.md', … are shown as text: "
    )


def test_a_file_without_an_address_is_told_apart_from_a_missing_one(tmp_path: Path) -> None:
    """Where neither a forge nor a docs_url is known, links to files that exist are a problem of
    their own."""
    repository = Repository(tmp_path / "project")
    text = "# Glossary\n\n## Saw\n\nCuts. See [the shop](shop.md#x) and [gone](gone.md).\n"
    repository.commit({"g.md": text, "shop.md": "# Shop\n"})
    table = '[[source]]\nid = "s"\ngit = "project"\npaths = ["g.md"]\n'
    reader = SourceReader(tmp_path, clones=Clones(folder=tmp_path))
    (source,) = reader.read(parse(table, path="site.toml")).sources
    assert [problem.found for problem in parsed(source).problems] == [
        "links to 'gone.md' are shown as text: there is no such file",
        "links to 'shop.md#x' are shown as text: the files have no address",
    ]


@pytest.mark.parametrize(
    ("name", "target", "path"),
    [
        ("docs/g.md", "/img/saw.png", "static/img/saw.png"),
        ("web/docs/g.mdx", "/img/saw.png", "web/static/img/saw.png"),
        ("docs/g.md", "@site/static/img/saw.png", "static/img/saw.png"),
        ("docs/g.md", "/saw.png", "docs/public/saw.png"),
        ("docs/modules/ROOT/pages/g.adoc", "saw.png", "docs/modules/ROOT/images/saw.png"),
        ("modules/shop/pages/a/g.adoc", "a/saw.png", "modules/shop/images/a/saw.png"),
        ("modules/ROOT/pages/g.adoc", "saw.png", "modules/ROOT/assets/images/saw.png"),
        ("modules/ROOT/pages/g.adoc", "shop:image$saw.png", "modules/shop/images/saw.png"),
    ],
)
def test_images_of_generators_are_found(name: str, target: str, path: str) -> None:
    """Docusaurus, VitePress and Antora publish images at other addresses than the paths of their
    files."""
    text = f"# Glossary\n\n## Saw\n\nCuts. ![A saw]({target})\n"
    if name.endswith(".adoc"):
        text = f"= Glossary\n\n== Saw\n\nCuts. image:{target}[A saw]\n"
    document = Document(source="s", release="1", path=name, name=name, text=text)
    source = with_documents(Source(id="s", title="S", releases=()), [document])
    source = with_linked_files(source, lambda _: FilesInMemory({path: PNG}))
    assert len(source.images) == 1
    assert not parsed(source).problems


def test_only_missing_images_are_problems_where_pages_have_addresses() -> None:
    """With a docs_url a link may lead to a page of which the repository has no file."""
    _, _, problems = gathered(FILES, has_pages=True)
    assert len(problems) == 1
    assert "'img/none.png'" in problems[0]
    assert "gone" not in problems[0]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"GIF89a" + b"x" * MAX_IMAGE_BYTES, "more than"),
        (b"<html><script>1</script></html>", "none of PNG"),
        (b"version https://git-lfs.github.com/spec/v1\n", "Git LFS"),
        (
            b'<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>',
            "entities",
        ),
        (b'<svg xmlns="http://www.w3.org/2000/svg"><g>', "well-formed"),
        (b"<svg/>", "namespace"),
        (
            b'<svg xmlns="http://www.w3.org/2000/svg" %s/>'
            % b" ".join(b'a%d=""' % n for n in range(201)),
            "200 attributes",
        ),
    ],
)
def test_a_refused_image_is_told(content: bytes, reason: str) -> None:
    """What is too large, no image or hostile is not copied; its words stay, and the problem says
    why."""
    source, release, problems = gathered({**FILES, "docs/img/saw.png": content})
    assert source.images == {}
    assert "A saw" in release.entries[0].definition.text
    assert reason in problems[0]


def test_svg_keeps_only_what_draws() -> None:
    """Scripts, handlers, links and whatever loads something are left out of SVG; shapes and
    gradients stay."""
    hostile = b"""<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink" onload="a()">
    <script>a()</script><foreignObject><b xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>
    <style>@import url(//evil)</style><animate/><set/><image x:href="//evil"/><a x:href="javascript:a()"/>
    <use x:href="#g"/><use href="//evil#g"/><rect fill="url(#g)" style="fill:url(//evil)" onclick="a()"/></svg>"""
    suffix, kept = checked(hostile)
    assert suffix == "svg"
    assert not any(
        word in kept
        for word in (b"script", b"evil", b"on", b"foreign", b"import", b"set", b"javascript")
    )
    assert b'href="#g"' in kept
    assert b'fill="url(#g)"' in kept


def test_svg_loads_no_set_of_images() -> None:
    """In CSS, `image-set` loads addresses that are not in `url`."""
    style = b'svg { background: -webkit-image-set("//evil/a" 1x) }'
    attribute = b"mask-image: IMAGE-SET('//evil/b' 1x)"
    inner = b'<style>%s</style><rect style="%s"/>' % (style, attribute)
    _, kept = checked(SVG.encode().replace(b"/>", b">%s</svg>" % inner))
    assert b"evil" not in kept
    assert b"<rect/>" in kept


def test_svg_keeps_its_words() -> None:
    """The words in a link stay without their address, as do those after an element that is left
    out."""
    words = b'<text>A <a href="x">jig</a><script>a()</script> holds wood</text>'
    _, kept = checked(SVG.encode().replace(b"/>", b">%s</svg>" % words))
    assert b"<text>A <a>jig</a> holds wood</text>" in kept


def test_an_image_is_known_by_its_first_bytes() -> None:
    """The name of a file does not decide what it is."""
    assert checked(PNG) == ("png", PNG)
    with pytest.raises(ImageError):
        checked(b"no image")
    with pytest.raises(ImageError, match="SVG of more than 500,000 bytes"):
        checked(SVG.replace("/>", f">{' ' * MAX_SVG_BYTES}</svg>").encode())


FORGE = Release(name="1", line_pattern="https://github.com/o/r/blob/v1/{path}?plain=1#L{line}")


@pytest.mark.parametrize(
    ("page", "href", "expected"),
    [
        ("", "file:guide/a b.md#y", "https://github.com/o/r/blob/v1/guide/a%20b.md#y"),
        ("", "gone.md", None),
        (
            "https://x.org/1/glossary.html",
            "file:docs/guide/shop.md#y",
            "https://x.org/1/guide/shop.html#y",
        ),
        (
            "https://x.org/1/glossary.html",
            "file:docs/guide/index.rst",
            "https://x.org/1/guide/index.html",
        ),
        ("https://x.org/1/glossary.html", "file:README.md", "https://x.org/index.html"),
        ("https://x.org/1/glossary.html", "doc:guide/shop", "https://x.org/1/guide/shop.html"),
        ("https://x.org/1/glossary.html", "doc:new/v1.2.0", "https://x.org/1/new/v1.2.0.html"),
        ("https://x.org/1/glossary/", "doc:release-1.2", "https://x.org/1/release-1.2/"),
        (
            "https://x.org/1/glossary.html",
            "file:docs/a.pdf",
            "https://github.com/o/r/blob/v1/docs/a.pdf",
        ),
        ("https://x.org/1/glossary.html", "a b.pdf#y", "https://x.org/1/a%20b.pdf#y"),
        (
            "https://x.org/docs/glossary/",
            "file:docs/guide/shop.md",
            "https://x.org/docs/guide/shop/",
        ),
        ("https://x.org/docs/{name}/", "/guide/shop/#y", "https://x.org/guide/shop/#y"),
        ("https://x.org/docs/{name}", "gone.md", "https://x.org/docs/gone"),
    ],
)
def test_where_a_link_leads(page: str, href: str, expected: str | None) -> None:
    """A file is at its forge, at the release's tag; a document on its published page, where a
    docs_url says it."""
    place = Place(source="s", release="1", path="v1:docs/glossary.md", name="docs/glossary.md")
    assert published_address(replace(FORGE, page=page), place, href) == expected


@pytest.mark.parametrize("suffix", DOCUMENT_SUFFIXES)
def test_a_link_to_a_folder_leads_to_its_index(suffix: str) -> None:
    """The index of a folder can have any format of a document."""
    text = "# Glossary\n\n## Saw\n\nMade in the [shop](shop/) next door.\n"
    _, release, problems = gathered({f"docs/shop/index{suffix}": b""}, text=text)
    assert f'href="file:docs/shop/index{suffix}"' in release.entries[0].definition.html
    assert not problems


@pytest.mark.parametrize("suffix", DOCUMENT_SUFFIXES)
def test_a_link_to_a_document_leads_to_its_page(suffix: str) -> None:
    """Where a docs_url says it, documents of all formats are on their published pages."""
    place = Place(source="s", release="1", path="v1:docs/glossary.md", name="docs/glossary.md")
    release = replace(FORGE, page="https://x.org/docs/{name}/")
    found = published_address(release, place, f"file:docs/guide{suffix}#y")
    assert found == "https://x.org/docs/guide/#y"


def test_files_below_a_folder(tmp_path: Path) -> None:
    """Of a folder, hidden files and links out of it are not there."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("a")
    (tmp_path / ".env").write_text("secret")
    (tmp_path / "docs" / "out").symlink_to("/etc")
    files = TreeFiles(FolderTrees(tmp_path), ROOT)
    assert files.read("docs/a.md") == b"a"
    assert files.has("docs/a.md")
    for path in ("docs", "no", ".env", "docs/out/passwd"):
        assert not files.has(path)
    assert files.read(".env") is None
