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
from sitegen.site import letters
from sitegen.site.definitions import Resolve, link_addresses
from sitegen.site.exports.escaping import fit_for_xml, one_line
from sitegen.site.messages import plain
from sitegen.site.pages.term_names import renames_from
from sitegen.site.site import Site
from sitegen.text.markdown_escaping import code, escaped, fenced, inline, is_block
from sitegen.text.names import avoided, fold, plural, spelled_out, usable
from sitegen.text.prose import with_titles
from sitegen.text.summary import summary

ROOT = urls.root(urls.term("any"))
"""The path from the file of a term to the root of the site."""

_NOT_IN_ADDRESS = re.compile(r"[\s()<>\\\x00-\x1f]")
_NOT_IN_LABEL = re.compile(r"[\[\]\\<>*_`]")
_LINE_END = re.compile(r"(?<!\n)\n(?!\n)")
"""Matches the end of a line within a block; an empty line ends a block."""


def llms(site: Site) -> Iterator[File]:
    """Yields llms.txt (llmstxt.org), a list of links to the Markdown files of all terms.

    Removed terms and data are under the heading “Optional”, which the format requires in English.
    """
    about = plain(site.words.say("a-z.description", len(site.defined), site=site.title))
    link_to_data = link(plain(site.words.say("data")), site.base_url + urls.DATA)
    removed_terms = [life for life in site.lives if not life.is_defined]
    parts = (
        f"# {_escaped_line(site.title)}",
        f"> {_escaped_line(about)}",
        _escaped_line(site.settings.note),
        f"## {plain(site.words.say('about.terms'))}",
        _list_of_links(letters.listed(site.defined, site.language), site),
        "## Optional",
        f"- {link_to_data}\n{_list_of_links(removed_terms, site)}".strip(),
    )
    yield File(path=urls.LLMS, content=_document(parts))


def snippets(site: Site) -> Iterator[File]:
    """Yields the files that other Markdown documents can include, if site.toml asks for them.

    abbreviations.md is for the extension `abbr` and has the meaning of each name; links.md has a
    link for each name. Both have plurals, acronyms and former names.
    """
    if not site.settings.exports:
        return

    # A label that several names share belongs to the first of them.
    labels: dict[str, tuple[str, Life]] = {}
    for name, life in _all_names(site):
        for label in _forms(name, site.language):
            labels.setdefault(label, (name, life))

    # Markdown ignores case: of `Data loader` and `data loader`, the first one has the link.
    links: dict[str, str] = {}
    for label, (_, life) in labels.items():
        line = f"[{label}]: <{site.base_url}{site.address(life.key)}>\n"
        links.setdefault(fold(label), line)

    abbreviations: list[str] = []
    for label, (name, life) in sorted(labels.items(), key=itemgetter(0)):
        meaning = summary(site.defining_term(life.key).entry.definition)
        is_preferred_name = fold(name) == fold(life.name)
        if not is_preferred_name:
            meaning = f"{life.name}: {meaning}"
        abbreviations.append(f"*[{label}]: {one_line(meaning)}\n")

    if "abbreviations" in site.settings.exports:
        yield File(path=urls.ABBREVIATIONS, content="".join(abbreviations).encode())
    if "links" in site.settings.exports:
        yield File(path=urls.LINKS, content="".join(sorted(links.values())).encode())


def _all_names(site: Site) -> list[tuple[str, Life]]:
    """Returns the names of the terms in force, each with its term. Present names come first, then
    former names, then the long forms and acronyms of both."""
    names: list[tuple[str, Life]] = []
    former_names: list[tuple[str, Life]] = []
    for life in site.defined:
        names += [(name.text, life) for name in life.names]
        former_names += [(name, life) for name, _ in life.former_names]
    names += former_names

    long_forms_and_acronyms: list[tuple[str, Life]] = []
    for name, life in names:
        long_forms_and_acronyms += [(form, life) for form in spelled_out(name)]
    return names + long_forms_and_acronyms


def _forms(name: str, language: str) -> Iterator[str]:
    """Yields the forms of a name that a text may use: `data loader`, `data loaders`, `Data loader`
    and `Data loaders`."""
    # Signs of Markdown would end the label.
    if _NOT_IN_LABEL.search(name):
        return
    capitalized = name[:1].upper() + name[1:]
    for form in (name, capitalized):
        yield one_line(form)
        plural_form = plural(form, language)
        if plural_form:
            yield one_line(plural_form)


def _list_of_links(lives: Iterable[Life], site: Site) -> str:
    """Returns a list of links to the Markdown files of terms."""
    items = []
    for life in lives:
        address = site.base_url + urls.term_markdown(site.slugs[life.key])
        item = f"- {link(one_line(life.name), address)}"
        sentence = summary(life.entry.definition)
        if sentence:
            item += f": {_escaped_line(sentence)}"
        items.append(item)
    return "\n".join(items)


def of_term(life: Life, site: Site, *, standing: str) -> bytes:
    """Returns the Markdown file of a term, with its definition, facts and history. `standing` is
    the status sentence under its name."""
    # A synonym shows the definition of another term.
    shown = site.defining_term(life.key).entry
    addresses = link_addresses(
        site, shown, root=ROOT, term=lambda key: _relative_address(key, site)
    )
    newest_first = reversed([*_history(life, site)])
    parts = (
        f"# {_escaped_line(life.name)}",
        _escaped_line(standing),
        markdown(with_titles(shown.definition), addresses.of_term),
        "\n".join(_facts(life, site)),
        f"## {plain(site.words.say('history'))}" if life.changes else "",
        "\n".join(newest_first),
    )
    return _document(parts)


def _facts(life: Life, site: Site) -> Iterator[str]:
    """Yields a line for each fact: the address, other names, related terms and the source. A fact
    that the term does not have is left out."""
    addresses = []
    if site.base_url:
        addresses.append(site.base_url + site.address(life.key))

    formerly = []
    renames = renames_from(life)
    for name, _ in life.former_names:
        if fold(name) in renames:  # a former synonym was never what the term was called
            formerly.append(_escaped_line(name))

    links = []
    related_keys = dict.fromkeys((life.synonym_of, life.replaced_by, *site.linked_terms[life.key]))
    for key in related_keys:
        if key:
            links.append(link(one_line(site.by_key[key].name), _relative_address(key, site)))

    shown = site.defining_term(life.key).entry.place
    facts = {
        "about.address": addresses,
        "names.also-called": [*map(_escaped_line, usable(life.names[1:]))],
        "names.avoid": [*map(_escaped_line, avoided(life.names[1:]))],
        "names.formerly": formerly,
        "names.see-also": links,
        "table.source": [_escaped_line(site.release_titles[shown.source, shown.release])],
    }
    for label, values in facts.items():
        if values:
            comma = str(site.words.say("comma"))
            yield f"- {plain(site.words.say(label))}: {comma.join(values)}"


def _history(life: Life, site: Site) -> Iterator[str]:
    """Yields a line for each release that changed a term, oldest first in each source. It links to
    the page of the wording that begins in the release, if there is one."""
    by_release = groupby(life.changes, key=attrgetter("source", "release"))
    for (source, release), changes in by_release:
        name = one_line(site.release_titles[source, release])
        label = escaped(name)
        address = site.frozen_addresses.get((life.key, source, release))
        if address:
            label = link(name, urls.link(address, ROOT))
        yield f"- {label}: {plain(site.words.kinds(change.kind for change in changes))}"


def _relative_address(key: str, site: Site) -> str:
    """Returns the relative address from one Markdown file to another."""
    return f"../{site.slugs[key]}/index.md"


def _escaped_line(text: str) -> str:
    """Returns a text on one line, without markup."""
    return escaped(one_line(text))


def _document(parts: Iterable[str]) -> bytes:
    """Returns a file with these parts, without the empty ones."""
    return fit_for_xml("\n\n".join(filter(None, parts)) + "\n").encode()


def markdown(prose: Prose, resolve: Resolve) -> str:
    """Returns a definition as Markdown: its plain text, with code as code and references to terms
    as links. A reference that `resolve` does not know is plain text."""
    text = prose.text
    markdown_text = ""
    position = 0  # the text before it is written
    for start, past, target in sorted(_marked_ranges(prose)):
        if start < position:
            continue  # a reference in code

        text_before = text[position:start]
        marked_text = text[start:past]
        position = past
        is_code = target == ""
        if is_code and is_block(text, start, past):
            markdown_text += _lines(text_before.rstrip("\n"))
            markdown_text = f"{markdown_text.rstrip()}\n\n{fenced(marked_text)}\n\n"
            # The empty line after the block is written already.
            while text.startswith("\n", position):
                position += 1
        elif is_code:
            markdown_text += _lines(text_before) + code(marked_text)
        else:
            address = resolve(target)
            reference = link(marked_text, address) if address else inline(marked_text)
            markdown_text += _lines(text_before) + reference
    return f"{markdown_text}{_lines(text[position:])}".strip()


def _marked_ranges(prose: Prose) -> Iterator[tuple[int, int, str]]:
    """Yields the ranges of code, and the ranges of references with their targets. The target of
    code is empty."""
    for start, past in prose.code:
        yield start, past, ""
    for reference in prose.references:
        if reference.text:
            yield reference.start, reference.start + len(reference.text), reference.target


def _lines(text: str) -> str:
    """Returns plain text as Markdown in which the lines of a block stay lines."""
    return _LINE_END.sub("\\\\\n", escaped(text))


def link(text: str, address: str) -> str:
    """Returns a Markdown link. Signs that would end the address are percent-encoded: a space is
    `%20`."""
    encoded = _NOT_IN_ADDRESS.sub(lambda sign: f"%{ord(sign[0]):02X}", address)
    return f"[{inline(text)}]({encoded})"
