"""Trees: games with variations and comments, to be walked and edited."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from polyversi._core import Move
from polyversi.drawing.words import counted
from polyversi.games.errors import RecordError
from polyversi.games.state import State
from polyversi.records.record import Note, Record, Variation


class Node:
    """A position in a tree, and the move that led to it.

    >>> root = Record.of("othello", "f5d6").tree().root
    >>> root.next.move, root.next.state.scores, root.next.ply
    (Move('f5'), (4, 1), 1)
    """

    def __init__(self, state: State, move: Move | None = None, parent: Node | None = None) -> None:
        self.state = state
        """The position after the move."""
        self.move = move
        """None at the root."""
        self.parent = parent
        """None at the root, and after `delete`."""
        self.next: Node | None = None
        """The continuation of this line; None where the line ends."""
        self.variations: list[Node] = []
        """The other moves that are considered here, the most important one first."""
        self.note = Note()
        """The comment, the time and the value of the move."""
        self._disqualified: tuple[int, ...] = ()

    @property
    def comment(self) -> str:
        """The comment on the move; at the root, on the whole game."""
        return self.note.comment

    @comment.setter
    def comment(self, text: str) -> None:
        self.note = replace(self.note, comment=text)

    @property
    def ply(self) -> int:
        """Moves from the start of the game to here."""
        return len(self.moves)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that lead here from the start of the game."""
        found: list[Move] = []
        node = self
        while node.parent is not None and node.move is not None:
            found.append(node.move)
            node = node.parent
        return tuple(found[::-1])

    @property
    def children(self) -> tuple[Node, ...]:
        """The continuation, if there is one, and the variations."""
        return (*([self.next] if self.next else []), *self.variations)

    @property
    def is_main_line(self) -> bool:
        """Whether the main line leads here."""
        node = self
        while node.parent is not None:
            if node.parent.next is not node:
                return False
            node = node.parent
        return True

    def play(self, move: Move | str) -> Node:
        """The node after a move; a new one if the move was not considered here yet.

        A new node continues the line where the line ends, and is a variation everywhere else.

        >>> root = Record.of("othello", "f5d6").tree().root
        >>> root.play("f5") is root.next, root.play("d3").is_main_line
        (True, False)
        """
        return self._child(move) or self._add(move, is_variation=self.next is not None)

    def add_variation(self, move: Move | str) -> Node:
        """The node after a move like `play`, but a new one never continues the line.

        It is for what might have come after the end of a game, which is not part of the game.

        >>> tree = Record.of("othello", "f5d6").tree()
        >>> tree.main_line()[-1].add_variation("c3").is_main_line
        False
        """
        return self._child(move) or self._add(move, is_variation=True)

    def promote(self) -> None:
        """Makes this node the continuation of its line; the one before becomes the first variation."""
        parent = self._parent("promoted")
        if parent.next is self:
            return
        if parent.next is not None:
            if any(node._disqualified for node in parent.next.line()):
                raise RecordError("a line in which a seat was disqualified must stay the main line")
            parent.variations.insert(0, parent.next)
        parent.variations.remove(self)
        parent.next = self

    def make_main_line(self) -> None:
        """Promotes this node and those before it, until the main line leads here.

        >>> tree = Record.of("othello", "f5d6").tree()
        >>> tree.root.play("f5").play("f6").make_main_line()
        >>> [str(node.move) for node in tree.main_line()], tree.record().variations[0].moves
        (['f5', 'f6'], (Move('d6'),))
        """
        node = self
        while node.parent is not None:
            node.promote()
            node = node.parent

    def delete(self) -> None:
        """Takes this node and all that follows it out of the tree.

        If it continued its line, the first variation takes its place.

        >>> tree = Record.of("othello", "f5d6c3").tree()
        >>> tree.main_line()[1].delete()
        >>> [str(node.move) for node in tree.main_line()]
        ['f5']
        """
        parent = self._parent("deleted")
        if parent.next is self:
            parent.next = parent.variations.pop(0) if parent.variations else None
        else:
            parent.variations.remove(self)
        self.parent = None

    def line(self) -> Iterator[Node]:
        """This node and its continuation to the end of the line, without variations."""
        node: Node | None = self
        while node is not None:
            yield node
            node = node.next

    def walk(self) -> Iterator[Node]:
        """This node and all below it: first what continues a line, then its variations from the first.

        >>> tree = Record.of("othello", "f5d6c3").tree()
        >>> tree.root.play("f5").play("f6")
        <Node f5 f6>
        >>> [str(node.move) for node in tree.root.walk()]
        ['None', 'f5', 'd6', 'c3', 'f6']
        """
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(node.children[::-1])

    def _child(self, move: Move | str) -> Node | None:
        move = self.state.as_move(move)
        return next((child for child in self.children if child.move == move), None)

    def _add(self, move: Move | str, *, is_variation: bool) -> Node:
        move = self.state.as_move(move)
        child = Node(self.state.play(move), move, self)
        if is_variation:
            self.variations.append(child)
        else:
            self.next = child
        return child

    def _parent(self, what: str) -> Node:
        if self.parent is None:
            raise RecordError(f"the start of a game cannot be {what}; choose a move")
        return self.parent

    def __repr__(self) -> str:
        return f"<Node {' '.join(map(str, self.moves)) or 'at the start'}>"


class Tree:
    """A game with its variations and comments; change it as you like, and make a record of it again.

    >>> tree = Tree(Record.of("othello", "f5d6c3"))
    >>> after_f5 = tree.main_line()[0]
    >>> side = after_f5.play("f6")
    >>> side.comment = "the diagonal opening"
    >>> record = tree.record()
    >>> record.moves[1], record.variations[0].moves, record.variations[0].notes[0].comment
    (Move('d6'), (Move('f6'),), 'the diagonal opening')
    >>> Tree(record).root.play("f5").play("f6").comment
    'the diagonal opening'
    >>> tree
    <Tree f5 d6 c3; 1 variation>
    """

    def __init__(self, record: Record) -> None:
        self._header = record
        states = list(record.states())
        self.root = Node(states[0])
        """The start of the game."""
        self.root.comment = record.tag("comment")
        main = [self.root]
        for state, move, note in zip(states[1:], record.moves, _notes(record), strict=True):
            node = Node(state, move, main[-1])
            node.note = note
            main[-1].next = node
            main.append(node)
        for ply, seat in record.disqualified:
            main[ply]._disqualified += (seat,)
        lines = [(0, main)]    # of every line: the ply at which it begins, and its nodes
        for side in record.variations:
            first, nodes = lines[side.line]
            node = nodes[side.ply - first]
            added = [node]
            for move, note in zip(side.moves, _notes(side), strict=True):
                node = node._add(move, is_variation=len(added) == 1)
                node.note = note
                added.append(node)
            lines.append((side.ply, added))

    def main_line(self) -> list[Node]:
        """The nodes after each move of the main line, without the root.

        >>> [node.state.turn for node in Record.of("othello", "f5d6c3").tree().main_line()]
        [2, 1, 2]
        """
        return list(self.root.line())[1:]

    def __iter__(self) -> Iterator[Node]:
        """All nodes, as `Node.walk` gives them from the root."""
        return self.root.walk()

    def __repr__(self) -> str:
        lines = sum(len(node.variations) for node in self)
        moves = " ".join(str(node.move) for node in self.main_line()) or "without moves"
        return f"<Tree {moves}; {counted(lines, 'variation')}>"

    def record(self) -> Record:
        """The game with everything in the tree; players, tags and outcome are those it was made from."""
        main, variations = self.main_line(), []
        lines = [(0, [self.root, *main])]    # of every line: the ply at which it begins, and its nodes
        for number, (first, nodes) in enumerate(lines):    # which grows meanwhile
            for ply, node in enumerate(nodes, first):
                for start in node.variations:
                    side = list(start.line())
                    moves, notes = _moves(side), tuple(one.note for one in side)
                    variations.append(Variation(ply, moves, number, notes))
                    lines.append((ply + 1, side))
        tags = self._header.tags
        if self.root.comment != self._header.tag("comment"):
            tags = tuple(tag for tag in tags if tag[0] != "comment")
            tags += (("comment", self.root.comment),) if self.root.comment else ()
        disqualified = tuple((ply, seat) for ply, node in enumerate([self.root, *main])
                             for seat in node._disqualified)
        return replace(
            self._header, moves=_moves(main), tags=tags, notes=tuple(node.note for node in main),
            disqualified=disqualified, variations=tuple(variations))


def _notes(line: Record | Variation) -> tuple[Note, ...]:
    return line.notes or (Note(),) * len(line.moves)


def _moves(nodes: list[Node]) -> tuple[Move, ...]:
    return tuple(node.move for node in nodes if node.move is not None)
