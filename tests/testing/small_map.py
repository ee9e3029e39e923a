"""A small map of Reversi XT for four with a bit of everything: quick to play to the end."""

SMALL_MAP = """\
4
1
1 1
8 8
c 0 0 0 0 0 0 b
0 0 0 0 0 0 0 0
0 0 1 2 3 4 0 0
0 0 2 3 4 1 0 0
0 x 3 4 1 2 i 0
0 0 4 1 2 3 0 0
0 0 0 0 0 0 0 0
b 0 0 - - 0 0 c
0 0 7 <-> 7 7 3
3 6 4 <-> 3 0 0
"""
