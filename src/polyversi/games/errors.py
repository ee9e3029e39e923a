"""The errors a user can meet, each with a sentence that says what was wrong and what would be right."""


class PolyversiError(ValueError):
    """The base of every error that bad input can cause.

    >>> import polyversi as pv
    >>> try:
    ...     pv.game("chess")
    ... except pv.PolyversiError as error:
    ...     print(type(error).__name__)
    VariantError
    """


class VariantError(PolyversiError):
    """An unknown variant or option, or a value an option does not take."""


class NotationError(PolyversiError):
    """Text that cannot be read as a cell, a move, a position or a transcript."""


class IllegalMoveError(PolyversiError):
    """A move that can be read but that the rules do not allow here."""


class MapError(PolyversiError):
    """An XT map that is rejected, with the place in its text."""


class RecordError(PolyversiError):
    """A stored game or a file of games that cannot be read or written."""


class LimitError(PolyversiError):
    """A limit that cannot be read or kept."""


class PlayerError(PolyversiError):
    """An unknown player or option, or a game that a player does not play."""
