"""The order of names, and the letters that they are listed under, in several languages."""

from __future__ import annotations

import pytest

from sitegen.text.collation import ALPHABETS, letter, order


@pytest.mark.parametrize(
    ("language", "names"),
    [
        (
            "en",
            "12, 3D, (a), à la carte, a priori, abacus, ǽon, Ångström, Éclair, edge, naïve, naive "
            "set, Øre, _private",
        ),
        ("en", "zebra, Ωmega, Жук, ألف, か"),
        ("de", "Ähre, Arm, Maß, Masse, Öl, Ulm"),
        ("sv", "Ark, Zebra, Ål, Ärta, Öl"),
        ("da", "Zebra, Æble, Øl, Ål"),
        ("es-MX", "nube, ñandú, oso"),
        ("pl", "cena, ćma, lampa, łódź, mapa"),
        ("ru", "Ёж, Ель, Жук, Игла, Йод"),
        ("el", "άλφα, βήτα, Γάμμα, σίγμα, ωμέγα"),
        ("ar", "أمر, باب, تاج, مصطلح, ياء"),
        ("he", "אות, כלב, מים, ענן"),
        ("ko", "가방, 나무, 하늘"),
        ("hi", "कंटेनर, कई, काम, किताब, कुबेरनेट्स, कैनरी, क्लस्टर, निरंतर, नोड्स"),
        ("zh-CN", "API 网关, 边缘计算, 重庆, CI/CD, 容器, Sidecar 容器, 虚拟机"),
        ("zh-CN", "金丝雀部署, 紧耦合架构, 进程"),
        ("zh-TW", "API 閘道, CI/CD, 容器, 虛擬機"),
        ("bn", "কন্টেইনার, কেওস, নিরাপত্তা, নোড, বহু, বেয়ার"),
        ("en", "\u2601\ufe0f Cloud, \u2601 Cluster"),
    ],
)
def test_names_stand_in_the_order_of_their_language(language: str, names: str) -> None:
    """Letters and vowel signs have the order of the language; diacritics, case and other signs only
    decide between equal names."""
    expected = names.split(", ")
    assert (
        sorted(sorted(expected, reverse=True), key=lambda name: order(name, language)) == expected
    )


@pytest.mark.parametrize(
    ("language", "name", "expected"),
    [
        ("en", "naïve", "N"),
        ("en", "Éclair", "E"),
        ("en", "E\u0301clair", "E"),
        ("en", "łódź", "L"),
        ("pl", "łódź", "Ł"),
        ("en", "Öl", "O"),
        ("sv", "Öl", "Ö"),
        ("de", "ß", "S"),
        ("en", "ﬁeld", "F"),
        ("en", "ǽon", "A"),
        ("en", "Жук", "Ж"),
        ("ru", "ёж", "Е"),
        ("ru", "йод", "Й"),
        ("el", "άλφα", "Α"),
        ("ar", "أمر", "ا"),
        ("en", "漢字", "漢"),
        ("zh", "容器", "R"),
        ("zh-Hans-CN", "重庆", "C"),
        ("zh-CN", "３ 层", "0–9"),
        ("zh-TW", "容器", "漢"),
        ("ja", "ガス", "か"),
        ("ko", "나무", "ㄴ"),
        ("en", "ａｐｉ", "A"),
        ("en", "3D", "0–9"),
        ("en", "٣", "0–9"),
        ("en", "(c)", "#"),
        ("en", "__proto__", "#"),
        ("en", "🚀", "#"),
        ("en", "", "#"),
        ("en", "\u0301", "#"),
    ],
)
def test_every_name_stands_under_a_letter(language: str, name: str, expected: str) -> None:
    """A name is listed under its first letter in its language, or under digits or signs."""
    assert letter(name, language) == expected


@pytest.mark.parametrize("language", sorted(ALPHABETS))
def test_alphabets_are_letters(language: str) -> None:
    """An alphabet has each letter once, and each letter is listed under itself."""
    letters = ALPHABETS[language]
    assert len({*letters}) == len(letters)
    assert [letter(one.lower(), language) for one in letters] == [*letters]
