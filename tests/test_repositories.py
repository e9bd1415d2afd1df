"""Addresses and names of repositories."""

from __future__ import annotations

import pytest

from sitegen.config.forges import is_address, last_name


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
    """A text with a protocol, or with a user and a host, is an address."""
    assert is_address(text) is expected


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
    """A repository's name is the last part of its folder or address."""
    assert last_name(place) == name
