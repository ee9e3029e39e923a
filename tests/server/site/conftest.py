"""A site on a server for all tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.testing.site import SiteServer


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    """A site on a real server."""
    with SiteServer(tmp_path_factory.mktemp("site")) as served:
        yield served
