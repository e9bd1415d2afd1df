"""How repositories are named."""

from __future__ import annotations

import pytest

from sitegen.config.repositories import is_address, last_name, without_password


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://example.org/x.git", True),
        ("git@example.org:x/y.git", True),
        ("ssh://git@example.org/x", True),
        ("../pytorch", False),
        ("/srv/x", False),
        (".", False),
        ("ext::sh -c x", False),
        ("--upload-pack=x", False),
    ],
)
def test_addresses_are_told_from_folders(text: str, expected: bool) -> None:
    """What has a protocol, or a user and a host, is an address."""
    assert is_address(text) is expected


def test_a_password_is_not_shown() -> None:
    """Names and passwords are left out of an address that is shown."""
    assert without_password("https://me:secret@example.org/x") == "https://example.org/x"
    assert without_password("git@example.org:x.git") == "git@example.org:x.git"


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ("https://example.org/group/pytorch.git", "pytorch"),
        ("git@example.org:pytorch.git", "pytorch"),
        ("/srv/pytorch/", "pytorch"),
        ("pytorch", "pytorch"),
        ("/srv/.git", ".git"),
    ],
)
def test_a_repository_is_called_by_its_last_name(place: str, name: str) -> None:
    """The last name of a folder or an address is the repository's."""
    assert last_name(place) == name
