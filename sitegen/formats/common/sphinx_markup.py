"""Renders roles such as `:term:` and directives such as `.. note::`, which reStructuredText and
MyST share, as HTML.

Unknown roles, such as those that a project defines itself, are rendered as their text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from urllib.parse import quote

from sitegen.text.prose import reference_href
from sitegen.text.words import folded_words, without_tags

ADDRESS = re.compile(r"https?://|/")
"""The beginning of an address."""
# docutils puts NUL before a character that follows a backslash.
EXPLICIT = re.compile(r"(?P<title>.+?)\s*(?<!\x00)<(?P<target>[^<]*?)>", re.S)
"""`title <target>`, the content of a role."""
ESCAPE = re.compile(r"\x00[ \n]?")
EXPLAINED = re.compile(r"(?P<short>.+?)\s*\((?P<long>.+)\)", re.S)
"""An abbreviation with its long form: `CNC (computer control)`."""
SENTENCE_END = re.compile(r"[.!?;]\s|</(?:p|li)>")
INSTEAD = re.compile(r"\b(?:use|see|prefer|instead|replace(?:d|ment)|superseded|favou?r|renamed)\b")
"""A word of a sentence that names what replaces a term."""
BRACES = re.compile(r"(?<!\\)[{}]")


@dataclass(frozen=True, kw_only=True)
class RoleText:
    """The text of a role, and how it is shown."""

    text: str
    tag: str = ""
    """The element around it; empty for plain words."""
    href: str = ""
    title: str = ""

    def html(self) -> str:
        """Returns the text in its element, and in the link to its target: `<abbr title="computer
        control">CNC</abbr>`, `<a href="term:jig">jig</a>`."""
        html = escape(self.text, quote=False)
        if self.tag == "math":
            html = f'<span class="math">{html}</span>'
        elif self.title:
            html = f'<{self.tag} title="{escape(self.title)}">{html}</{self.tag}>'
        elif self.tag:
            html = f"<{self.tag}>{html}</{self.tag}>"
        if self.href:
            return f'<a href="{escape(self.href)}">{html}</a>'
        return html


EXACT = {"code": "code", "raw": "code", "math": "math"}
"""Roles in which a backslash is a character, as in docutils, and their elements."""
STYLED = {
    **dict.fromkeys(("literal", "regexp"), "code"),
    **dict.fromkeys(
        "emphasis mailheader manpage mimetype newsgroup t title title-reference".split(), "em"
    ),
    **dict.fromkeys(("command", "makevar", "program", "strong"), "strong"),
    **dict.fromkeys(("sub", "subscript"), "sub"),
    **dict.fromkeys(("sup", "superscript"), "sup"),
    "abbr": "abbr",
    "dfn": "dfn",
    "kbd": "kbd",
}
"""Roles that only style their text, and their elements."""
CALLABLES = frozenset("func function meth method".split())
OBJECTS = CALLABLES.union(
    """
    attr class concept confval const data deco dir directive enum enumerator envvar exc expr
    keyword macro member mod namespace obj option prop property rst role setting struct texpr token
    type union var
    """.split()
)
ROLES_OF_LABELS = frozenset({"ref", "numref"})
OF_OTHER_PROJECT = re.compile(r"[a-z][\w.-]*:(?P<name>[^\s:/].*)", re.S)
"""The name of a term in another project, with that of the project before it (intersphinx)."""
NUMBERED = {
    "pep": ("PEP", "https://peps.python.org/pep-{:04}/"),
    "rfc": ("RFC", "https://datatracker.ietf.org/doc/html/rfc{}"),
}
"""Roles of numbered documents with a known address."""


def role(name: str, content: str) -> RoleText:
    """Returns the text of a role, and how it is shown. The role `guilabel` with the content "&Save"
    is shown as "Save", and `func` with "~os.path.join" as "join()".

    The domain of a role is ignored, so `:func:` and `{py:func}` are the same.
    """
    _domain, _, short = name.lower().rpartition(":")
    text = ESCAPE.sub("", content)
    if short in EXACT:
        as_written = content.replace("\0", "\\")  # docutils writes NUL for a backslash
        return RoleText(text=as_written, tag=EXACT[short])
    if short in {"guilabel", "menuselection"}:
        # "&" marks the key that selects the label, and "&&" is the sign itself.
        label = re.sub(r"&(&|(?=\S))", r"\1", text)
        return RoleText(text=label.replace("-->", "‣"), tag="b")
    if short in {"file", "samp"}:  # braces mark the part that varies
        return RoleText(text=BRACES.sub("", text).replace("\\", ""), tag="code")
    if short == "abbr" and (explained := EXPLAINED.fullmatch(text)):
        return RoleText(text=explained["short"], tag="abbr", title=explained["long"])
    if short in STYLED:
        return RoleText(text=text, tag=STYLED[short])
    if short == "term" and content.startswith("!"):
        return RoleText(text=text[1:])
    return _reference(short, content)


def _reference(name: str, content: str) -> RoleText:
    """Returns the text of a role whose content is a target, or `title <target>`, with a link.

    The role `term` with `the jig <jig>` is the text "the jig" with a link to "jig". An object of
    code is code without a link, and an unknown role is only its text.
    """
    explicit = EXPLICIT.fullmatch(content)
    if explicit:
        words = ESCAPE.sub("", explicit["title"])
        target = ESCAPE.sub("", explicit["target"])
    else:
        target = ESCAPE.sub("", content)
        words = _words_for(name, target)
    if name in OBJECTS:
        return RoleText(text=words, tag="code")
    return RoleText(text=words, href=_address(name, target))


def _words_for(name: str, target: str) -> str:
    """Returns the words to show for a target without a title: "PEP 8" for the role `pep` and the
    target "8", "jig" for `term` and "tools:jig"."""
    if name == "term":
        foreign = OF_OTHER_PROJECT.fullmatch(target)
        return foreign["name"] if foreign else target
    if name in NUMBERED:
        prefix, _ = NUMBERED[name]
        return f"{prefix} {target}"
    if name in OBJECTS:
        return _object_name(name, target)
    if name in ROLES_OF_LABELS:  # Sphinx shows the heading at a label, which is not known here
        return _label_words(target)
    return target


def _address(name: str, target: str) -> str:
    """Returns the address of a target: `term:jig` for the role `term` and the target "jig",
    `doc:usage/saws` for `doc` and "usage/saws". An address that is not known here is empty."""
    if name == "term" and not OF_OTHER_PROJECT.fullmatch(target):
        return reference_href(target)
    if name == "doc" and target.strip():
        return f"doc:{quote(target)}"
    if name in NUMBERED:
        _, address = NUMBERED[name]
        return _numbered_document(address, target)
    return ""


def _numbered_document(address: str, target: str) -> str:
    """Returns the address of a numbered document, or of a place in it (`8#naming`). The address is
    empty if the target is no number."""
    document = re.fullmatch(r"(?P<number>[0-9]{1,6})(?:#(?P<place>.*))?", target, re.S)
    if document is None:
        return ""
    href = address.format(int(document["number"]))
    if document["place"]:
        return f"{href}#{document['place']}"
    return href


def _object_name(role: str, written: str) -> str:
    """Returns the name of an object as Sphinx shows it: of `~package.Name`, only `Name`."""
    name = written.removeprefix("!").lstrip(".")
    if name.startswith("~"):
        name = re.split(r"\.|::", name)[-1].removeprefix("~")
    if role in CALLABLES:
        return f"{name.removesuffix('()')}()"
    return name


def _label_words(label: str) -> str:
    """Returns a label as words: `webob_chapter` as "webob chapter". The name of its document, or of
    another project, is left out."""
    words = re.sub(r"[-_]+", " ", label.rpartition(":")[2]).strip()
    return words or label


NOTES = {
    name: name.capitalize()
    for name in "attention caution danger error hint important note tip warning".split()
}
NOTES |= {"seealso": "See also", "todo": "To do"}
"""Directives that are notes, and the titles of these."""
KINDS_OF_NOTES = frozenset(name.lower() for name in (*NOTES.values(), "Info"))
"""Titles of notes that only name their kind."""
VERSION_NOTES = {
    "deprecated": "Deprecated since version",
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "versionremoved": "Removed in version",
}
TITLED = frozenset("admonition topic sidebar dropdown card rubric".split())
"""Directives whose argument is the author's title."""
UNFRAMED = frozenset("acks compound epigraph highlights hlist line-block pull-quote".split())
"""Directives that have no argument, and of which only the content is shown."""
LABELED = frozenset("class container cssclass only rst-class tab-set".split())
"""Directives that have an argument, and of which only the content is shown."""
CODE = {
    **dict.fromkeys(
        """
        code code-block code-cell mermaid parsed-literal productionlist sourcecode testoutput uml
        """.split(),
        "",
    ),
    **dict.fromkeys("digraph graph graphviz".split(), "dot"),
    **dict.fromkeys("jupyter-execute testcode".split(), "python"),
    "doctest": "pycon",
    "ipython": "ipython",
    "prompt": "console",
}
"""Directives whose content is code, with the default language."""
SILENT = frozenset(
    """
    codeauthor contents currentmodule default-role footer header highlight index meta module
    moduleauthor role sectionauthor sectnum tabularcolumns target-notes testcleanup testsetup title
    toctree
    """.split()
)
"""Directives that show nothing in an entry."""
INERT = {
    "date": "the day of building is never shown",
    "include": "the file that it names is not read",
    "literalinclude": "the file that it names is not read",
    "raw": "markup for one output format is never passed on",
}
"""Directives that do nothing, and the reason, which is reported."""
WRITE_IT_HERE = "write the text here instead"
AS_TEXT = "its words are shown as plain text"


def names_kind(title: str, kinds: Iterable[str]) -> bool:
    """Returns whether the title of a note only names its kind: a known kind, or one of `kinds`."""
    return title.lower() in {*KINDS_OF_NOTES, *map(str.lower, kinds)}


def directive(name: str, *, title: str = "", version: str = "", inner: str) -> str:
    """Returns the HTML of a directive: of a note, a remark on a version, a rubric, or a block with
    a title. `inner` is the HTML of its content."""
    if name in NOTES:
        return note(NOTES[name], inner)
    if name in VERSION_NOTES:
        return version_note(name, version, inner)
    if name == "rubric":
        return f'<p class="rubric">{title}</p>{inner}'
    return titled(title, inner)


def note(title: str, inner: str) -> str:
    """Returns the HTML of a note with the name of its kind, which is not part of the author's
    text."""
    return f'<div class="note"><p class="note-title">{escape(title)}</p>{inner}</div>'


def titled(title: str, inner: str) -> str:
    """Returns the HTML of a block with the author's title (as HTML)."""
    return f'<div class="note"><p><strong>{title}</strong></p>{inner}</div>'


def version_note(name: str, version: str, inner: str) -> str:
    """Returns the HTML of a remark on a version, in Sphinx's words: "Deprecated since version 2.0:
    use that."."""
    words = escape(f"{VERSION_NOTES[name]} {version}".strip())
    html = f"<p>{words}.</p>{inner}"
    if inner.startswith("<p>"):
        html = f"<p>{words}: {inner.removeprefix('<p>')}"
    return f'<div class="note">{html}</div>'


def code(text: str, language: str) -> str:
    """Returns the HTML of a code block. The language is left out if it is not a plain word."""
    return marked_code(escape(text, quote=False), language)


def marked_code(inner: str, language: str) -> str:
    """Returns the HTML of a code block with markup inside, such as links."""
    if not re.fullmatch(r"[\w+#.-]+", language):
        return f"<pre><code>{inner}</code></pre>"
    return f'<pre><code class="language-{language}">{inner}</code></pre>'


def reference(target: str, words: str) -> str:
    """Returns the HTML of a reference to the term with a name, or with an anchor: `#anchor`."""
    return f'<a href="{escape(reference_href(target))}">{escape(words, quote=False)}</a>'


def link(name: str) -> str:
    """Returns the HTML of a link to an address, `https://example.org` or `/saw/`; of another name,
    that of a reference to its term."""
    if ADDRESS.match(name):
        return f'<a href="{escape(name)}">{escape(name, quote=False)}</a>'
    return reference(name, name)


def see_also(links: Iterable[str]) -> str:
    """Returns the HTML of a line of references; empty if there are none."""
    joined = ", ".join(links)
    return f"<p>See also: {joined}</p>" if joined else ""


def use_instead(html: str, names: Iterable[str]) -> str:
    """Returns the HTML of a line that names the terms to use in place of a deprecated one. It is
    empty if a sentence of the definition `html` says so, such as "See the saw.", or says "Use …
    instead."."""
    said = ""
    for sentence in SENTENCE_END.split(html):
        words = folded_words(without_tags(sentence, instead=" "))
        if words.startswith("use ") and words.endswith(" instead"):
            return ""
        if INSTEAD.search(words):
            said += f" {words} "
    missing = [name for name in names if f" {folded_words(name)} " not in said]
    joined = ", ".join(map(link, missing))
    return f"<p>Use {joined} instead.</p>" if joined else ""


def see_also_terms(names: Iterable[str]) -> str:
    """Returns the HTML of a line of references to the terms with these names."""
    return see_also(reference(name, name) for name in names)


def image(source: str, words: str) -> str:
    """Returns the HTML of an image; pages show it as a link."""
    return f'<img src="{escape(source)}" alt="{escape(words)}">'
