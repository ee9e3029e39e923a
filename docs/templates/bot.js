#!/usr/bin/env node
// A bot for Polyversi: reads one line of JSON a move, answers with one. It plays any legal move.
const readline = require("node:readline");

// The place for your ideas: request.moves are the legal moves, request.position is the board.
function choose(request) {
  return request.moves[Math.floor(Math.random() * request.moves.length)];
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  console.log(JSON.stringify({ move: choose(JSON.parse(line)) }));
});
