"""llms.txt: a list of the Markdown twins of all terms, by which a language model finds its way (llmstxt.org).

What it may skip stands under a heading that must read “Optional” in any language.
"""

from __future__ import annotations

from collections.abc import Iterator

from sitegen import urls
from sitegen.exports import fit
from sitegen.exports.labels import Labels
from sitegen.exports.markdown import link
from sitegen.lives import Life
from sitegen.markdown_text import escaped
from sitegen.model import File
from sitegen.prose import first_sentence
from sitegen.site import Site
from sitegen.wording import plain

MANY = 2_000
"""A larger glossary is listed without first sentences: the list has to be read at once."""


def files(site: Site, labels: Labels) -> Iterator[File]:
    """Gives the list: terms first, then what may be skipped."""
    about = plain(labels.words.say("a-z.description", len(site.lives), site=site.title))
    terms = [_line(life, site) for life in site.lives if life.status != "removed"]
    gone = [_line(life, site) for life in site.lives if life.status == "removed"]
    data = f"- {link(labels.said['data'], site.base_url + urls.DATA)}"
    parts = (
        f"# {escaped(fit.line(site.title))}",
        f"> {escaped(fit.line(about))}",
        escaped(fit.line(site.note)),
        f"## {labels.said['about.terms']}",
        "\n".join(terms),
        "## Optional",
        "\n".join((data, *gone)),
    )
    yield File(path=urls.LLMS, content=fit.text("\n\n".join(filter(None, parts)) + "\n").encode())


def _line(life: Life, site: Site) -> str:
    linked = link(fit.line(life.name), site.base_url + urls.term_twin(site.slugs[life.key]))
    sentence = first_sentence(life.entry.definition.text) if len(site.lives) <= MANY else ""
    return f"- {linked}: {escaped(fit.line(sentence))}" if sentence else f"- {linked}"
