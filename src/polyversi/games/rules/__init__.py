"""The rules of every game in words and examples, made from its definition."""

from __future__ import annotations

from dataclasses import dataclass

from polyversi.games.board_cache import board_cache
from polyversi.games.game import Game
from polyversi.games.rules.example import Example
from polyversi.games.rules.search import find_examples, start_example
from polyversi.games.rules.sections import sections
from polyversi.games.rules.sentence import Entry, Section, Sentence
from polyversi.games.rules.tile_examples import tile_examples

__all__ = ["Entry", "Example", "Rules", "Section", "Sentence", "rules_of"]


@dataclass(frozen=True)
class Rules:
    """The rules of a game: sections of sentences, and examples that are real positions and moves."""

    goal: str
    sections: tuple[Section, ...]
    examples: tuple[Example, ...]

    @property
    def legend(self) -> tuple[Section, ...]:
        """The sections that explain what lies on the board and beside it; empty in games of stones alone."""
        return tuple(section for section in self.sections if section.is_legend)

    def __str__(self) -> str:
        return "\n\n".join(_written(section) for section in self.sections)


def rules_of(game: Game) -> Rules:
    """The rules of a game.

    >>> import polyversi as pv
    >>> rules = rules_of(pv.game("cylinder"))
    >>> rules.goal, [example.name for example in rules.examples]
    ('Most stones win.', ['start', 'capture', 'lines', 'joined', 'pass', 'end'])
    """
    return _rules_of(game, game.spec)


@board_cache(64)
def _rules_of(game: Game, spec: str) -> Rules:    # the name says what options there are
    del spec
    rules = game.definition
    if rules.has_special_tiles:
        fitting = (example for example in tile_examples(rules.goal)
                   if example.name != "transition" or rules.board.links)
        examples = tuple(filter(None, (start_example(game), *fitting)))
    else:
        examples = find_examples(game)
    return Rules(rules.goal_in_words, sections(game), examples)


def _written(section: Section) -> str:
    lines = [section.title, *(f"  {sentence}" for sentence in section.sentences)]
    for entry in section.entries:
        lines.append(f"  {entry.term}: {' '.join(map(str, entry.sentences))}")
    return "\n".join(lines)
