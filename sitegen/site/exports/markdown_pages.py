"""Writes Markdown (CommonMark): the version of each term's page, and llms.txt, which lists them for language models.

The HTML of definitions comes from the sanitizer (`prose`), so only the elements that the sanitizer allows are
converted. Characters that Markdown would read as markup are escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter

from lxml import etree

from sitegen.addresses import urls
from sitegen.model import File, Prose
from sitegen.model.terms import Life
from sitegen.site.definitions import ABSOLUTE, Resolve, link_addresses
from sitegen.site.exports.texts import Labels, fit, one_line
from sitegen.site.messages import plain
from sitegen.site.site import Site
from sitegen.text.markdown_escaping import escape_line_starts, escaped, fenced, inline
from sitegen.text.prose import BLOCKS, first_sentence, reference_target

MANY = 2_000
"""A glossary with more terms is listed without first sentences, because a model reads the whole list at once."""
ROOT = urls.root(urls.term("any"))

_LONE_BAR = re.compile(r"(?<!\\)\|")
_NO_ADDRESS = re.compile(r"[\s()<>\\\x00-\x1f]")
_PARSER = etree.HTMLParser()
_MARKS = {"strong": "**", "b": "**", "em": "*", "i": "*"}


def llms(site: Site, labels: Labels) -> Iterator[File]:
    """Yields llms.txt (llmstxt.org), a list of links to the Markdown files of all terms.

    Removed terms and data are under the heading “Optional”, which the format requires in English.
    """
    about = plain(labels.words.say("a-z.description", len(site.lives), site=site.title))
    data = f"- {link(labels.messages['data'], site.base_url + urls.DATA)}"
    parts = (
        f"# {_escaped_line(site.title)}",
        f"> {_escaped_line(about)}",
        _escaped_line(site.note),
        f"## {labels.messages['about.terms']}",
        "\n".join(_list_item(life, site) for life in site.lives if life.is_defined),
        "## Optional",
        "\n".join((data, *(_list_item(life, site) for life in site.lives if not life.is_defined))),
    )
    yield File(path=urls.LLMS, content=_document(parts))


def _list_item(life: Life, site: Site) -> str:
    linked = link(one_line(life.name), site.base_url + urls.term_markdown(site.slugs[life.key]))
    sentence = first_sentence(life.entry.definition.text) if len(site.lives) <= MANY else ""
    return f"- {linked}: {_escaped_line(sentence)}" if sentence else f"- {linked}"


def of_term(life: Life, site: Site, labels: Labels, *, standing: str) -> bytes:
    """Returns a term as Markdown: definition, facts and history in a few lines.

    `standing` is the status sentence under its name.
    """
    shown = site.defining_term(life.key).entry
    addresses = link_addresses(site, shown, root=ROOT, term=lambda key: _relative_address(key, site))
    parts = (
        f"# {_escaped_line(life.name)}",
        _escaped_line(standing),
        markdown(shown.definition, *addresses),
        "\n".join(_facts(life, site, labels)),
        f"## {labels.messages['history']}" if life.changes else "",
        "\n".join(reversed([*_history(life, site, labels)])),
    )
    return _document(parts)


def _facts(life: Life, site: Site, labels: Labels) -> Iterator[str]:
    admitted, avoided = (
        [_escaped_line(name.text) for name in life.names[1:] if (name.status == "deprecated") is deprecated]
        for deprecated in (False, True)
    )
    others = dict.fromkeys((life.synonym_of, life.replaced_by, *site.see_also[life.key]))
    shown = site.defining_term(life.key).entry.citation
    facts: dict[str, Iterable[str]] = {
        "about.address": [site.base_url + urls.term(site.slugs[life.key])] if site.base_url else [],
        "names.also-called": admitted,
        "names.avoid": avoided,
        "names.formerly": [_escaped_line(name) for name, _ in life.former_names],
        "names.see-also": [link(one_line(site.names[key]), _relative_address(key, site)) for key in others if key],
        "table.source": [_escaped_line(labels.releases[shown.source, shown.release])],
    }
    for label, values in facts.items():
        if listed := str.join(labels.words.say("comma"), values):
            yield f"- {labels.messages[label]}: {listed}"


def _history(life: Life, site: Site, labels: Labels) -> Iterator[str]:
    for (source, release), together in groupby(life.changes, key=attrgetter("source", "release")):
        name = one_line(labels.releases[source, release])
        wording = site.wordings.get((life.key, source, release))
        linked = link(name, urls.link(wording, ROOT)) if wording else escaped(name)
        yield f"- {linked}: {labels.kinds(change.kind for change in together)}"


def _relative_address(key: str, site: Site) -> str:
    """Returns the relative address from one Markdown file to another."""
    return f"../{site.slugs[key]}/index.md"


def _escaped_line(text: str) -> str:
    return escaped(one_line(text))


def _document(parts: Iterable[str]) -> bytes:
    return fit("\n\n".join(filter(None, parts)) + "\n").encode()


def markdown(prose: Prose, resolve: Resolve, file_address: Resolve) -> str:
    """Returns a definition as Markdown, with its references to terms as links; as `definition_html` does."""
    document = etree.fromstring(f"<div>{prose.html}</div>", _PARSER)
    return "\n\n".join(_MarkdownConverter(resolve, file_address).blocks(document[0][0]))


def link(text: str, address: str) -> str:
    """Returns a Markdown link."""
    return _marked_link(inline(text), address)


def _marked_link(markdown: str, address: str) -> str:
    address = _NO_ADDRESS.sub(lambda match: f"%{ord(match[0]):02X}", address)
    return f"[{markdown}]({address})"


class _MarkdownConverter:
    def __init__(self, resolve: Resolve, file_address: Resolve) -> None:
        self.resolve = resolve
        self.file_address = file_address

    def blocks(self, element: etree._Element) -> list[str]:
        """Returns the blocks in an element. Text between blocks becomes a paragraph."""
        blocks: list[str] = []
        running = inline(element.text or "")
        for child in element:
            if child.tag in BLOCKS:
                blocks += [escape_line_starts(running.strip()), *self._block(child)]
                running = ""
            else:
                running += self._inline(child)
            running += inline(child.tail or "")
        return [block for block in (*blocks, escape_line_starts(running.strip())) if block]

    def _block(self, element: etree._Element) -> Iterable[str]:
        match element.tag:
            case "pre":
                code = element.find("code")
                language = "" if code is None else (code.get("class") or "").removeprefix("language-")
                return [fenced("".join(map(str, element.itertext())), language)]
            case "ul" | "ol":
                items = enumerate(element, start=int(element.get("start") or 1))
                items_with_marks = ((f"{number}. " if element.tag == "ol" else "- ", item) for number, item in items)
                return ["\n".join(self._prefixed(mark, " " * len(mark), item) for mark, item in items_with_marks)]
            case "table":
                rows = [[_LONE_BAR.sub(r"\|", self._cell_text(cell)) for cell in row] for row in element.iter("tr")]
                lines = [f"| {' | '.join(cells)} |" for cells in rows]
                return ["\n".join((*lines[:1], f"|{' --- |' * len(rows[0])}", *lines[1:]))] if rows else []
            case "blockquote":
                return [self._prefixed("> ", "> ", element)]
            case "div" if element.get("class") == "note":
                return [self._prefixed("> ", "> ", element)]
            case "hr":
                return ["* * *"]
            case "dt" | "h3" | "h4" | "h5" | "h6":
                return [f"**{title}**"] if (title := self._cell_text(element)) else []
            case "p" if element.get("class") == "note-title":
                return [f"**{self._cell_text(element)}**"]
            case _:
                return self.blocks(element)

    def _prefixed(self, first: str, others: str, element: etree._Element) -> str:
        """Returns the blocks in an element, with a prefix of the first line and one of the others."""
        text = "\n\n".join(self.blocks(element))
        return re.sub(" +$", "", first + text.replace("\n", f"\n{others}"), flags=re.M)

    def _cell_text(self, element: etree._Element) -> str:
        return " ".join(" ".join(self.blocks(element)).replace("\\\n", " ").split())

    def _inline(self, element: etree._Element) -> str:
        if element.tag in ("code", "kbd", "samp"):
            return _code("".join(map(str, element.itertext())))
        if element.tag == "br":
            return "\\\n"
        content = inline(element.text or "")
        content += "".join(self._inline(child) + inline(child.tail or "") for child in element)
        if element.tag == "a":
            return self._linked(content, element.get("href") or "")
        words = content.strip()
        if not words:
            return content
        # CommonMark reads an emphasis mark only directly next to a word.
        mark = _MARKS.get(element.tag, "") if words[0].isalnum() and words[-1].isalnum() else ""
        return content.replace(words, mark + words + mark, 1)

    def _linked(self, content: str, href: str) -> str:
        """Returns the Markdown inside a link as a link; as it is if the link has no address."""
        words = content.strip()
        if href.startswith("term:"):
            address = self.resolve(reference_target(href))
        else:
            address = href if ABSOLUTE.match(href) else self.file_address(href) if href else None
        if not words or not address:
            return content
        mark = "!" if href.startswith("image/") else ""
        return content.replace(words, mark + _marked_link(words, address), 1)


def _code(text: str) -> str:
    ticks = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}" if text.strip() else text
