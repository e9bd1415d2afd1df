"""Writes Markdown (CommonMark): the version of each term's page, and llms.txt, which lists them for
language models.

Definitions are written as plain text, with code and references to terms. Characters that Markdown
would read as markup are escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter, itemgetter

from sitegen.addresses import urls
from sitegen.model import File, Prose
from sitegen.model.terms import Life
from sitegen.site.definitions import Resolve, link_addresses
from sitegen.site.exports.texts import fit, one_line
from sitegen.site.messages import plain
from sitegen.site.pages import letters
from sitegen.site.site import Site
from sitegen.text.markdown_escaping import code, escaped, fenced, inline
from sitegen.text.names import fold, plural, spelled_out
from sitegen.text.prose import with_titles
from sitegen.text.summary import summary

MANY = 2_000
"""A glossary with more terms is listed without summaries, because a model reads the whole
list at once."""
ROOT = urls.root(urls.term("any"))

_NO_ADDRESS = re.compile(r"[\s()<>\\\x00-\x1f]")
_NO_LABEL = re.compile(r"[\[\]\\<>*_`]")
_LINE_END = re.compile(r"(?<!\n)\n(?!\n)")


def llms(site: Site) -> Iterator[File]:
    """Yields llms.txt (llmstxt.org), a list of links to the Markdown files of all terms.

    Removed terms and data are under the heading “Optional”, which the format requires in English.
    """
    about = plain(site.words.say("a-z.description", len(site.lives), site=site.title))
    data = f"- {link(site.words.plain_text('data'), site.base_url + urls.DATA)}"
    parts = (
        f"# {_escaped_line(site.title)}",
        f"> {_escaped_line(about)}",
        _escaped_line(site.note),
        f"## {site.words.plain_text('about.terms')}",
        "\n".join(_list_item(life, site) for life in letters.listed(site.defined, site.language)),
        "## Optional",
        "\n".join((data, *(_list_item(life, site) for life in site.lives if not life.is_defined))),
    )
    yield File(path=urls.LLMS, content=_document(parts))


def snippets(site: Site) -> Iterator[File]:
    """Yields what site.toml asks for: abbreviations.md for the extension `abbr`, links.md with a
    reference for each name. Both have plurals, acronyms and former names; an abbreviation of
    another name tells the preferred one.
    """
    if not site.exports:
        return
    labels: dict[str, tuple[str, Life]] = {}
    named = [(name.text, life) for life in site.defined for name in life.names]
    named += [(name, life) for life in site.defined for name, _ in life.former_names]
    named += [(form, life) for name, life in named for form in spelled_out(name)]
    for name, life in named:
        for form in {name, name[:1].upper() + name[1:]} if not _NO_LABEL.search(name) else ():
            for label in filter(None, (form, plural(form, site.language))):
                labels.setdefault(one_line(label), (name, life))
    abbreviations: list[str] = []
    links: dict[str, str] = {}
    for label, (name, term) in sorted(labels.items(), key=itemgetter(0)):
        sentence = summary(site.defining_term(term.key).entry.definition)
        told = "" if fold(name) == fold(term.name) else f"{term.name}: "
        abbreviations.append(f"*[{label}]: {one_line(told + sentence)}\n")
        links[fold(label)] = f"[{label}]: <{site.base_url}{urls.term(site.slugs[term.key])}>\n"
    if "abbreviations" in site.exports:
        yield File(path=urls.ABBREVIATIONS, content="".join(abbreviations).encode(errors="replace"))
    if "links" in site.exports:
        yield File(path=urls.LINKS, content="".join(links.values()).encode(errors="replace"))


def _list_item(life: Life, site: Site) -> str:
    linked = link(one_line(life.name), site.base_url + urls.term_markdown(site.slugs[life.key]))
    sentence = summary(life.entry.definition) if len(site.lives) <= MANY else ""
    return f"- {linked}: {_escaped_line(sentence)}" if sentence else f"- {linked}"


def of_term(life: Life, site: Site, *, standing: str) -> bytes:
    """Returns a term as Markdown: definition, facts and history in a few lines.

    `standing` is the status sentence under its name.
    """
    shown = site.defining_term(life.key).entry
    resolve, _ = link_addresses(
        site, shown, root=ROOT, term=lambda key: _relative_address(key, site)
    )
    parts = (
        f"# {_escaped_line(life.name)}",
        _escaped_line(standing),
        markdown(with_titles(shown.definition), resolve),
        "\n".join(_facts(life, site)),
        f"## {site.words.plain_text('history')}" if life.changes else "",
        "\n".join(reversed([*_history(life, site)])),
    )
    return _document(parts)


def _facts(life: Life, site: Site) -> Iterator[str]:
    admitted = [_escaped_line(name.text) for name in life.names[1:] if name.status != "deprecated"]
    avoided = [_escaped_line(name.text) for name in life.names[1:] if name.status == "deprecated"]
    others = dict.fromkeys((life.synonym_of, life.replaced_by, *site.see_also[life.key]))
    shown = site.defining_term(life.key).entry.place
    facts: dict[str, Iterable[str]] = {
        "about.address": [site.base_url + urls.term(site.slugs[life.key])] if site.base_url else [],
        "names.also-called": admitted,
        "names.avoid": avoided,
        "names.formerly": [_escaped_line(name) for name, _ in life.former_names],
        "names.see-also": [
            link(one_line(site.names[key]), _relative_address(key, site)) for key in others if key
        ],
        "table.source": [_escaped_line(site.release_titles[shown.source, shown.release])],
    }
    for label, values in facts.items():
        if listed := str.join(site.words.say("comma"), values):
            yield f"- {site.words.plain_text(label)}: {listed}"


def _history(life: Life, site: Site) -> Iterator[str]:
    for (source, release), together in groupby(life.changes, key=attrgetter("source", "release")):
        name = one_line(site.release_titles[source, release])
        wording = site.wordings.get((life.key, source, release))
        linked = link(name, urls.link(wording, ROOT)) if wording else escaped(name)
        yield f"- {linked}: {plain(site.words.kinds(change.kind for change in together))}"


def _relative_address(key: str, site: Site) -> str:
    """Returns the relative address from one Markdown file to another."""
    return f"../{site.slugs[key]}/index.md"


def _escaped_line(text: str) -> str:
    return escaped(one_line(text))


def _document(parts: Iterable[str]) -> bytes:
    return fit("\n\n".join(filter(None, parts)) + "\n").encode()


def markdown(prose: Prose, resolve: Resolve) -> str:
    """Returns a definition as Markdown: its plain text, with code as code and references to terms
    as links."""
    text, parts, end = prose.text, [], 0
    for start, past, target in sorted(_marked_ranges(prose)):
        if start < end:
            continue  # a reference in code
        parts.append(_lines(text[end:start]))
        written, end = text[start:past], past
        if target:
            address = resolve(target)
            parts.append(link(written, address) if address else inline(written))
        elif "\n" in written or (
            text[:start][-2:] in ("", "\n\n") and text[past : past + 2] in ("", "\n\n")
        ):
            parts += ["\n\n", fenced(written), "\n\n"]
        else:
            parts.append(code(written))
    return "".join((*parts, _lines(text[end:]))).strip()


def _marked_ranges(prose: Prose) -> Iterator[tuple[int, int, str]]:
    """Yields the ranges of code, and of references with their targets."""
    yield from ((start, past, "") for start, past in prose.code)
    end = 0
    for reference in prose.references:
        start = prose.text.find(reference.text, end)
        if start >= 0 and reference.text:
            end = start + len(reference.text)
            yield start, end, reference.target


def _lines(text: str) -> str:
    """Returns plain text as Markdown in which the lines of a block stay lines."""
    return _LINE_END.sub("\\\\\n", escaped(text))


def link(text: str, address: str) -> str:
    """Returns a Markdown link."""
    return f"[{inline(text)}]({_NO_ADDRESS.sub(lambda match: f'%{ord(match[0]):02X}', address)})"
