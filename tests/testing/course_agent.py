"""An agent of the Othello course as students write them, with gaps for what makes it special."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

from polyversi.protocols.course import CourseSeat

AGENT = """
import random
import time
import numpy as np

COLOR_BLACK, COLOR_WHITE, COLOR_NONE = -1, 1, 0
random.seed(0)
{imports}

class AI(object):
    {members}

    def __init__(self, chessboard_size, color, time_out):
        self.chessboard_size = chessboard_size
        self.color = color
        self.time_out = time_out
        {own_list}

    def legal(self, board):
        found = []
        for row in range(self.chessboard_size):
            for column in range(self.chessboard_size):
                if board[row][column] == COLOR_NONE and self.turns(board, row, column):
                    found.append((row, column))
        return found

    def turns(self, board, row, column):
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                r, c, count = row + down, column + right, 0
                while 0 <= r < self.chessboard_size and 0 <= c < self.chessboard_size:
                    if board[r][c] != -self.color:
                        if board[r][c] == self.color and count:
                            return True
                        break
                    r, c, count = r + down, c + right, count + 1
        return False

    def go(self, chessboard):
        self.candidate_list.clear()
        for move in self.legal(chessboard):
            self.candidate_list.append(move)
{go}
"""
"""An agent as students write them; what makes it special stands in the gaps."""

CHOOSE = "if self.candidate_list: self.candidate_list.append(self.candidate_list[0])"
CHOOSE_LAST = "if self.candidate_list: self.candidate_list.append(self.candidate_list[-1])"
CHOOSE_WITH_HELP = "if self.candidate_list: self.candidate_list.append(helper.first(self.candidate_list))"


def agent(folder: Path, go: str = CHOOSE, name: str = "agent.py", imports: str = "", members: str = "pass",
          own_list: str = "self.candidate_list = []") -> CourseSeat:
    """The seat of an agent whose method ends with these lines."""
    path = folder / name
    path.write_text(AGENT.format(imports=imports, members=members, own_list=own_list, go=indent(go, " " * 8)))
    return CourseSeat(path, "course")
