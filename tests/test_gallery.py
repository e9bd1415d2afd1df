"""The gallery can take its pictures: every page that it names exists."""

from __future__ import annotations

import pytest
from gallery import MORE_SITES, MORE_VIEWS
from sites import pages_of
from views import SITES


@pytest.mark.parametrize("name", MORE_SITES)
def test_every_page_of_its_own_is_there(name: str) -> None:
    """Each of its sites has the pages to picture."""
    site = MORE_SITES[name]()
    looked_at = {f"/{view.path}" for view in MORE_VIEWS if view.site == name}
    assert looked_at
    assert looked_at <= {f"/{address}" for address in pages_of(site)}


def test_every_view_is_of_a_site() -> None:
    """Every site that a view names is built."""
    assert {view.site for view in MORE_VIEWS} <= {*SITES, *MORE_SITES}
