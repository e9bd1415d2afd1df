"""Markdown versions of pages and llms.txt, checked by a Markdown parser."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from glossaries import from_text
from hostile_sites import HOSTILE, hostile
from markdown_it import MarkdownIt
from sites import export_files, glossary, read_site

from sitegen.model import Prose
from sitegen.site.exports.markdown_pages import link, markdown
from sitegen.site.site import Site
from sitegen.text import words
from sitegen.text.markdown_escaping import escaped
from sitegen.text.prose import from_html

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
NOTE_TITLE = re.compile('<p class="note-title">.*?</p>')


def made(site: Site) -> Mapping[str, str]:
    return {
        file.path: file.content.decode()
        for file in export_files(site)
        if file.path.endswith((".md", ".txt"))
    }


def written(html: str) -> str:
    return markdown(from_html(html), lambda target: f"../{target}/index.md")


def read_back(definition: Prose) -> str:
    """Returns a definition written as Markdown and parsed again."""
    return from_html(READER.render(markdown(definition, lambda target: "x"))).text


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>One <em>two</em> <strong>three</strong>.</p>", "One two three."),
        ("<p>a</p><p>b<br>c</p>", "a\n\nb\\\nc"),
        ("<p>See <a href='term:leaf'>the leaf</a>.</p>", "See [the leaf](../leaf/index.md)."),
        ("<p><a href='https://x.org/a_(b)'>x</a></p>", "x"),
        ("<p><a href='../docs.html'>docs</a></p>", "docs"),
        (
            "<p><code>leaf</code>, a leaf: a <a href='term:leaf'>leaf</a>.</p>",
            "`leaf`, a leaf: a [leaf](../leaf/index.md).",
        ),
        ("<p>Run <code>a `b`</code></p>", "Run `` a `b` ``"),
        ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "a\n\nb\\\nc"),
        ("<ol start='3'><li>a</li><li><p>b</p><p>c</p></li></ol>", "a\n\nb\n\nc"),
        (
            "<pre><code class='language-python'>if x:\n    ```</code></pre>",
            "````\nif x:\n    ```\n````",
        ),
        (
            "<p><code>x</code></p><p>a</p><pre>b\n\n\nc</pre><pre>d</pre><p>e</p>",
            "```\nx\n```\n\na\n\n```\nb\n\n\nc\n```\n\n```\nd\n```\n\ne",
        ),
        (
            "<p>an <code>x</code></p><p>a</p><pre>b</pre>",
            "an `x`\n\na\n\n```\nb\n```",
        ),
        ("<blockquote><p>a</p><p>b</p></blockquote>", "a\n\nb"),
        ("<div class='note'><p class='note-title'>Note</p><p>a</p></div>", "a"),
        ("<dl><dt>a</dt><dd>b</dd></dl>", "a\\\nb"),
        ("<p>a</p><hr><p>b<em> </em>c</p>", "a\n\nb c"),
        (
            "<table><tr><th>a</th><th>b</th></tr><tr><td>1|2</td><td>3</td></tr></table>",
            "a\tb\\\n1\\|2\t3",
        ),
        (
            "<p># no</p><p>- no</p><p>1. no</p><p>* no _a_ snake_case</p>",
            "\\# no\n\n\\- no\n\n1\\. no\n\n\\* no \\_a\\_ snake_case",
        ),
        ("<p>&lt;b&gt; &amp;amp; [x](y)</p>", "\\<b> \\&amp; \\[x\\](y)"),
        ("", ""),
    ],
)
def test_each_element_in_markdown(html: str, expected: str) -> None:
    """Each allowed element has its CommonMark form, and text that looks like markup is escaped."""
    assert written(html) == expected


def test_real_definitions_keep_their_words(shared: Any) -> None:
    """Every wording of real glossaries keeps its words in Markdown."""
    folders = [
        shared / "seeds",
        *(shared / "corpora" / name for name in ("sphinx", "pyramid", "redux", "cncf")),
    ]
    definitions = [
        from_html(NOTE_TITLE.sub("", revision.entry.definition.html))
        for folder in folders
        for life in read_site(folder).lives
        for revision in life.revisions
    ]
    assert len(definitions) > 300
    assert [
        one.html
        for one in definitions
        if words.folded_words(read_back(one)) != words.folded_words(one.text)
    ] == []


@pytest.mark.parametrize(
    "text",
    [
        *HOSTILE,
        "![x](javascript:alert(1)) <script>alert(1)</script> <!-- -->",
        "# a\n- b\n+ c\n* d\n> e\n===\n---\n~~~\n```\n1) f\n    g",
        "a  \nb\\\nc &copy; &#65; ~~d~~ __e__ ***f*** | g | h",
    ],
)
def test_hostile_text_stays_text(text: str) -> None:
    """No text becomes markup, and no character is lost."""
    definition = from_text(text)
    assert words.folded_words(read_back(definition)) == words.folded_words(definition.text)
    html = READER.render(escaped(definition.text))
    assert set(re.findall(r"<(\w+)", html)) <= {"p", "br"}


def test_a_link_ends_where_it_should() -> None:
    """Neither a name nor an address can end a link early."""
    html = READER.render(link("a](b) [c", "https://x.org/a) b<c>\n"))
    assert html == '<p><a href="https://x.org/a%29%20b%3Cc%3E%0A">a](b) [c</a></p>\n'


RELEASES = {
    "1.0": {"state image": "A pointer to a volume.", "ball": "Round.", "tape": "Slow and cheap."},
    "2.0": {
        "snapshot; capture": "<p>A pointer, <em>named</em>, to a <a href='term:ball'>ball</a>.</p>",
        "ball": "Round.",
        "sphere": "Same as ball.",
    },
}


@pytest.fixture(scope="module")
def site() -> Site:
    return glossary(RELEASES, base_url="https://example.org/words/", note="From *memory*.")


def test_a_twin_says_what_the_page_says(site: Site) -> None:
    """The Markdown version has status, definition, names and history."""
    assert made(site)["term/ball/index.md"] == (
        "# ball\n\n"
        "Never reworded · in the glossary since 1.0 or earlier\n\n"
        "Round.\n\n"
        "- Published at: https://example.org/words/term/ball/\n"
        "- Source: Example 2.0\n\n"
        "## History\n\n"
        "- [Example 1.0](../../term/ball/1.0/index.html): Oldest known wording\n"
    )


def test_a_synonyms_twin_has_the_others_definition(site: Site) -> None:
    """The Markdown version of a synonym has the other term's definition, as its page does."""
    twin = made(site)["term/sphere/index.md"]
    assert "Same as ball\n\nRound.\n" in twin
    assert "- Mentions: [ball](../ball/index.md)" in twin


def test_llms_txt_lists_every_twin(site: Site) -> None:
    """Terms have their first sentence and are counted; removed terms and other optional files come last."""
    text = made(site)["llms.txt"]
    assert text.startswith(
        "# Example glossary\n\n> All 3 terms of Example glossary, A to Z.\n\nFrom \\*memory\\*.\n"
        "\n## Terms\n"
    )
    terms, _, optional = text.partition("\n## Optional\n")
    assert "- [ball](https://example.org/words/term/ball/index.md): Round." in terms
    assert "tape" not in terms
    assert "- [tape](https://example.org/words/term/tape/index.md): Slow and cheap." in optional
    twins_of = {path for path in made(site) if path.endswith(".md")}
    assert {
        f"term/{slug}/index.md" for slug in re.findall(r"/term/([^/]+)/index\.md\)", text)
    } == twins_of


def test_without_a_base_url_the_list_has_relative_addresses() -> None:
    """Without a base_url, links of llms.txt are relative to it."""
    assert "- [ball](term/ball/index.md): Round.\n" in made(glossary(RELEASES))["llms.txt"]


def test_twins_of_a_hostile_glossary() -> None:
    """In Markdown versions and the list, hostile names and sentences are text."""
    for text in made(hostile()).values():
        tags = set(re.findall(r"<(\w+)", READER.render(text)))
        assert tags <= {"h1", "h2", "p", "br", "a", "ul", "li", "blockquote", "em", "strong"}


BALLS = {"ball": "Round.", "sphere": "Same as ball.", "Time To Live (TTL)": "A span."}


def test_snippets_for_other_documents() -> None:
    """Where site.toml asks for them, names, plurals, acronyms and former names are abbreviations
    and references."""
    text = "A fixed pointer to the state of a volume."
    renamed = {"1.0": {"state image": text}, "2.0": {"snapshot; capture": text, **BALLS}}
    files = made(
        glossary(renamed, base_url="https://example.org/words/", exports=("abbreviations", "links"))
    )
    abbreviations, links = (files[name].splitlines() for name in ("abbreviations.md", "links.md"))
    assert [line for line in abbreviations if "]: " not in line] == []
    assert f"*[snapshots]: {text}" in abbreviations
    assert f"*[Capture]: snapshot: {text}" in abbreviations
    assert f"*[state image]: snapshot: {text}" in abbreviations
    assert "*[sphere]: Round." in abbreviations
    assert {"*[TTL]: Time To Live (TTL): A span.", "*[TTLs]: Time To Live (TTL): A span."} <= {
        *abbreviations
    }
    assert "*[Time To Live]: Time To Live (TTL): A span." in abbreviations
    assert "[state images]: <https://example.org/words/term/snapshot/>" in links
    html = READER.render("\n".join(["[Balls] and [a name][capture]", "", *links]))
    assert html.count('href="https://example.org/words/term/') == 2
    plain = made(glossary(RELEASES))
    assert plain.keys().isdisjoint({"abbreviations.md", "links.md"})


def test_a_link_of_a_name_leads_to_the_term_that_prefers_it() -> None:
    """Markdown ignores case in references, so `go` in links.md is not another name beside `Go`."""
    facts = {"base_url": "https://example.org/", "exports": ("links",)}
    links = made(glossary({"1.0": {"Go": "A game.", "Pass; go": "A move."}}, **facts))["links.md"]
    html = READER.render(f"[Go], [go] and [Pass]\n\n{links}")
    assert re.findall("term/([a-z]+)/", html) == ["go", "go", "pass"]


MKDOCS = """
site_name: Words
docs_dir: docs
site_dir: {output}
theme: {{ name: material }}
markdown_extensions:
  - abbr
  - pymdownx.snippets: {{ base_path: [includes], auto_append: [abbreviations.md, links.md] }}
"""


@pytest.mark.parametrize("program", ["mkdocs", "zensical"])
def test_snippets_in_material_and_zensical(tmp_path: Path, program: str) -> None:
    """Material for MkDocs and Zensical mark the terms of abbreviations.md, and link by the
    references of links.md."""
    found = shutil.which(program, path=os.environ.get("SITEGEN_MKDOCS_PROGRAMS", ""))
    if found is None:
        pytest.skip(
            f"{program} is not installed; SITEGEN_MKDOCS_PROGRAMS names the folder of its program"
        )
    site = glossary(
        {"1.0": BALLS}, base_url="https://example.org/words/", exports=("abbreviations", "links")
    )
    for name in ("abbreviations.md", "links.md"):
        (tmp_path / "includes").mkdir(exist_ok=True)
        (tmp_path / "includes" / name).write_text(made(site)[name])
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text(
        "# Home\n\nA ball, two balls, [a round thing][spheres].\n"
    )
    (tmp_path / "mkdocs.yml").write_text(MKDOCS.format(output="out"))
    subprocess.run([found, "build"], cwd=tmp_path, check=True, capture_output=True)
    page = (tmp_path / "out/index.html").read_text()
    assert '<abbr title="Round.">ball</abbr>, two <abbr title="Round.">balls</abbr>' in page
    assert '<a href="https://example.org/words/term/sphere/">a round thing</a>' in page
