"""Published styles and scripts: what is joined, what is left out, and how much a reader loads."""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from glossaries import source
from sites import glossary, site_of, templates

from sitegen.addresses import urls
from sitegen.site.rendering import Renderer
from sitegen.site.templates import asset_files

MOST = {urls.STYLE: 8_000, urls.SCRIPT: 5_000, urls.SEARCH_SCRIPT: 6_000}
"""The maximum size of each when it is sent, in bytes."""


def published() -> dict[str, str]:
    return {file.path: file.content.decode() for file in asset_files(templates())}


def test_what_others_build_on_comes_first() -> None:
    """The order of layers is declared before any layer, and shared functions come before other
    scripts."""
    files = published()
    assert files[urls.STYLE].index("@layer tokens,base") < files[urls.STYLE].index(
        "@layer components{"
    )
    assert files[urls.SCRIPT].index("self.glossaryPage =") < files[urls.SCRIPT].index(
        "= glossaryPage;"
    )


def test_everything_is_published_once() -> None:
    """Each style and script is in a joined file or a file of its own."""
    paths = [
        path
        for path in templates()
        if path.startswith("assets/") and path.endswith((".css", ".js"))
    ]
    result = {
        path: f"/* {path} */\n" if path.endswith(".css") else f"// {path}\n" for path in paths
    }
    files = asset_files(
        {path: f"{comment}.x {{ content: '{path}' }}\n" for path, comment in result.items()}
    )
    together = b"".join(file.content for file in files).decode()
    assert [path for path in paths if together.count(path) != 1] == []


def test_every_class_has_a_rule() -> None:
    """Each class of an element in a template is used by a style or a script."""
    used: set[str] = set()
    rules = ""
    for path, text in templates().items():
        if path.endswith((".css", ".js")):
            rules += text
        elif path.endswith(".html"):
            # The beginning of a class whose end is a value stays.
            html = re.sub(r"{%.*?%}|{{.*?}}|{#.*?#}", "", text, flags=re.S)
            for classes in re.findall(r'class="([^"]*)"', html):
                used.update(classes.split())
    assert [name for name in sorted(used) if f".{name}" not in rules] == []


@pytest.mark.parametrize("path", MOST)
def test_a_reader_loads_little(path: str) -> None:
    """The styles, the scripts of every page, and the first scripts of a search are small when
    compressed."""
    assert len(gzip.compress(published()[path].encode(), 9)) <= MOST[path]


def test_scripts_are_whole_without_their_comments(tmp_path: Path) -> None:
    """No line of a published script is a comment, and each script is valid."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed, which reads the browser's scripts here")
    for path, text in published().items():
        if not path.endswith(".js"):
            continue
        assert [line for line in text.splitlines() if line.lstrip().startswith("//")] == []
        script = tmp_path / Path(path).name
        script.write_text(text)
        subprocess.run(["node", "--check", script], check=True)


def test_styles_have_no_signs_that_they_do_not_need() -> None:
    """Comments, space around signs, and `&` before a descendant are left out."""
    path = "assets/css/tokens.css"
    text = ".a {\n  /* Red. */\n  & .b,\n  & > a {\n    & em { color: red; }\n\n    &:hover { top: 0; }\n  }\n}\n"
    written = {
        file.path: file.content.decode() for file in asset_files({**templates(), path: text})
    }
    assert written[urls.STYLE].startswith(".a{.b,&>a{em{color:red}&:hover{top:0}}}@layer")


def test_nothing_of_a_glossary_is_in_the_panels() -> None:
    """The elements that scripts add to a page are the same for every glossary."""
    attack = "<img src=x onerror=alert(1)>"
    plain = glossary({"1": {"tape": "Slow."}})
    hostile = site_of(
        source(attack, {attack: {attack: attack}}),
        title=attack,
        base_url=f"https://example.org/{attack}",
    )
    assert Renderer(templates(), plain).panels() == Renderer(templates(), hostile).panels()
