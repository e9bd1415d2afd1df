r"""LaTeX: `\newglossaryentry`, `\newacronym` and similar commands of the packages glossaries and acro.

These commands are read anywhere in a file. A file without any has its terms in lists, `\item[name]`, or in
environments, `\begin{definition}[name]`. TeX is not run: an unknown macro is replaced with its arguments.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from typing import NamedTuple

from sitegen.formats.common import entries, sphinx_markup
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.raw_text import is_markdown, without_math, words_of
from sitegen.model import Document, Problem, Reading

SIGN = re.compile(r"\\(?:long)?newglossaryentry\b|\\newacronym\b|\\newabbreviation\b|\\DeclareAcronym\b|\\acro\{")
COMMAND = re.compile(
    r"\\(longnewglossaryentry|(?:provide|new)glossaryentry|newacronym|newabbreviation|DeclareAcronym|acro)\*?(?![a-zA-Z])"
)
LABEL = re.compile(r"\\item(?=\s*\[)|\\begin\{(?:concept|defn|definition|term|vocabulary)\}(?=\s*\[)")
r"""The beginning of a term of a list, `\item[name]`, or in an environment of its own."""
BOUND = re.compile(r"\\(begin|end)\{[^{}\n]*\}|\\item(?=\s*\[)")
COMMENT = re.compile(r"(?<!\\)%[^\n]*")
MARK = re.compile(r"(\\\\)(?:\[[^\]\n]{0,20}\])?|\\[\[\]()]|\$\$")
r"""A line break, perhaps with a height, `\\[2pt]`; or a mark around a formula other than `$`: `\(`, `\[`, `$$`."""
MAX_DEPTH = 40
"""The maximum nesting of braces."""
MAX_UNREAD = 20
"""The number of commands that cannot be read, after which the others are not read either."""
MAX_LENGTH = 50_000
"""The maximum number of characters of one argument."""
PARAMETER = re.compile(r"#\d")
INSIDE = {"{": re.compile(r"(?<!\\)[{}]"), "[": re.compile(r"(?<!\\)[{}\]]")}
"""The marks that count within an argument, by the mark that opens it."""
SPACE = re.compile(r"\s*")
STYLES = {
    **dict.fromkeys("emph textit textsl em it".split(), "em"),
    **dict.fromkeys("textbf strong bf".split(), "strong"),
    **dict.fromkeys("texttt code lstinline path mintinline tt".split(), "code"),
    "textsubscript": "sub",
    "textsuperscript": "sup",
}
REFERENCES = frozenset(
    "gls Gls GLS glspl Glspl GLSpl glslink glsdisp acrshort acrlong acrfull acs acl acf ac Ac acp acsp glsname"
    " glstext glsxtrshort glsxtrlong".split()
)
DROPPED = frozenset("cite citep citet autocite label index footcite parencite textcite vspace hspace glsadd".split())
ACCENTS = {"`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", '"': "\u0308", "=": "\u0304", ".": "\u0307"}
ACCENTS |= {"c": "\u0327", "v": "\u030c", "H": "\u030b", "u": "\u0306", "r": "\u030a", "k": "\u0328"}
CHARACTERS = {
    **dict(zip("ss ae AE oe OE o O aa AA l i".split(), "ß æ Æ œ Œ ø Ø å Å ł i".split(), strict=True)),
    **dict.fromkeys("glsentrydesc nopostdesc xspace noindent".split(), ""),
    **dict.fromkeys(("glspar", "par"), "\n\n"),
    **dict.fromkeys(("ldots", "dots"), "…"),
    **{name: name for name in ("LaTeX", "TeX")},
    "copyright": "©",
    "linebreak": " ",
    "newline": "\n",
    "textasciitilde": "~",
    "textbackslash": "\\",
    "textemdash": "—",
    "textendash": "–",
    "textregistered": "®",
    "texttrademark": "™",
}
SYMBOLS = {"\\": " ", ",": " ", " ": " ", "-": "", "/": "", "\n": " "}
"""What commands of one character stand for, if not for the character itself."""
SIZES = frozenset({"Large", "LARGE", "Huge"})
TOKEN = re.compile(
    r"\\(?P<accent>[`'^~\"=.]|[cvHukr](?![a-zA-Z]))\s*(?:\{\\?(?P<of>\w?)\}|(?P<on>\\?\w))"
    r"|\\(?P<name>[a-zA-Z@]+)\*?[ \t]*"
    r"|\\(?P<char>[^a-zA-Z])|(?<!\\)\$(?P<math>[^$]+)\$|(?P<brace>[{}])|(?P<plain>[^\\${}]+)|(?P<other>.)",
    re.S,
)


class Argument(NamedTuple):
    text: str
    past: int


class LatexEntry(NamedTuple):
    key: str
    names: Sequence[str]
    definition: str
    related: str = ""
    """The keys of related entries, with commas between them."""
    plural: str = ""
    line: int = 0


class LatexNames(NamedTuple):
    """The names and plurals of entries, by their keys."""

    singular: dict[str, str]
    plural: dict[str, str]


def looks_like(document: Document) -> bool:
    """True if a command in the text defines an entry, and the text is not Markdown about LaTeX."""
    return SIGN.search(document.text) is not None and not is_markdown(document.text)


def parse(document: Document) -> Reading:
    """Returns the entries that commands in a file define."""
    text = MARK.sub(lambda mark: mark[1] or "$", COMMENT.sub("", document.text))
    parsed: list[LatexEntry] = []
    unread: list[Problem] = []
    macros: list[Problem] = []
    line, past = 1, 0
    for command in entries.limited(document, COMMAND.finditer(text)):
        if len(unread) >= MAX_UNREAD:
            break
        line, past = line + text.count("\n", past, command.start()), command.start()
        entry = _defined_entry(text, command)
        if entry is None:
            wanted = "close every brace; an entry has a key, and fields or a short and a long form"
            found = f"\\{command[1]} cannot be read"
            unread.append(Problem(path=document.path, line=line, found=found, wanted=wanted))
        elif PARAMETER.search(entry.key):
            wanted = "write the command itself for each entry"
            found = "entries of a macro are not read"
            macros.append(Problem(path=document.path, line=line, found=found, wanted=wanted))
        else:
            parsed.append(entry._replace(line=line))
    problems = (*macros[:MAX_UNREAD], *unread)
    if not parsed and not problems:
        parsed = entries.limited(document, _labeled(text))
    names = LatexNames(
        singular={entry.key: entry.names[0] for entry in parsed if entry.key},
        plural={entry.key: entry.plural for entry in parsed if entry.plural},
    )
    wanted = "" if problems else r"wanted \newglossaryentry, \newacronym or \item[name]"
    reading = entries.read(document, [_candidate(entry, names) for entry in parsed], wanted=wanted)
    is_partial = len(unread) >= MAX_UNREAD
    return replace(reading, problems=(*problems, *reading.problems), is_partial=is_partial)


def _labeled(text: str) -> Iterator[LatexEntry]:
    """Yields the terms of lists and environments; those within a definition are part of it."""
    past, line, start = 0, 1, 0
    for label in LABEL.finditer(text):
        if label.start() < past:
            continue
        name, begin = _optional(text, label.end())
        past, depth = len(text), 0  # where the list ends in the file that includes this one
        for bound in BOUND.finditer(text, begin):
            if depth == 0 and bound[1] != "begin":
                past = bound.start()
                break
            depth += {"begin": 1, "end": -1}.get(bound[1], 0)
        line, start = line + text.count("\n", start, label.start()), label.start()
        if any(map(str.isalpha, name)):
            yield LatexEntry("", [name.strip().removesuffix(":")], text[begin:past], line=line)


def _candidate(entry: LatexEntry, names: LatexNames) -> Candidate:
    paragraphs = re.split(r"\n[ \t]*\n|\\par\b|\\glspar\b", entry.definition.strip())
    contents = (html for part in paragraphs if (html := _html(part.strip(), names).strip()))
    related = (key.strip() for key in re.sub(r"\[[^\]]*\]", "", entry.related).split(","))
    links = (
        sphinx_markup.reference(f"#{key}", _plain(names.singular.get(key, key), names)) for key in related if key
    )
    return Candidate(
        names=tuple(dict.fromkeys(_plain(name, names) for name in entry.names)),
        html="".join(f"<p>{html}</p>" for html in contents) + sphinx_markup.see_also(links),
        line=entry.line,
        anchors=(entry.key,) if entry.key else (),
    )


def _defined_entry(text: str, command: re.Match[str]) -> LatexEntry | None:
    """Returns the entry of a command; None if its arguments cannot be found."""
    max_arguments = 3 if command[1] in ("longnewglossaryentry", "newacronym", "newabbreviation") else 2
    option, past = "", command.end()
    arguments: list[str] = []
    while len(arguments) < max_arguments:
        optional, past = _optional(text, past)
        option = option or optional
        argument = _braced(text, past)
        if argument is None:
            break
        arguments.append(argument.text)
        past = argument.past
    match arguments:
        case [key, long] if command[1] == "acro":  # \acro{key}[short]{long}
            return LatexEntry(key, [option or key], long)
        case [key, short, long] if command[1] in ("newacronym", "newabbreviation"):
            fields = _fields_of(option)
            return LatexEntry(key, *_acronym(short, long, fields.get("description", "")), fields.get("see", ""))
        case [key, field_list] if command[1] == "DeclareAcronym":
            fields = _fields_of(field_list)
            acronym = _acronym(fields.get("short", key), fields.get("long", ""), fields.get("extra", ""))
            return LatexEntry(key, *acronym, plural=fields.get("plural", ""))
        case [key, field_list, *body] if command[1].endswith("glossaryentry"):
            fields = _fields_of(field_list)
            others = [fields[name] for name in ("long", "symbol") if fields.get(name, r"\relax") != r"\relax"]
            definition = body[0] if body else "" if max_arguments == 3 else fields.get("description", "")
            related = fields.get("see", "") or fields.get("seealso", "")
            names = [fields.get("name", key), *others]
            return LatexEntry(key, names, definition, related, fields.get("plural", ""))
    return None


def _acronym(short: str, long: str, description: str) -> tuple[list[str], str]:
    """Returns the names and the definition of an acronym. The long form is a name if there is a description."""
    return ([short, long], description) if description.strip() else ([short], long)


def _fields_of(text: str) -> dict[str, str]:
    """Returns the fields of a list of keys with values. Commas inside braces do not separate fields."""
    parts: list[str] = []
    depth = start = 0
    for mark in re.finditer(r"(?<!\\)[{},]", text):
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
        if mark[0] == "," and depth == 0:
            parts.append(text[start : mark.start()])
            start = mark.end()
    fields = {}
    for key, equals, value in (part.partition("=") for part in (*parts, text[start:])):
        if equals:
            value = value.strip()
            inner = _braced(value, 0)
            fields[key.strip().lower()] = inner.text if inner and inner.past == len(value) else value
    return fields


def _optional(text: str, past: int) -> Argument:
    """Returns the argument in square brackets; an empty one if there is none."""
    return _argument(text, past, "[") or Argument("", past)


def _braced(text: str, past: int) -> Argument | None:
    """Returns the argument in braces."""
    return _argument(text, past, "{")


def _argument(text: str, past: int, opening: str) -> Argument | None:
    """Returns the argument below spaces; None if there is none, or if it is too long or nested too deeply."""
    start = SPACE.match(text, past).end()  # type: ignore[union-attr]
    if not text.startswith(opening, start):
        return None
    depth = 0
    for mark in INSIDE[opening].finditer(text, start + 1, start + MAX_LENGTH):
        if depth == 0 and mark[0] != "{" and (mark[0] == "}") == (opening == "{"):
            return Argument(text[start + 1 : mark.start()], mark.end())
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
        if depth >= MAX_DEPTH:
            return None
    return None


def _html(text: str, names: LatexNames, depth: int = 0) -> str:
    """Returns the HTML of TeX within a paragraph."""
    out: list[str] = []
    past = 0
    while past < len(text) and (token := TOKEN.match(text, past)):
        past = token.end()
        if token["accent"]:
            base = (token["of"] or token["on"] or "").lstrip("\\")
            out.append(escape(unicodedata.normalize("NFC", base + ACCENTS[token["accent"]]), quote=False))
        elif token["math"]:
            out.append(f'<span class="math">{escape(token["math"], quote=False)}</span>')
        elif plain := token["plain"]:
            plain = plain.replace("---", "—").replace("--", "–").replace("``", "“").replace("''", "”")
            out.append(escape(re.sub(r"[\s~]+", " ", plain), quote=False))
        elif token["name"]:
            html, past = _command_html(token["name"], text, past, names, depth)
            out.append(html)
        elif not token["brace"]:
            character = token["char"] or token["other"]
            out.append(SYMBOLS.get(character, escape(character)) if token["char"] else escape(character))
    return "".join(out)


def _command_html(name: str, text: str, past: int, names: LatexNames, depth: int) -> tuple[str, int]:
    """Returns the HTML of a command with its arguments, and where these end."""
    if name in CHARACTERS:
        return escape(CHARACTERS[name], quote=False), past
    if name in ("begin", "end"):
        inner = _braced(text, past)
        return "", inner.past if inner else past
    option, past = _optional(text, past)
    if name == "item":
        return f" {_html(option, names, depth + 1) if option and depth < MAX_DEPTH else '•'} ", past
    inner = _braced(text, past) if depth < MAX_DEPTH else None
    if inner is None or not inner.text:  # a macro of the author's, whose words are elsewhere: \DDC{}
        macro = name if name not in SIZES and not name.islower() else ""
        # TeX skips the space below, but authors end such macros with \xspace.
        space = " " if inner is None and text[past - 1].isspace() else ""
        return macro + space, inner.past if inner else past
    if name in DROPPED:
        return "", inner.past
    label = _braced(text, inner.past) if name in ("glslink", "glsdisp", "href") else None
    past = (label or inner).past
    if name in REFERENCES:
        key = " ".join(inner.text.split())
        word = names.singular.get(key, key)
        plural = names.plural.get(key, f"{word}s")
        words = label.text if label else plural if name.lower() == "glspl" else word
        return sphinx_markup.reference(f"#{inner.text}", _plain(words, names, depth + 1)), past
    if name in ("url", "href"):
        words = _html(label.text, names, depth + 1) if label else escape(inner.text, quote=False)
        return f'<a href="{escape(inner.text)}">{words}</a>', past
    html = _html(inner.text, names, depth + 1)
    if name in STYLES:
        return f"<{STYLES[name]}>{html}</{STYLES[name]}>", past
    return {"footnote": f" ({html})", "enquote": f"“{html}”"}.get(name, html), past


def _plain(text: str, names: LatexNames, depth: int = 0) -> str:
    """Returns TeX as words without markup."""
    if depth >= MAX_DEPTH:
        return " ".join(text.split())
    return words_of(without_math(_html(text, names, depth)))
