"""[theme]: what it adds to a site, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import lxml.html
import pytest
from commands import Command
from glossary_folder import write
from sites import glossary, templates

from sitegen.config.parsing import ConfigError, parse
from sitegen.model import SitegenError
from sitegen.site.pages import Page
from sitegen.site.rendering import Renderer
from sitegen.site.templates import asset_files
from sitegen.site.theme import extra_pages, page_texts, theme_files, themed
from sitegen.sources.git.repositories import Clones
from sitegen.sources.reading import SourceReader, read_config

LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
THEME = """
[theme]
logo = "logo.svg"
favicon = "logo.svg"
accent = "#8b1a4a"
header = [{ text = "Project", url = "https://example.org/" }]
footer_text = "Kept \\u202eby us."
style = "own.css"
html = "own"
pages = "extra"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "own").mkdir()
    (tmp_path / "extra").mkdir()
    (tmp_path / "logo.svg").write_text(LOGO)
    (tmp_path / "own.css").write_text("main { color: red }")
    (tmp_path / "own" / "head.html").write_text('<meta name="author" content="{{ us }}">')
    (tmp_path / "own" / "footer.html").write_text('<p><a href="{root}about/">Us</a></p>')
    (tmp_path / "extra" / "help.md").write_text(
        "# How to help\n\n## Steps\n\n<script>alert(1)</script>\n"
    )
    return tmp_path


def test_text_in_the_footer_has_no_invisible_characters() -> None:
    """A mark that turns the direction of the text is taken out, as elsewhere in site.toml."""
    assert parse(THEME, path="site.toml").theme.footer_text == "Kept by us."


def test_a_theme_adds_pictures_styles_and_pages(folder: Path) -> None:
    """All files of a theme are used, and Markdown pages are sanitized."""
    texts = themed(templates(), parse(THEME, path="site.toml").theme, folder)
    assert [(file.path, file.content) for file in theme_files(texts)] == [
        ("assets/logo.svg", LOGO.encode()),
        ("assets/favicon.svg", LOGO.encode()),
    ]
    assert [file.path for file in asset_files(texts)].count("assets/favicon.svg") == 1
    style = next(
        file.content.decode() for file in asset_files(texts) if file.path == "assets/site.css"
    )
    assert "--accent:light-dark(#8b1a4a, #" in style
    assert style.endswith("main { color: red }")
    [page] = extra_pages(page_texts(texts))
    assert (page.address, page.title) == ("pages/help/", "How to help")
    assert [element.tag for element in lxml.html.fragments_fromstring(page.html)] == ["h2", "p"]


def test_a_picture_of_a_theme_is_checked_as_one_of_a_definition(folder: Path) -> None:
    """The scripts of an SVG are removed, and a file that is no picture of its kind is refused."""
    theme = parse('[theme]\nfavicon = "logo.svg"\n', path="site.toml").theme
    drawn, script = '<path d="M0 0h1"/>', "<script>alert(1)</script>"
    (folder / "logo.svg").write_text(
        LOGO.replace("/>", f' onload="alert(1)">{drawn}{script}</svg>')
    )
    (file,) = theme_files(themed(templates(), theme, folder))
    assert file.content.decode() == LOGO.replace("/>", f">{drawn}</svg>")
    for text in ("words", "\x89PNG\r\n\x1a\n", "<svg"):
        (folder / "logo.svg").write_text(text, encoding="latin-1")
        with pytest.raises(SitegenError, match=r"favicon in \[theme\] cannot be used: it "):
            list(theme_files(themed(templates(), theme, folder)))


def test_pages_beside_content(tmp_path: Path) -> None:
    """content/site.toml may name a folder beside content, unless that is a repository; other files
    may not."""
    theme = parse('[theme]\npages = "../docs"\n', path="site.toml").theme
    for name in ("content", "docs"):
        (tmp_path / name).mkdir()
    (tmp_path / "docs/help.md").write_text("# Help\n")
    assert list(page_texts(themed(templates(), theme, tmp_path / "content"))) == ["help.md"]
    (tmp_path / "docs/out.md").symlink_to("/etc/hostname")
    with pytest.raises(SitegenError, match="symbolic link"):
        themed(templates(), theme, tmp_path / "content")
    (tmp_path / "docs/out.md").unlink()
    with pytest.raises(SitegenError, match="only content"):
        themed(templates(), theme, tmp_path / "docs")
    (tmp_path / "content/.git").mkdir()
    with pytest.raises(SitegenError, match="only content"):
        themed(templates(), theme, tmp_path / "content")


def test_links_between_pages_lead_to_pages() -> None:
    """Links to pages and headings work as on a forge, those to other files are text, and an index
    leads to all, in the order in which they are read."""
    texts = {
        "b.md": "# No link leads here\n",
        "index.md": "# All\n\n`[A](a.md)` [C](./deep/c.md) [A](<a.md#one-two>)\n",
        "a.md": "# A\n\n## One `two`\n\n## One two\n\n[*all*](index.md) [here](#one-two) "
        "[gone](../gone.md) <http://a.b>\n",
        "deep/c.md": "# C\n\n[A](../a.md)\n",
    }
    index, c, a, b = extra_pages(texts)
    assert [page.address for page in (index, c, a)] == ["pages/", "pages/deep/c/", "pages/a/"]
    assert [page.is_linked for page in (index, c, a, b)] == [True, False, False, False]
    links = {
        page.title: [
            link.get("href") for link in lxml.html.fromstring(f"<div>{page.html}</div>").iter("a")
        ]
        for page in (a, c, index)
    }
    assert links == {
        "A": ["../index.html", "#one-two", "http://a.b"],
        "C": ["../../a/index.html"],
        "All": ["deep/c/index.html", "a/index.html#one-two"],
    }
    headings = lxml.html.fromstring(f"<div>{a.html}</div>").iter("h2")
    assert [heading.get("id") for heading in headings] == ["one-two", "one-two-1"]
    assert "gone" in a.html


def test_names_with_other_signs_and_images() -> None:
    """Links find files whose names have spaces and umlauts. Images are not published with a page,
    so one in the repository is its words."""
    texts = {
        "API.md": "[a](my%20way.md) [b](größe.md#x) [c](HTTP://a.b) ![d](d.png) ![e](http://a.b/e.png)",
        "größe.md": "",
        "my way.md": "",
    }
    api, size, way = extra_pages(texts)
    assert api.title == "API"
    elements = lxml.html.fromstring(api.html)
    assert elements.text_content() == "a b c d e"
    assert elements.xpath(".//a/@href") == [
        f"../../{way.address}index.html".replace("../pages/", ""),
        f"../../{size.address}index.html#x".replace("../pages/", ""),
        "HTTP://a.b",
        "http://a.b/e.png",
    ]


def test_each_heading_has_its_own_id() -> None:
    """A number is added to the id of a heading until no heading above has it."""
    [page] = extra_pages({"a.md": "## To do\n\n## To do\n\n## To do 1\n"})
    ids = lxml.html.fromstring(f"<div>{page.html}</div>").xpath("//h2/@id")
    assert ids == ["to-do", "to-do-1", "to-do-1-1"]


@pytest.mark.parametrize("place", ["1.0", "."])
def test_a_theme_is_no_glossary(folder: Path, place: str) -> None:
    """The folders of a theme beside releases, or beside documents, are not read as glossaries."""
    (folder / "site.toml").write_text(THEME)
    (folder / place).mkdir(exist_ok=True)
    (folder / place / "words.md").write_text("# Words\n\n## Jig\n\nHolds a part.\n")
    reader = SourceReader(folder, clones=Clones(folder=folder))
    (source,) = reader.read(read_config(folder)).sources
    assert [document.name for document in source.documents] == ["words.md"]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('accent = "#ffee00"', "site.toml:2: '#ffee00' has a contrast of 1.12 on #f5f7f9"),
        ('accent = "red"', "site.toml:2: 'red' is not a color"),
        ('logo = "logo.gif"', "site.toml:2: 'logo.gif' is not a picture"),
        ('style = "../up"', "site.toml:2: '../up' lies outside the folder of site.toml"),
        ('pages = "../../up"', "site.toml:2: '../up' lies outside the folder of site.toml"),
    ],
)
def test_what_a_theme_may_not_say(line: str, found: str) -> None:
    """Unreadable colors and unusable files are refused with their line."""
    with pytest.raises(ConfigError) as error:
        parse(f"[theme]\n{line}\n", path="site.toml")
    assert str(error.value).startswith(found)


def test_files_that_are_not_there(folder: Path) -> None:
    """A missing file, a link out of the folder and HTML of another name are errors that name
    the file."""
    for line in ('logo = "none.svg"', 'pages = "none"'):
        with pytest.raises(SitegenError, match="there is no such"):
            themed(templates(), parse(f"[theme]\n{line}", path="site.toml").theme, folder)
    (folder / "out.svg").symlink_to("/etc/hostname")
    with pytest.raises(SitegenError, match="is a symbolic link"):
        themed(templates(), parse('[theme]\nlogo = "out.svg"', path="site.toml").theme, folder)
    (folder / "way").symlink_to("/etc")
    with pytest.raises(SitegenError, match="there is no such file"):
        themed(templates(), parse('[theme]\nlogo = "way/out.svg"', path="site.toml").theme, folder)
    (folder / "own" / "heads.html").write_text("")
    with pytest.raises(SitegenError, match=r"own/heads.html: is not placed on pages; only head"):
        themed(templates(), parse('[theme]\nhtml = "own"', path="site.toml").theme, folder)


def test_html_of_a_theme_is_on_every_page_as_it_is(folder: Path) -> None:
    """HTML is added to the head, and above and below the page. It is no template: only the root is
    filled in."""
    texts = themed(templates(), parse(THEME, path="site.toml").theme, folder)
    renderer = Renderer(texts, glossary({"1.0": {"jig": "Holds a part."}}))
    for address, root in (("", "./"), ("pages/us/", "../../")):
        page = renderer.render(
            Page(address=address, template="layout.html", title="")
        ).content.decode()
        head, _, body = page.partition("<body>")
        assert '<meta name="author" content="{{ us }}">' in head
        assert f'</footer><p><a href="{root}about/">Us</a></p>' in body


@pytest.mark.parametrize("with_index", [True, False])
def test_pages_lead_on_and_are_found(command: Command, tmp_path: Path, with_index: bool) -> None:
    """Pages with an index lead from one to the next. The search finds each page by its title."""
    pages = {"a.md": "# Second\n", "b.md": "# First\n"}
    if with_index:
        pages["index.md"] = "# Start\n\n[First](b.md), [then](a.md)\n"
    glossary_files = {
        "site.toml": '[theme]\npages = "pages"\n',
        "1.0/GLOSSARY.md": "# Glossary\n\n## Leaf\n\nA leaf.\n",
    }
    write(tmp_path / "g", glossary_files)
    write(tmp_path / "g/pages", pages)
    assert command("build", "g", "-o", "out").status == 0
    first = lxml.html.parse("out/pages/b/index.html")
    links = first.xpath("//nav[@class='neighbors']/a")
    found = {link.get("rel"): (link.get("href"), link.text_content()) for link in links}
    expected = {
        "prev": ("../../pages/index.html", "Previous: Start"),
        "next": ("../../pages/a/index.html", "Next: Second"),
    }
    assert found == (expected if with_index else {})
    names = Path("out/search/names.js").read_text()
    label = "Start · First" if with_index else "First"
    assert f'["First","pages/b/index.html","{label}",[]]' in names


def test_any_language_tag_is_a_language() -> None:
    """The language may be one without an interface; what is no tag is refused."""
    for tag in ("de-AT", "eo", "sv"):
        site = parse(f'[site]\nlanguage = "{tag}"', path="site.toml").site
        assert site.language == tag
    with pytest.raises(ConfigError, match="'english' is no language tag; use one such as 'en'"):
        parse('[site]\nlanguage = "english"', path="site.toml")


def test_files_are_published_as_they_are(command: Command, tmp_path: Path) -> None:
    """Files of the folder that `files` names are in the site; a page of ours, or a link, is an
    error."""
    write(
        tmp_path / "g",
        {
            "site.toml": '[theme]\nfiles = "more"\n',
            "1.0/GLOSSARY.md": "# Glossary\n\n## Leaf\n\nA leaf.\n",
        },
    )
    write(
        tmp_path / "g/more",
        {"CNAME": "words.example.org\n", ".well-known/security.txt": "Contact: us\n"},
    )
    for _ in range(2):
        assert command("build", "g", "-o", "out").status == 0
        assert Path("out/CNAME").read_text() == "words.example.org\n"
        assert Path("out/.well-known/security.txt").read_text() == "Contact: us\n"
    write(tmp_path / "g/more", {"CNAME": "new.example.org\n"})
    assert command("build", "g", "-o", "out").status == 0
    assert Path("out/CNAME").read_text() == "new.example.org\n"
    write(tmp_path / "g/more", {"index.html": "mine"})
    assert "'index.html'" in command("build", "g", "-o", "out").err
    Path("g/more/index.html").unlink()
    write(tmp_path / "g/more", {'"quoted".txt': "mine"})
    assert "every disk can hold; use short names" in command("build", "g", "-o", "out").err
    Path('g/more/"quoted".txt').unlink()
    Path("g/more/link").symlink_to("/etc")
    assert "more/link: is a symbolic link" in command("build", "g", "-o", "out").err
