#!/usr/bin/env python3
"""A bot for Polyversi: reads one line of JSON a move, answers with one. It plays any legal move."""

import json
import random
import sys


def choose(request):
    """The place for your ideas: request["moves"] are the legal moves, request["position"] is the board."""
    return random.choice(request["moves"])


for line in sys.stdin:
    print(json.dumps({"move": choose(json.loads(line))}), flush=True)
