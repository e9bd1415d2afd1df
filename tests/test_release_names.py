"""Names of releases."""

from __future__ import annotations

import pytest

from sitegen.text.release_names import is_prerelease, name_releases, says_version


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("v1.8.2", "1.8.2"),
        ("V2", "2"),
        ("1.8.2", "1.8.2"),
        ("release-1.2", "1.2"),
        ("release/1.2", "1.2"),
        ("rel_1_2", "1.2"),
        ("torch-1.8.2", "1.8.2"),
        ("torch-v1.8.2", "1.8.2"),
        ("pkg/sub/v1.2.3", "1.2.3"),
        ("@scope/pkg@1.0.0", "1.0.0"),
        ("REL_9_6_1", "9.6.1"),
        ("OpenSSL_1_1_1k", "1.1.1k"),
        ("v2024-07-01", "2024-07-01"),
        ("2024-07", "2024-07"),
        ("my-2-cents-1.0", "1.0"),
        ("v\u0663.\u0661", "\u0663.\u0661"),
        ("v5.0.0-alpha.1", "5.0.0-alpha.1"),
        ("5.6.15.Final", "5.6.15.Final"),
        ("2.1.0.RELEASE", "2.1.0.RELEASE"),
        ("v1.0-final", "1.0-final"),
        ("nightly", "nightly"),
        ("spring-of-2024-edition", "spring-of-2024-edition"),
        ("--output=x", "--output=x"),
        ("v", "v"),
        ("", ""),
    ],
)
def test_a_name_is_the_version_in_a_label(label: str, name: str) -> None:
    """A release has the version in its label as name, without a prefix."""
    assert name_releases([label]) == {label: name}


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        ("a-1.0 b-1.0", "a-1.0 b-1.0"),
        ("a-1.0 b-1.0 a-1.1", "1.0 b-1.0 1.1"),
        ("v1.0 v1.1 plugin-1.0", "1.0 1.1 plugin-1.0"),
        ("v1.0 plugin-1.0 plugin-1.1", "1.0 plugin-1.0 1.1"),
        ("1.0 v1.0", "1.0 v1.0"),
        ("v1.0 v1.1 release-1.1", "1.0 1.1 release-1.1"),
    ],
)
def test_labels_with_one_version(labels: str, names: str) -> None:
    """Of labels with one version the plainest or most common has its name; the others have none."""
    assert [*name_releases(labels.split()).values()] == names.split()
    assert {*name_releases(reversed(labels.split())).values()} == {*names.split()}


def test_names_are_in_normal_form() -> None:
    """Names are in Unicode normal form."""
    assert set(name_releases(["e\u0301t\u00e9"]).values()) == {"\u00e9t\u00e9"}


@pytest.mark.parametrize(
    "label",
    ["v1", "1.0", "torch-2.0", "REL_9_6_1", "2024-07", "@a/b@1.0", "v1.0-final", "20240101"],
)
def test_versions_are_told_from_words(label: str) -> None:
    """A label with a version is recognized."""
    assert says_version(label)


@pytest.mark.parametrize(
    "label", ["nightly", "build/trunk/1234", "spring", "2024-spring", "<b>1.0</b>", "", "-"]
)
def test_words_and_build_numbers_are_no_versions(label: str) -> None:
    """Words, and build numbers in folders of tags, are not versions."""
    assert not says_version(label)


@pytest.mark.parametrize(
    "label",
    [
        "2.0rc1",
        "v5.0.0-beta.2",
        "1.0.dev3",
        "1.0a1",
        "1.0-SNAPSHOT",
        "v3.0.0-next.1",
        "5.0.0.M1",
        "v1.0-canary",
        "cypress.rc3",
        "ficus.1rc2",
        "1.0-next",
        "vue-1.0-next-3",
        "my-edge-2.0-canary.1",
        "app-nightly-20240105",
    ],
)
def test_prereleases_are_recognized(label: str) -> None:
    """A label that announces a coming release is a pre-release."""
    assert is_prerelease(label)


@pytest.mark.parametrize(
    "label",
    [
        "1.0",
        "v1.0.post1",
        "1.0.2c",
        "2024-07-01",
        "5.6.15.Final",
        "spring",
        "1.0+local",
        "my-edge-1.2.0",
        "vue-next-3.0.0",
        "@x/react-canary@1.0.0",
        "apple-m1-v1.0",
    ],
)
def test_releases_proper_are_no_prereleases(label: str) -> None:
    """A letter after a version, as in OpenSSL, a date, or a word in the name of the product does
    not make a pre-release."""
    assert not is_prerelease(label)
