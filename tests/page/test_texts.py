"""Every text of the page is in every dictionary; `make page-texts` lists what is not."""

from __future__ import annotations

import pytest

from tests.testing.texts import languages, misfilled, missing, texts


def test_texts_are_written_where_they_can_be_found() -> None:
    assert texts().unread == []


@pytest.mark.parametrize("language", languages())
def test_every_text_has_its_translation(language: str) -> None:
    assert list(missing(language, texts())) == []


@pytest.mark.parametrize("language", languages())
def test_translations_have_the_placeholders_of_their_texts(language: str) -> None:
    assert misfilled(language) == []
