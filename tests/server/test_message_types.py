"""The page's types of messages and events are those of the Python structs."""

from __future__ import annotations

from tests.testing.message_types import TARGET, page_types


def test_the_page_knows_the_messages_as_they_are() -> None:
    assert TARGET.read_text() == page_types(), "run `python -m tests.testing.message_types`"
