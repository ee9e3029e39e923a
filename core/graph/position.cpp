#include "graph/position.hpp"

#include <algorithm>
#include <bit>

namespace polyversi::graph {
namespace {

constexpr std::uint16_t kAllSeats = 0xff;

// A bit for each seat's stone and one, above the seats, for the expansion stone that belongs to nobody.
constexpr std::array<std::uint16_t, 16> kTileBit = [] {
    std::array<std::uint16_t, 16> bits{};
    for (int seat = 0; seat < kMaxSeats; ++seat) bits[static_cast<std::size_t>(seat) + 1] = static_cast<std::uint16_t>(1 << seat);
    bits[kExpansion] = 1 << kMaxSeats;
    return bits;
}();

std::uint16_t bit_of(const Position& position, int cell) {
    return kTileBit[position.tiles[static_cast<std::size_t>(cell)]];
}

std::uint8_t& tile(Position& position, int cell) { return position.tiles[static_cast<std::size_t>(cell)]; }
std::uint8_t tile(const Position& position, int cell) { return position.tiles[static_cast<std::size_t>(cell)]; }

// What a ray meets from a cell: the seats of the stones up to the next gap, and the first of them. A seat
// captures if it is among them but not first.
struct Run {
    unsigned seats = 0, first = 0;

    unsigned captures() const { return seats & ~first; }
    void enter(unsigned bit) {
        seats = (seats | bit) & (0u - static_cast<unsigned>(bit != 0));
        first = bit;
    }
};

void sweep_path(const Position& position, std::span<const Cell> cells, std::uint16_t* captures) {
    Run run;
    for (std::size_t i = cells.size(); i-- > 0;) {
        const Cell cell = cells[i];
        captures[cell] = static_cast<std::uint16_t>(captures[cell] | run.captures());
        run.enter(bit_of(position, cell));
    }
    run = {};
    for (const Cell cell : cells) {
        captures[cell] = static_cast<std::uint16_t>(captures[cell] | run.captures());
        run.enter(bit_of(position, cell));
    }
}

// A circle without a gap: a ray meets all other cells, then its own start, where it fails.
void sweep_full_circle(const Position& position, std::span<const Cell> cells, std::uint16_t* captures) {
    std::array<int, kMaxSeats + 1> count{};
    for (const Cell cell : cells) {
        for (int seat = 0; seat < kMaxSeats; ++seat) count[static_cast<std::size_t>(seat)] += bit_of(position, cell) >> seat & 1;
    }
    unsigned once = 0, present = 0;
    for (unsigned seat = 0; seat < kMaxSeats; ++seat) {
        present |= static_cast<unsigned>(count[seat] > 0) << seat;
        once |= static_cast<unsigned>(count[seat] == 1) << seat;
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const unsigned others = present & ~(once & bit_of(position, cells[i]));
        const unsigned before = bit_of(position, cells[i == 0 ? cells.size() - 1 : i - 1]);
        const unsigned after = bit_of(position, cells[i + 1 == cells.size() ? 0 : i + 1]);
        captures[cells[i]] = static_cast<std::uint16_t>(captures[cells[i]] | (others & ~before) | (others & ~after));
    }
}

void sweep_circle(const Position& position, std::span<const Cell> cells, std::uint16_t* captures) {
    std::size_t gap = 0;
    while (gap < cells.size() && bit_of(position, cells[gap])) ++gap;
    if (gap == cells.size()) return sweep_full_circle(position, cells, captures);
    // Start just behind the gap, so that every run is met whole, and end on the gap.
    Run run;
    for (std::size_t step = 1, i = gap; step <= cells.size(); ++step) {
        i = i + 1 == cells.size() ? 0 : i + 1;
        captures[cells[i]] = static_cast<std::uint16_t>(captures[cells[i]] | run.captures());
        run.enter(bit_of(position, cells[i]));
    }
    run = {};
    for (std::size_t step = 1, i = gap; step <= cells.size(); ++step) {
        i = i == 0 ? cells.size() - 1 : i - 1;
        captures[cells[i]] = static_cast<std::uint16_t>(captures[cells[i]] | run.captures());
        run.enter(bit_of(position, cells[i]));
    }
}

// Finds the captures of all rays of one direction along a self-crossing line, from its far end, twice round if it is a circle.
// Steps are counted: what was met after the last gap, and after the ray's own cell, is what the ray meets.
void walk_against_rays(const Position& position, std::span<const Cell> cells, bool circle, bool forward, Workspace& work) {
    for (const Cell cell : cells) work.met[cell] = 0;
    std::array<std::size_t, kMaxSeats> met_seat{};
    std::size_t gap = 0;
    unsigned since_gap = 0, first = 0;
    const std::size_t steps = circle ? 2 * cells.size() : cells.size();
    for (std::size_t step = 1; step <= steps; ++step) {
        const std::size_t i = (step - 1) % cells.size();
        const Cell cell = cells[forward ? cells.size() - 1 - i : i];
        unsigned seats = since_gap;
        if (const std::size_t own = work.met[cell]; own > gap) {
            seats = 0;
            for (std::size_t seat = 0; seat < kMaxSeats; ++seat) seats |= static_cast<unsigned>(met_seat[seat] > own) << seat;
        }
        work.captures[cell] = static_cast<std::uint16_t>(work.captures[cell] | (seats & ~first));
        work.met[cell] = static_cast<std::uint32_t>(step);
        first = bit_of(position, cell);
        since_gap |= first;
        if (!first) {
            since_gap = 0;
            gap = step;
        } else if (is_stone(tile(position, cell))) {
            met_seat[tile(position, cell) - 1u] = step;
        }
    }
}

bool next_to_a_stone(const Rules& rules, const Position& position, int cell) {
    const int directions = rules.board.directions;
    for (int direction = 0; direction < directions; ++direction) {
        const int to = rules.step(cell * directions + direction);
        if (to >= 0 && is_occupied(tile(position, to / directions))) return true;
    }
    return false;
}

// The seats that can move: on free cells, and by override stones.
unsigned movable_seats(const Rules& rules, const Position& position, const Workspace& work) {
    unsigned placing = 0, overriding = 0, holders = 0;
    for (int cell = 0; cell < rules.cells(); ++cell) {
        const std::uint8_t here = tile(position, cell);
        const unsigned captures = work.captures[static_cast<std::size_t>(cell)];
        if (is_free(here)) {
            placing |= captures;
        } else if (here != kHole) {
            overriding |= here == kExpansion ? kAllSeats : captures;
        }
    }
    for (unsigned seat = 0; seat < static_cast<unsigned>(rules.seats); ++seat) {
        holders |= static_cast<unsigned>(position.overrides[seat] > 0) << seat;
    }
    return (placing | (overriding & holders)) & ~static_cast<unsigned>(position.out) & ((1u << rules.seats) - 1);
}

bool has_free_cell(const Position& position) {
    return std::any_of(position.tiles.begin(), position.tiles.end(), is_free);
}

int seats_left(const Rules& rules, const Position& position) {
    return rules.seats - std::popcount(position.out);
}

// The first seat from `candidate` on that is in `seats`, or -1.
int next_seat(const Rules& rules, unsigned seats, int candidate) {
    for (int i = 0; i < rules.seats; ++i) {
        const int seat = (candidate + i) % rules.seats;
        if (seats >> seat & 1) return seat;
    }
    return -1;
}

void settle_bombing(const Rules& rules, Position& position, int candidate) {
    unsigned armed = 0;
    for (unsigned seat = 0; seat < static_cast<unsigned>(rules.seats); ++seat) {
        armed |= static_cast<unsigned>(position.bombs[seat] > 0 && !(position.out >> seat & 1)) << seat;
    }
    const bool tiles_left = std::any_of(position.tiles.begin(), position.tiles.end(), [](std::uint8_t here) { return here != kHole; });
    position.phase = Phase::kBomb;
    if (!tiles_left) {
        position.status = Status::kNoTilesLeft;
    } else if (!armed) {
        position.status = Status::kBombsUsed;
    } else {
        position.turn = static_cast<std::uint8_t>(next_seat(rules, armed, candidate));
    }
}

void settle_xt(const Rules& rules, Position& position, int candidate, Workspace& work) {
    if (const int left = seats_left(rules, position); left <= 1) {
        position.status = left == 1 ? Status::kOneSeatLeft : Status::kNoSeatLeft;
        return;
    }
    if (position.phase == Phase::kBuild) {
        find_captures(rules, position, work);
        const int seat = next_seat(rules, movable_seats(rules, position, work), candidate);
        if (seat >= 0) {
            position.turn = static_cast<std::uint8_t>(seat);
            return;
        }
        candidate = position.last == kMaxSeats ? 0 : (position.last + 1) % rules.seats;
    }
    settle_bombing(rules, position, candidate);
}

void settle_plain(const Rules& rules, Position& position, int candidate, Workspace& work) {
    position.turn = static_cast<std::uint8_t>(candidate);
    find_captures(rules, position, work);
    if (in_opening(rules, position)) return;
    if (!has_free_cell(position)) {
        position.status = Status::kBoardFull;
    } else if (rules.passing == Passing::kFree) {
        if (position.passes == rules.seats) position.status = Status::kPasses;
    } else if (rules.placing == Placing::kCapture) {
        const unsigned seats = movable_seats(rules, position, work);
        if (!(seats >> position.turn & 1)) position.status = seats ? Status::kMustPass : Status::kNoMoves;
    } else if (count_moves(rules, position, work) == 0) {
        position.status = Status::kNoMoves;
    }
}

void act_special(const Rules& rules, Position& position, std::uint8_t special_tile, int special) {
    const auto seats = static_cast<std::uint8_t>(rules.seats);
    const auto mine = static_cast<std::uint8_t>(position.turn + 1);
    const auto theirs = static_cast<std::uint8_t>(special);
    if (special_tile == kBonus) {
        auto& stock = special == kBonusBomb ? position.bombs : position.overrides;
        ++stock[position.turn];
    } else if (special_tile == kInversion) {
        for (std::uint8_t& here : position.tiles) {
            if (is_stone(here)) here = static_cast<std::uint8_t>(here == seats ? 1 : here + 1);
        }
    } else if (special_tile == kChoice && mine != theirs) {
        for (std::uint8_t& here : position.tiles) {
            if (here == mine) {
                here = theirs;
            } else if (here == theirs) {
                here = mine;
            }
        }
    }
}

void place(const Rules& rules, Position& position, int cell, int special, Workspace& work) {
    const std::uint8_t before = tile(position, cell);
    const auto mine = static_cast<std::uint8_t>(position.turn + 1);
    if (!in_opening(rules, position)) {
        trace(rules, position, cell, work);
        for (const Cell flipped : work.cells) tile(position, flipped) = mine;
    }
    if (is_occupied(before)) --position.overrides[position.turn];
    tile(position, cell) = mine;
    act_special(rules, position, before, special);
}

template <class Visit>
void visit_moves(const Rules& rules, const Position& position, const Workspace& work, Visit visit) {
    if (position.over()) return;
    const MoveTable& table = rules.moves;
    if (position.status == Status::kMustPass) return visit(table.pass(), 1);
    if (position.phase == Phase::kBomb) {
        for (int cell = 0; cell < rules.cells(); ++cell) {
            if (tile(position, cell) != kHole) visit(table.plain(cell), 1);
        }
        return;
    }
    if (in_opening(rules, position)) {
        for (const Cell cell : rules.opening) {
            if (tile(position, cell) == kEmpty) visit(table.plain(cell), 1);
        }
        return;
    }
    const unsigned mine = 1u << position.turn;
    const bool can_override = position.overrides[position.turn] > 0;
    bool found = false;
    for (int cell = 0; cell < rules.cells(); ++cell) {
        const std::uint8_t here = tile(position, cell);
        const bool captures = work.captures[static_cast<std::size_t>(cell)] & mine;
        if (is_free(here) ? !captures : !(can_override && here != kHole && (captures || here == kExpansion))) continue;
        found = true;
        if (here == kChoice || here == kBonus) {
            visit(table.first(cell), table.plain(cell) - table.first(cell));
        } else {
            visit(table.plain(cell), 1);
        }
    }
    if (!found && rules.placing == Placing::kAdjacent) {
        for (int cell = 0; cell < rules.cells(); ++cell) {
            if (is_free(tile(position, cell)) && next_to_a_stone(rules, position, cell)) visit(table.plain(cell), 1);
        }
    }
    if (rules.passing == Passing::kFree) visit(table.pass(), 1);
}

}  // namespace

bool in_opening(const Rules& rules, const Position& position) {
    return std::any_of(rules.opening.begin(), rules.opening.end(),
                       [&](Cell cell) { return tile(position, cell) == kEmpty; });
}

Workspace::Workspace(const Rules& rules) {
    const auto size = static_cast<std::size_t>(rules.cells());
    captures.resize(size);
    reached.resize(size);
    // A ray meets each node of the board at most once.
    cells.reserve(size * static_cast<std::size_t>(rules.board.directions));
}

std::uint64_t Position::hash() const {
    std::uint64_t h = 0xcbf29ce484222325u;
    const auto mix = [&h](std::uint64_t value) { h = (h ^ value) * 0x100000001b3u; };
    for (const std::uint8_t here : tiles) mix(here);
    for (int seat = 0; seat < kMaxSeats; ++seat) {
        mix(overrides[static_cast<std::size_t>(seat)]);
        mix(bombs[static_cast<std::size_t>(seat)]);
    }
    for (const std::uint8_t value : {turn, last, passes, out, static_cast<std::uint8_t>(phase)}) mix(value);
    return h ^ (h >> 32);
}

void find_captures(const Rules& rules, const Position& position, Workspace& work) {
    std::uint16_t* captures = work.captures.data();
    std::fill(work.captures.begin(), work.captures.end(), std::uint16_t{0});
    for (const Lines::Line& line : rules.lines.lines()) {
        const auto cells = rules.lines.cells(line);
        if (line.circle) {
            sweep_circle(position, cells, captures);
        } else {
            sweep_path(position, cells, captures);
        }
    }
    if (!rules.lines.self_crossing().empty()) work.met.resize(work.captures.size());
    for (const Lines::Line& line : rules.lines.self_crossing()) {
        for (const bool forward : {true, false}) walk_against_rays(position, rules.lines.cells(line), line.circle, forward, work);
    }
}

void settle(const Rules& rules, Position& position, int first_candidate, Workspace& work) {
    position.status = Status::kPlaying;
    if (rules.has_phases()) {
        settle_xt(rules, position, first_candidate, work);
    } else {
        settle_plain(rules, position, first_candidate, work);
    }
}

Position start(const Rules& rules, std::span<const std::uint8_t> tiles, Workspace& work) {
    Position position;
    position.tiles.assign(tiles.begin(), tiles.end());
    for (std::size_t seat = 0; seat < static_cast<std::size_t>(rules.seats); ++seat) {
        position.overrides[seat] = static_cast<std::uint32_t>(rules.overrides);
        position.bombs[seat] = static_cast<std::uint32_t>(rules.bombs);
    }
    settle(rules, position, 0, work);
    return position;
}

void trace(const Rules& rules, const Position& position, int cell, Workspace& work) {
    const int directions = rules.board.directions;
    const std::uint16_t mine = kTileBit[static_cast<std::size_t>(position.turn) + 1];
    work.cells.clear();
    for (int direction = 0; direction < directions; ++direction) {
        const std::size_t before = work.cells.size();
        bool captures = false;
        for (int at = rules.step(cell * directions + direction); at >= 0; at = rules.step(at)) {
            const int here = at / directions;
            const std::uint16_t bit = here == cell ? std::uint16_t{0} : bit_of(position, here);
            captures = bit == mine;
            if (!bit || captures) break;
            work.cells.push_back(static_cast<Cell>(here));
        }
        if (!captures) work.cells.resize(before);
    }
}

void blast(const Rules& rules, const Position& position, int cell, Workspace& work) {
    const int directions = rules.board.directions;
    const std::uint32_t mark = ++work.bombing;
    work.cells.assign(1, static_cast<Cell>(cell));
    work.reached[static_cast<std::size_t>(cell)] = mark;
    std::size_t ring = 0;
    for (int distance = 0; distance < rules.radius && ring < work.cells.size(); ++distance) {
        for (const std::size_t ring_end = work.cells.size(); ring < ring_end; ++ring) {
            for (int direction = 0; direction < directions; ++direction) {
                const int to = rules.step(static_cast<int>(work.cells[ring]) * directions + direction);
                if (to < 0) continue;
                const auto next = static_cast<std::size_t>(to / directions);
                if (position.tiles[next] == kHole || work.reached[next] == mark) continue;
                work.reached[next] = mark;
                work.cells.push_back(static_cast<Cell>(next));
            }
        }
    }
}

void list_moves(const Rules& rules, const Position& position, const Workspace& work, std::vector<std::int32_t>& moves) {
    visit_moves(rules, position, work, [&moves](std::int32_t first, std::int32_t count) {
        for (std::int32_t i = 0; i < count; ++i) moves.push_back(first + i);
    });
}

int count_moves(const Rules& rules, const Position& position, const Workspace& work) {
    int total = 0;
    visit_moves(rules, position, work, [&total](std::int32_t, std::int32_t count) { total += count; });
    return total;
}

bool is_legal(const Rules& rules, const Position& position, int move, Workspace& work) {
    if (position.over()) return false;
    const MoveSpec spec = rules.moves[move];
    if (spec.cell < 0) {
        return rules.passing == Passing::kFree ? !in_opening(rules, position) : position.status == Status::kMustPass;
    }
    if (position.status == Status::kMustPass) return false;
    const std::uint8_t here = tile(position, spec.cell);
    if (position.phase == Phase::kBomb) return here != kHole && spec.special == 0;
    if (here == kHole || (spec.special != 0) != (here == kChoice || here == kBonus)) return false;
    if (in_opening(rules, position)) {
        return here == kEmpty && std::find(rules.opening.begin(), rules.opening.end(), static_cast<Cell>(spec.cell)) != rules.opening.end();
    }
    if (is_occupied(here) && position.overrides[position.turn] == 0) return false;
    if (here == kExpansion) return true;
    trace(rules, position, spec.cell, work);
    if (!work.cells.empty()) return true;
    if (rules.placing != Placing::kAdjacent || !is_free(here) || !next_to_a_stone(rules, position, spec.cell)) return false;
    find_captures(rules, position, work);
    const std::uint16_t mine = kTileBit[static_cast<std::size_t>(position.turn) + 1];
    for (int cell = 0; cell < rules.cells(); ++cell) {
        if (is_free(tile(position, cell)) && (work.captures[static_cast<std::size_t>(cell)] & mine)) return false;
    }
    return true;
}

void play(const Rules& rules, Position& position, int move, Workspace& work) {
    const MoveSpec spec = rules.moves[move];
    const int mover = position.turn;
    if (spec.cell < 0) {
        if (rules.passing == Passing::kFree) ++position.passes;
    } else if (position.phase == Phase::kBomb) {
        blast(rules, position, spec.cell, work);
        for (const Cell hit : work.cells) tile(position, hit) = kHole;
        --position.bombs[static_cast<std::size_t>(mover)];
    } else {
        position.passes = 0;
        place(rules, position, spec.cell, spec.special, work);
    }
    if (rules.has_phases()) position.last = static_cast<std::uint8_t>(mover);
    settle(rules, position, (mover + 1) % rules.seats, work);
}

void disqualify(const Rules& rules, Position& position, int seat, Workspace& work) {
    const bool was_its_turn = position.turn == seat;
    position.out = static_cast<std::uint8_t>(position.out | 1u << seat);
    if (was_its_turn || seats_left(rules, position) <= 1) settle(rules, position, (seat + 1) % rules.seats, work);
}

}  // namespace polyversi::graph
