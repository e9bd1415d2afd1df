"""Removes users, passwords and tokens from addresses.

Each message and page shows an address by `shown_address`. Lines of git, which quote addresses, pass
`without_credentials`. What is printed as an error passes `without_user` once more.
"""

from __future__ import annotations

import re

_SCHEME = r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]+:/{1,2}"
# The second alternative is a password with a slash: it is not allowed, but must not be shown
# either. Digits before the slash are a port, as in "https://host:80/a@b".
_AFTER_SCHEME = rf"(?P<scheme>{_SCHEME})(?:[^/\s]*|[^/\s:@]*:(?![0-9]*/)\S*)@"
_USER = re.compile(rf"{_AFTER_SCHEME}|(?:^|(?<=/))[^/\s:@]+:[^/\s@]+@")
"""The user and the password of an address, after its scheme, or at the beginning of the text or
of a part of a path."""
_ADDRESS = re.compile(rf"\s*{_SCHEME}")
_SSH_USER = re.compile(r"[^\s/:@']+@(?=[\w.-]+:)")
"""The user of `user@host:path`, also in a message of ssh: `user@host: Permission denied`."""
_QUERY = re.compile(r"[?#].*", re.DOTALL)
_QUERY_OF_PATH = r"(?s)\?[\w.-]+=.*"
"""A query in what may be a path, or an address without its scheme."""
_QUOTED_QUERY = r"(?<=://)([^\s?#]*)[?#]\S*?(?=(?:'[:;.,]?)?(?:\s|\Z))"
"""The address before its query, which ends before white space, or before the quote there."""


def without_user(text: str) -> str:
    """Returns a text without the users and passwords of the addresses in it."""
    # A word has the space before it, so that it does not look like the beginning of the text.
    return re.sub(r"\s?\S+", _word_without_user, text)


def _word_without_user(word: re.Match[str]) -> str:
    """Returns a word of a text without users and passwords. After its last at sign there is none,
    and a search would take quadratic time."""
    before, at_sign, after = word[0].rpartition("@")
    return _USER.sub(lambda match: match["scheme"] or "", before + at_sign) + after


def shown_address(address: str) -> str:
    """Returns an address without user, password, query and fragment, for a message or a page. A
    path loses only what can be a secret.

    >>> shown_address("https://ada:secret@example.org/words/?token=secret")
    'https://example.org/words/'
    """
    if _ADDRESS.match(address):
        # White space is replaced first, as the pattern would end a password there.
        whole = re.sub(r"\s", "%20", address.strip())
        return _QUERY.sub("", without_user(whole))
    path = re.sub(_QUERY_OF_PATH, "", without_user(address))
    if _SSH_USER.match(path):
        return _SSH_USER.sub("", path)
    return path


def without_credentials(text: str) -> str:
    """Returns a text of git without users, passwords, queries and fragments of the addresses that
    it quotes."""
    return _SSH_USER.sub("", re.sub(_QUOTED_QUERY, r"\1", without_user(text)))
