r"""LaTeX: `\newglossaryentry`, `\newacronym` and similar commands of the packages glossaries and acro.

These commands are read anywhere in a file. A file without any has its terms in lists, `\item[name]`, or in
environments, `\begin{definition}[name]`. TeX is not run: an unknown macro is replaced with its arguments.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from html import escape, unescape
from typing import NamedTuple

from sitegen.formats.common import entries, raw_text
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.raw_text import is_markdown
from sitegen.model import Document, Problem, Reading
from sitegen.text.prose import reference_href

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
BRACE = re.compile(r"(?<!\\)[{}]")
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
    "ss": "ß",
    "ae": "æ",
    "AE": "Æ",
    "oe": "œ",
    "OE": "Œ",
    "o": "ø",
    "O": "Ø",
    "aa": "å",
    "AA": "Å",
    "l": "ł",
    "ldots": "…",
    "dots": "…",
    "textendash": "–",
    "textemdash": "—",
    "textbackslash": "\\",
    "copyright": "©",
    "LaTeX": "LaTeX",
    "TeX": "TeX",
    "textasciitilde": "~",
    "textregistered": "®",
    "texttrademark": "™",
    "i": "i",
    "glsentrydesc": "",
    "glspar": "\n\n",
    "par": "\n\n",
    "newline": "\n",
    "linebreak": " ",
    "nopostdesc": "",
    "xspace": "",
    "noindent": "",
}


SIZES = frozenset({"Large", "LARGE", "Huge"})
PLURAL_OF = "\0"
"""The prefix of the keys of plurals in the mapping of names."""


class Argument(NamedTuple):
    text: str
    past: int


def looks_like(document: Document) -> bool:
    """True if a command in the text defines an entry, and the text is not Markdown about LaTeX."""
    return SIGN.search(document.text) is not None and not is_markdown(document.text)


def parse(document: Document) -> Reading:
    """Returns the entries that commands in a file define."""
    text = MARK.sub(lambda mark: mark[1] or "$", COMMENT.sub("", document.text))
    names: dict[str, str] = {}
    found: list[tuple[LatexEntry, int]] = []
    unread: list[Problem] = []
    macros: list[Problem] = []
    line, past = 1, 0
    for command in entries.limited(document, COMMAND.finditer(text)):
        if len(unread) >= MAX_UNREAD:
            break
        line, past = line + text.count("\n", past, command.start()), command.start()
        parsed = _entry(text, command)
        if parsed is None:
            wanted = "close every brace; an entry has a key, and fields or a short and a long form"
            found_here = f"\\{command[1]} cannot be read"
            unread.append(Problem(path=document.path, line=line, found=found_here, wanted=wanted))
        elif PARAMETER.search(parsed.key):
            wanted = "write the command itself for each entry"
            found_here = "entries of a macro are not read"
            macros.append(Problem(path=document.path, line=line, found=found_here, wanted=wanted))
        else:
            found.append((parsed, line))
            names[parsed.key] = parsed.names[0] if parsed.names else parsed.key
            if parsed.plural:
                names[PLURAL_OF + parsed.key] = parsed.plural
    problems = (*macros[:MAX_UNREAD], *unread)
    if not found and not problems:
        found = [*entries.limited(document, _labelled(text))]
    if not found and not problems:
        wanted = r"wanted \newglossaryentry, \newacronym or \item[name]"
        return Reading(problems=(Problem(path=document.path, found="no terms found", wanted=wanted),))
    candidates = [
        Candidate(
            names=tuple(dict.fromkeys(_plain(name, names) for name in entry.names)),
            html=_paragraphs(entry.definition, names) + _see(entry.related, names),
            line=line,
            anchors=(entry.key,) if entry.key else (),
        )
        for entry, line in found
    ]
    reading = entries.read(document, candidates)
    is_partial = len(unread) >= MAX_UNREAD
    return Reading(entries=reading.entries, problems=(*problems, *reading.problems), is_partial=is_partial)


def _labelled(text: str) -> Iterator[tuple[LatexEntry, int]]:
    """Yields the terms of lists and environments; those within a definition are part of it."""
    past, line, start = 0, 1, 0
    for label in LABEL.finditer(text):
        if label.start() < past:
            continue
        name, past = _optional(text, label.end())
        begin, depth = past, 0
        for bound in BOUND.finditer(text, begin):
            past = bound.start()
            if depth == 0 and bound[1] != "begin":
                break
            depth += {"begin": 1, "end": -1}.get(bound[1], 0)
        else:  # the list ends in the file that includes this one
            past = len(text)
        line, start = line + text.count("\n", start, label.start()), label.start()
        if any(map(str.isalpha, name)):
            yield LatexEntry("", [name.strip().removesuffix(":")], text[begin:past]), line


class LatexEntry(NamedTuple):
    key: str
    names: list[str]
    definition: str
    related: Sequence[str] = ()
    """The keys of related entries."""
    plural: str = ""


def _entry(text: str, command: re.Match[str]) -> LatexEntry | None:
    """Returns the parts of an entry; None if its arguments cannot be found."""
    options, past = _optional(text, command.end())
    key = _braced(text, past)
    if key is None:
        return None
    if command[1] == "acro":  # \acro{key}[short]{long}
        short, past = _optional(text, key.past)
        long = _braced(text, past)
        return LatexEntry(key.text, [short or key.text], long.text) if long else None
    second = _braced(text, key.past)
    if second is None:
        return None
    if command[1] in ("newacronym", "newabbreviation"):
        long = _braced(text, second.past)
        fields = _fields(options)
        if long is None:
            return None
        acronym = _acronym(second.text, long.text, fields.get("description", ""))
        return LatexEntry(key.text, *acronym, _keys(fields.get("see", "")))
    fields = _fields(second.text)
    plural = fields.get("plural", "")
    if command[1] == "DeclareAcronym":
        short, extra = fields.get("short", key.text), fields.get("extra", "")
        return LatexEntry(key.text, *_acronym(short, fields.get("long", ""), extra), plural=plural)
    body = fields.get("description", "")
    if command[1].startswith("long"):
        third = _braced(text, second.past)
        body = third.text if third else ""
    others = [fields[name] for name in ("long", "symbol") if name in fields and fields[name] != r"\relax"]
    names, related = [fields.get("name", key.text), *others], fields.get("see", "") or fields.get("seealso", "")
    return LatexEntry(key.text, names, body, _keys(related), plural)


def _acronym(short: str, long: str, description: str) -> tuple[list[str], str]:
    """Returns the names and the definition of an acronym. The long form is a name if there is a description."""
    return ([short, long], description) if description.strip() else ([short], long)


def _keys(text: str) -> list[str]:
    return [key.strip() for key in re.sub(r"\[[^\]]*\]", "", text).split(",") if key.strip()]


def _optional(text: str, past: int) -> Argument:
    """Returns the argument in square brackets, if there is one."""
    start = _past_space(text, past)
    if not text.startswith("[", start):
        return Argument("", past)
    depth = 0
    for index in range(start, min(len(text), start + MAX_LENGTH)):
        depth += {"{": 1, "}": -1}.get(text[index], 0)
        if text[index] == "]" and depth == 0:
            return Argument(text[start + 1 : index], index + 1)
    return Argument("", past)


def _braced(text: str, past: int) -> Argument | None:
    """Returns the argument in braces."""
    start = _past_space(text, past)
    if not text.startswith("{", start):
        return None
    depth = 0
    for brace in BRACE.finditer(text, start, start + MAX_LENGTH):
        depth += 1 if brace[0] == "{" else -1
        if depth > MAX_DEPTH:
            return None
        if depth == 0:
            return Argument(text[start + 1 : brace.start()], brace.end())
    return None


def _past_space(text: str, past: int) -> int:
    space = SPACE.match(text, past)
    return space.end() if space else past


def _fields(text: str) -> dict[str, str]:
    """Returns the fields of a list of keys with values. Commas inside braces do not separate fields."""
    parts: list[str] = []
    depth = start = 0
    for mark in re.finditer(r"(?<!\\)[{},]", text):
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
        if mark[0] == "," and depth == 0:
            parts.append(text[start : mark.start()])
            start = mark.end()
    pairs = (part.partition("=") for part in (*parts, text[start:]))
    return {key.strip().lower(): _unbraced(value.strip()) for key, equals, value in pairs if equals}


def _unbraced(text: str) -> str:
    inner = _braced(text, 0)
    return inner.text if inner and inner.past == len(text) else text


def _paragraphs(text: str, names: dict[str, str]) -> str:
    parts = re.split(r"\n[ \t]*\n|\\par\b|\\glspar\b", text.strip())
    return "".join(f"<p>{html}</p>" for part in parts if (html := _html(part.strip(), names).strip()))


def _see(keys: Sequence[str], names: dict[str, str]) -> str:
    links = ", ".join(_reference(key, _plain(names.get(key, key), names)) for key in keys)
    return f"<p>See also: {links}</p>" if links else ""


def _reference(key: str, shown: str) -> str:
    return f'<a href="{escape(reference_href(f"#{key}"))}">{escape(shown, quote=False)}</a>'


TOKEN = re.compile(
    r"\\(?P<accent>[`'^~\"=.]|[cvHukr](?![a-zA-Z]))\s*(?:\{\\?(?P<of>\w?)\}|(?P<on>\\?\w))"
    r"|\\(?P<name>[a-zA-Z@]+)\*?[ \t]*"
    r"|\\(?P<char>[^a-zA-Z])|(?<!\\)\$(?P<math>[^$]+)\$|(?P<open>\{)|(?P<close>\})|(?P<plain>[^\\${}]+)|(?P<other>.)",
    re.S,
)


def _html(text: str, names: dict[str, str], depth: int = 0) -> str:
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
        elif token["plain"]:
            out.append(escape(_typography(token["plain"]), quote=False))
        elif token["char"]:
            out.append(
                {"\\": " ", ",": " ", " ": " ", "-": "", "/": "", "\n": " "}.get(token["char"], escape(token["char"]))
            )
        elif token["name"]:
            html, past = _command(token["name"], text, past, names, depth)
            out.append(html)
        elif token["other"]:
            out.append(escape(token["other"]))
    return "".join(out)


def _command(name: str, text: str, past: int, names: dict[str, str], depth: int) -> tuple[str, int]:
    """Returns the HTML of a command with its arguments, and where these end."""
    if name in CHARACTERS:
        return escape(CHARACTERS[name], quote=False), past
    if name == "begin" or name == "end":
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
    if name in REFERENCES:
        shown = _braced(text, inner.past) if name in ("glslink", "glsdisp") else None
        key = " ".join(inner.text.split())
        word = names.get(key, key)
        plural = names.get(PLURAL_OF + key, f"{word}s")
        words = shown.text if shown else plural if name.lower() == "glspl" else word
        return _reference(inner.text, _plain(words, names, depth + 1)), (shown or inner).past
    if name in ("url", "href"):
        shown = _braced(text, inner.past) if name == "href" else None
        words = _html(shown.text, names, depth + 1) if shown else escape(inner.text, quote=False)
        return f'<a href="{escape(inner.text)}">{words}</a>', (shown or inner).past
    html = _html(inner.text, names, depth + 1)
    if name == "footnote":
        return f" ({html})", inner.past
    if name == "enquote":
        return f"“{html}”", inner.past
    return (f"<{STYLES[name]}>{html}</{STYLES[name]}>" if name in STYLES else html), inner.past


def _typography(text: str) -> str:
    text = text.replace("---", "—").replace("--", "–").replace("``", "“").replace("''", "”")
    return re.sub(r"\s+", " ", text.replace("~", " "))


def _plain(text: str, names: dict[str, str], depth: int = 0) -> str:
    if depth >= MAX_DEPTH:
        return " ".join(text.split())
    inner = re.sub(r"<[^>]*>", "", raw_text.without_math(_html(text, names, depth)))
    return " ".join(unescape(inner).split())
