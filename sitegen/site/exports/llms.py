"""Writes llms.txt: a list of links to the Markdown files of all terms, for language models (llmstxt.org).

Removed terms and data are under the heading “Optional”, which the format requires in English.
"""

from __future__ import annotations

from collections.abc import Iterator

from sitegen.addresses import urls
from sitegen.model import File
from sitegen.model.terms import Life
from sitegen.site.exports import fit
from sitegen.site.exports.labels import Labels
from sitegen.site.exports.markdown import link
from sitegen.site.messages import plain
from sitegen.site.site import Site
from sitegen.text.markdown_escaping import escaped
from sitegen.text.prose import first_sentence

MANY = 2_000
"""A glossary with more terms is listed without first sentences, because a model reads the whole list at once."""


def files(site: Site, labels: Labels) -> Iterator[File]:
    """Yields llms.txt: terms in force first, then the optional links."""
    about = plain(labels.words.say("a-z.description", len(site.lives), site=site.title))
    terms = [_line(life, site) for life in site.lives if life.is_defined]
    gone = [_line(life, site) for life in site.lives if not life.is_defined]
    data = f"- {link(labels.messages['data'], site.base_url + urls.DATA)}"
    parts = (
        f"# {escaped(fit.line(site.title))}",
        f"> {escaped(fit.line(about))}",
        escaped(fit.line(site.note)),
        f"## {labels.messages['about.terms']}",
        "\n".join(terms),
        "## Optional",
        "\n".join((data, *gone)),
    )
    yield File(path=urls.LLMS, content=fit.text("\n\n".join(filter(None, parts)) + "\n").encode())


def _line(life: Life, site: Site) -> str:
    linked = link(fit.line(life.name), site.base_url + urls.term_markdown(site.slugs[life.key]))
    sentence = first_sentence(life.entry.definition.text) if len(site.lives) <= MANY else ""
    return f"- {linked}: {escaped(fit.line(sentence))}" if sentence else f"- {linked}"
