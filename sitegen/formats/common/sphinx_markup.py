"""Renders roles such as `:term:` and directives such as `.. note::`, which reStructuredText and MyST share, as HTML.

Unknown roles, such as those that a project defines itself, are rendered as their text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape
from urllib.parse import quote

from sitegen.text.prose import reference_href

# docutils puts NUL before a character that follows a backslash.
EXPLICIT = re.compile(r"(?P<title>.+?)\s*(?<!\x00)<(?P<target>[^<]*?)>", re.S)
ESCAPE = re.compile(r"\x00[ \n]?")
CITATION = re.compile(r"(?:foot)?cite[pt]?(?:(?:al|author|year)(?:par)?s?)?")
"""Roles of sphinxcontrib-bibtex, whose contents are keys of a bibliography. The keys are shown in brackets."""
BRACES = re.compile(r"(?<!\\)[{}]")


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleText:
    """The text of a role, and how it is shown."""

    text: str
    tag: str = ""
    """The element around it; empty for plain words."""
    href: str = ""
    title: str = ""

    def html(self) -> str:
        attributes = f' title="{escape(self.title)}"' if self.title else ""
        shown = escape(self.text, quote=False)
        if self.tag == "math":
            shown = f'<span class="math">{shown}</span>'
        elif self.tag:
            shown = f"<{self.tag}{attributes}>{shown}</{self.tag}>"
        return f'<a href="{escape(self.href)}">{shown}</a>' if self.href else shown


def role(name: str, content: str) -> RoleText:
    """Returns a role as text and HTML. Its domain is ignored: `:func:` and `{py:func}` are the same."""
    domain, _, short = name.lower().rpartition(":")
    if CITATION.fullmatch(domain or short):
        return RoleText(text=f"[{', '.join(re.split(r' *, *', _unescape(content).strip()))}]")
    return READERS.get(short, _words)(content)


def _words(content: str) -> RoleText:
    """Any reference that is not resolved shows its title, or else its target."""
    title, _, _ = _title_and_target(content)
    return RoleText(text=title)


def _term(content: str) -> RoleText:
    if content.startswith("!"):
        return RoleText(text=_unescape(content[1:]))
    title, target, _ = _title_and_target(content)
    return RoleText(text=title, href=reference_href(target))


def _document(content: str) -> RoleText:
    title, target, _ = _title_and_target(content)
    return RoleText(text=title, href=f"doc:{quote(target)}" if target.strip() else "")


def _object(content: str) -> RoleText:
    """`~package.Name` shows `Name`, as Sphinx does."""
    title, _, explicit = _title_and_target(content)
    if explicit:
        return RoleText(text=title, tag="code")
    title = title.removeprefix("!").lstrip(".")
    shown = re.split(r"\.|::", title)[-1] if title.startswith("~") else title
    return RoleText(text=shown.removeprefix("~"), tag="code")


def _callable(content: str) -> RoleText:
    role = _object(content)
    if _title_and_target(content)[2]:
        return role
    return RoleText(text=role.text.removesuffix("()") + "()", tag="code")


def _styled(tag: str) -> Callable[[str], RoleText]:
    return lambda content: RoleText(text=_unescape(content), tag=tag)


def _exact(tag: str) -> Callable[[str], RoleText]:
    """Returns the reader of a role in which a backslash is a character, as docutils does in code and formulas."""
    return lambda content: RoleText(text=content.replace("\0", "\\"), tag=tag)


def _sample(content: str) -> RoleText:
    """Braces mark the part that varies; they are not shown."""
    return RoleText(text=BRACES.sub("", _unescape(content)).replace("\\", ""), tag="code")


def _code_words(content: str) -> RoleText:
    return RoleText(text=_title_and_target(content)[0], tag="code")


def _abbreviation(content: str) -> RoleText:
    text = _unescape(content)
    match = re.fullmatch(r"(.+?)\s*\((.+)\)", text, re.S)
    return RoleText(text=match[1], tag="abbr", title=match[2]) if match else RoleText(text=text, tag="abbr")


def _label(content: str) -> RoleText:
    """`&` marks the key that activates a label on screen; `&&` is the character."""
    return RoleText(text=re.sub(r"&(&?)", r"\1", _unescape(content)), tag="b")


def _menu(content: str) -> RoleText:
    return RoleText(text=_label(_title_and_target(content)[0]).text.replace("-->", "\N{TRIANGULAR BULLET}"), tag="b")


def _numbered(prefix: str, address: str) -> Callable[[str], RoleText]:
    """Returns the reader of a role for a numbered document with a known address."""

    def read_number(content: str) -> RoleText:
        title, target, explicit = _title_and_target(content)
        number, _, anchor = target.partition("#")
        shown = title if explicit else f"{prefix} {title}"
        if not re.fullmatch(r"[0-9]{1,6}", number):
            return RoleText(text=shown)
        return RoleText(text=shown, href=address.format(int(number)) + (f"#{anchor}" if anchor else ""))

    return read_number


def _title_and_target(content: str) -> tuple[str, str, bool]:
    """Returns the title, the target, and whether the author wrote both: `title <target>`."""
    match = EXPLICIT.fullmatch(content)
    if match:
        return _unescape(match["title"]), _unescape(match["target"]), True
    text = _unescape(content)
    return text, text, False


def _unescape(text: str) -> str:
    return ESCAPE.sub("", text)


OBJECTS = (
    "attr class concept confval const data deco dir directive enum enumerator envvar exc expr keyword macro member"
    " mod namespace obj option prop property rst role setting struct texpr token type union var"
)
EMPHASISED = "emphasis mailheader manpage mimetype newsgroup t title title-reference"

READERS: dict[str, Callable[[str], RoleText]] = {
    **dict.fromkeys(OBJECTS.split(), _object),
    **dict.fromkeys(["func", "function", "meth", "method"], _callable),
    **dict.fromkeys(["literal", "regexp"], _styled("code")),
    **dict.fromkeys(["code", "raw"], _exact("code")),
    **dict.fromkeys(["command", "makevar", "program", "strong"], _styled("strong")),
    **dict.fromkeys(EMPHASISED.split(), _styled("em")),
    **dict.fromkeys(["sub", "subscript"], _styled("sub")),
    **dict.fromkeys(["sup", "superscript"], _styled("sup")),
    "abbr": _abbreviation,
    "dfn": _styled("dfn"),
    "doc": _document,
    "download": _code_words,
    "file": _sample,
    "guilabel": _label,
    "kbd": _styled("kbd"),
    "math": _exact("math"),
    "menuselection": _menu,
    "pep": _numbered("PEP", "https://peps.python.org/pep-{:04}/"),
    "rfc": _numbered("RFC", "https://datatracker.ietf.org/doc/html/rfc{}"),
    "samp": _sample,
    "term": _term,
}


NOTES = {
    "attention": "Attention",
    "caution": "Caution",
    "danger": "Danger",
    "error": "Error",
    "hint": "Hint",
    "important": "Important",
    "note": "Note",
    "seealso": "See also",
    "tip": "Tip",
    "todo": "To do",
    "warning": "Warning",
}
KINDS = frozenset(name.lower() for name in (*NOTES.values(), "Info"))
"""Titles of notes that only name their kind."""
CHANGES = {
    "deprecated": "Deprecated since version",
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "versionremoved": "Removed in version",
}
TITLED = frozenset("admonition topic sidebar dropdown card".split())
QUOTES = frozenset("epigraph highlights pull-quote".split())
PLAIN = frozenset("acks compound hlist line-block".split())
"""Directives whose content is read."""
LABELLED = frozenset("class container cssclass only rst-class tab-set".split())
"""Directives whose content is read, and whose argument is not shown."""
CODE = {
    "code": "",
    "code-block": "",
    "code-cell": "",
    "digraph": "dot",
    "doctest": "pycon",
    "graph": "dot",
    "graphviz": "dot",
    "ipython": "ipython",
    "jupyter-execute": "python",
    "mermaid": "",
    "parsed-literal": "",
    "productionlist": "",
    "prompt": "console",
    "sourcecode": "",
    "testcode": "python",
    "testoutput": "",
    "uml": "",
}
"""Directives whose content is code, with the default language."""
SILENT = frozenset(
    "codeauthor contents currentmodule default-role footer header highlight index meta module moduleauthor role"
    " sectionauthor sectnum tabularcolumns target-notes testcleanup testsetup title toctree".split()
)
"""Directives that show nothing in an entry."""
INERT = {
    "date": "the day of building is never shown",
    "include": "the file that it names is not read",
    "literalinclude": "the file that it names is not read",
    "raw": "markup for one output format is never passed on",
}
UNREAD = "write the text here instead"
AS_TEXT = "its words are shown as plain text"


def names_kind(title: str, kinds: Iterable[str]) -> bool:
    """True if the title of a note is only the name of its kind: a known one, or one of `kinds`."""
    return title.lower() in {*KINDS, *map(str.lower, kinds)}


def note(title: str, inner: str) -> str:
    """Returns the HTML of a note with the name of its kind, which is not part of the author's text."""
    return f'<div class="note"><p class="note-title">{escape(title)}</p>{inner}</div>'


def titled(title: str, inner: str) -> str:
    """Returns the HTML of a block with the author's title (as HTML)."""
    return f'<div class="note"><p><strong>{title}</strong></p>{inner}</div>'


def change(name: str, version: str, inner: str) -> str:
    """Returns the HTML of a remark on a version, in Sphinx's words: "Deprecated since version 2.0: use that."."""
    words = escape(f"{CHANGES[name]} {version}".strip())
    said = f"<p>{words}: {inner.removeprefix('<p>')}" if inner.startswith("<p>") else f"<p>{words}.</p>{inner}"
    return f'<div class="note">{said}</div>'


def code(text: str, language: str) -> str:
    """Returns the HTML of a code block. The language is left out if it is not a plain word."""
    return marked_code(escape(text, quote=False), language)


def marked_code(inner: str, language: str) -> str:
    """Returns the HTML of a code block with markup inside, such as links."""
    known = f' class="language-{language}"' if re.fullmatch(r"[\w+#.-]+", language) else ""
    return f"<pre><code{known}>{inner}</code></pre>"


def reference(target: str, words: str) -> str:
    """Returns the HTML of a reference to the term with a name, or with an anchor: `#anchor`."""
    return f'<a href="{escape(reference_href(target))}">{escape(words, quote=False)}</a>'


def see_also(links: Iterable[str]) -> str:
    """Returns the HTML of a line of references; empty if there are none."""
    joined = ", ".join(links)
    return f"<p>See also: {joined}</p>" if joined else ""


def image(source: str, words: str) -> str:
    """Returns the HTML of an image; pages show it as a link."""
    return f'<img src="{escape(source)}" alt="{escape(words)}">'
