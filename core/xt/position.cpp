#include "xt/position.hpp"

#include <algorithm>
#include <bit>

#include "rules/random.hpp"

namespace polyversi::xt {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

// What a ray meets: a bit for each seat's stone and one above them for the expansion stone; nothing is a gap.
constexpr std::array<std::uint16_t, 16> kBit = [] {
    std::array<std::uint16_t, 16> bits{};
    for (unsigned seat = 0; seat < kMaxSeats; ++seat) bits[seat + 1] = static_cast<std::uint16_t>(1u << seat);
    bits[kExpansion] = 1u << kMaxSeats;
    return bits;
}();

std::uint16_t bit_at(const Position& position, const Board::Place& place) { return kBit[position.tiles[place.cell]]; }

constexpr int kKeysPerCell = 16;

// What the rays against a walk along stones capture.
class RunWalk {
  public:
    void begin_again() { seats_ = first_ = 0; }
    // A bit for each seat that captures by a ray from this cell back along the walk.
    std::uint8_t rays_from(int) const { return static_cast<std::uint8_t>(seats_ & ~first_); }
    void meet(int, unsigned bit) {
        first_ = bit;
        seats_ |= bit;
    }

  private:
    unsigned seats_ = 0, first_ = 0;
};

// The same along a line that crosses itself. A ray that comes back to its own cell fails, so that only what was met after
// that cell counts. Steps are counted over all walks, so that nothing has to be reset.
class CrossingWalk {
  public:
    CrossingWalk(std::vector<std::uint64_t>& met_cell, std::uint64_t& steps) : met_cell_(met_cell), steps_(steps), begin_(steps) {}

    void begin_again() {
        begin_ = steps_;
        seats_ = first_ = 0;
    }

    std::uint8_t rays_from(int cell) const {
        unsigned seats = seats_;
        if (const std::uint64_t own = met_cell_[at(cell)]; own > begin_) {
            seats = 0;
            for (unsigned seat = 0; seat < kMaxSeats; ++seat) seats |= static_cast<unsigned>((seats_ >> seat & 1) && met_seat_[seat] > own) << seat;
        }
        return static_cast<std::uint8_t>(seats & ~first_);
    }

    void meet(int cell, unsigned bit) {
        met_cell_[at(cell)] = ++steps_;
        first_ = bit;
        seats_ |= bit;
        if (bit & ((1u << kMaxSeats) - 1)) met_seat_[at(std::countr_zero(bit))] = steps_;
    }

  private:
    std::vector<std::uint64_t>& met_cell_;
    std::uint64_t& steps_;
    std::uint64_t begin_;
    std::array<std::uint64_t, kMaxSeats> met_seat_{};
    unsigned seats_ = 0, first_ = 0;
};

}  // namespace

GameData::GameData(const Rules& r) : rules(r), board(r) {
    Random random(0x9e3779b97f4a7c15u);
    zobrist_keys.resize(at(board.cells() * kKeysPerCell));
    for (std::uint64_t& key : zobrist_keys) key = random.next();
    cell_value.assign(at(board.cells()), 0);
}

Position::Position(const GameData& game)
    : tiles(at(game.board.cells())), rays(at(game.board.cells())), free_cells(at(game.board.cells())),
      free_at(at(game.board.cells())) {}

bool Position::has_free_move(int seat) const {
    const std::uint64_t mask = kEachDirection << seat;
    for (std::size_t i = 0; i < free; ++i) {
        if (word(rays[free_cells[i]]) & mask) return true;
    }
    return false;
}

bool Position::has_override_move(int seat) const {
    if (overrides[at(seat)] == 0) return false;
    if (expansions > 0) return true;
    for (std::size_t cell = 0; cell < tiles.size(); ++cell) {
        if (is_stone(tiles[cell]) && captures(static_cast<int>(cell), seat)) return true;
    }
    return false;
}

MoveMaker::MoveMaker(const GameData& game) : game_(game), swept_(game.board.places().size()),
      met_cell_(at(game.board.cells())) {
    flipped_.reserve(at(game.board.cells() * kDirections));
}

void MoveMaker::load(const graph::Position& from, Position& to) {
    to.tiles = from.tiles;
    to.overrides = from.overrides;
    to.bombs = from.bombs;
    to.turn = from.turn;
    to.out = from.out;
    to.finished = false;
    rebuild(to);
}

void MoveMaker::rebuild(Position& position) {
    position.hash = 0;
    position.stones = position.value = {};
    position.free = position.choices = position.inversions = position.bonuses = position.expansions = 0;
    for (int cell = 0; cell < game_.board.cells(); ++cell) {
        const std::uint8_t tile = position.tiles[at(cell)];
        position.hash ^= game_.zobrist_keys[at(cell * kKeysPerCell + tile)];
        position.choices += (tile == kChoice);
        position.inversions += (tile == kInversion);
        position.bonuses += (tile == kBonus);
        position.expansions += (tile == kExpansion);
        position.rays[at(cell)] = {};
        if (is_free(tile)) {
            position.free_at[at(cell)] = position.free;
            position.free_cells[position.free++] = static_cast<Cell>(cell);
        } else if (is_stone(tile)) {
            ++position.stones[at(tile - 1)];
            position.value[at(tile - 1)] += game_.cell_value[at(cell)];
        }
    }
    ++sweeping_;
    for (int cell = 0; cell < game_.board.cells(); ++cell) {
        if (is_occupied(position.tiles[at(cell)])) sweep_around(position, cell);
    }
}

void MoveMaker::trace(const Position& position, int cell, int seat) {
    flipped_.clear();
    const std::uint16_t mine = kBit[at(seat + 1)];
    const auto& places = game_.board.places();
    const Rays& rays = position.rays[at(cell)];
    for (int direction = 0; direction < kDirections; ++direction) {
        if (!(rays[at(direction)] >> seat & 1)) continue;
        const Board::Place* place = &places[at(game_.board.place(cell, direction % kAxes))];
        const bool forward = place->forward == direction;
        for (;;) {
            place = &places[at(forward ? place->next : place->before)];
            if (bit_at(position, *place) == mine) break;
            flipped_.push_back(place->cell);
        }
    }
}

int MoveMaker::count_flips(const Position& position, const Move& move) {
    trace(position, move.cell, move.seat);
    return static_cast<int>(flipped_.size());
}

void MoveMaker::set_tile(Position& position, int cell, std::uint8_t tile) {
    std::uint8_t& here = position.tiles[at(cell)];
    const std::int32_t value = game_.cell_value[at(cell)];
    const std::uint64_t* zobrist_keys = &game_.zobrist_keys[at(cell * kKeysPerCell)];
    position.hash ^= zobrist_keys[here] ^ zobrist_keys[tile];
    if (is_stone(here)) {
        --position.stones[at(here - 1)];
        position.value[at(here - 1)] -= value;
    } else if (here == kExpansion) {
        --position.expansions;
    }
    ++position.stones[at(tile - 1)];
    position.value[at(tile - 1)] += value;
    here = tile;
}

void MoveMaker::play(Position& position, const Move& move) {
    const int seat = move.seat;
    const auto mine = static_cast<std::uint8_t>(seat + 1);
    const std::uint8_t before = position.tiles[move.cell];
    trace(position, move.cell, seat);
    for (const Cell cell : flipped_) set_tile(position, cell, mine);  // one crossed twice is mine by then
    if (is_free(before)) {
        const Cell last = position.free_cells[--position.free];
        position.free_cells[position.free_at[move.cell]] = last;
        position.free_at[last] = position.free_at[move.cell];
    } else {
        --position.overrides[at(seat)];
    }
    set_tile(position, move.cell, mine);
    ++sweeping_;
    sweep_around(position, move.cell);
    for (const Cell cell : flipped_) sweep_around(position, cell);
    if (before == kBonus) {
        --position.bonuses;
        ++(move.special == kBonusBomb ? position.bombs : position.overrides)[at(seat)];
    } else if (before == kInversion) {
        --position.inversions;
        std::array<std::uint8_t, kMaxSeats + 1> next{};
        for (int stone = 1; stone <= game_.rules.seats; ++stone) next[at(stone)] = static_cast<std::uint8_t>(stone % game_.rules.seats + 1);
        permute_owners(position, next);
    } else if (before == kChoice) {
        --position.choices;
        std::array<std::uint8_t, kMaxSeats + 1> swapped{};
        for (std::uint8_t stone = 1; stone <= kMaxSeats; ++stone) swapped[stone] = stone;
        std::swap(swapped[mine], swapped[move.special]);
        if (move.special != mine) permute_owners(position, swapped);
    }
}

// Permutes the owners of all stones. Which rays capture does not change, only for whom.
void MoveMaker::permute_owners(Position& position, const std::array<std::uint8_t, kMaxSeats + 1>& new_tile) {
    const auto permute_seats = [&](auto& per_seat) {
        auto before = per_seat;
        for (int stone = 1; stone <= game_.rules.seats; ++stone) per_seat[at(new_tile[at(stone)] - 1)] = before[at(stone - 1)];
    };
    std::array<std::uint8_t, 256> new_mask{};
    for (std::size_t mask = 0; mask < new_mask.size(); ++mask) {
        for (int seat = 0; seat < game_.rules.seats; ++seat) {
            if (mask >> seat & 1) new_mask[mask] = static_cast<std::uint8_t>(new_mask[mask] | 1u << (new_tile[at(seat + 1)] - 1));
        }
    }
    for (int cell = 0; cell < game_.board.cells(); ++cell) {
        std::uint8_t& tile = position.tiles[at(cell)];
        if (is_stone(tile)) {
            const std::uint64_t* zobrist_keys = &game_.zobrist_keys[at(cell * kKeysPerCell)];
            position.hash ^= zobrist_keys[tile] ^ zobrist_keys[new_tile[tile]];
            tile = new_tile[tile];
        }
        if (word(position.rays[at(cell)])) {
            for (std::uint8_t& mask : position.rays[at(cell)]) mask = new_mask[mask];
        }
    }
    permute_seats(position.stones);
    permute_seats(position.value);
}

// Finds the captures anew along every line through a stone, as far as its run of stones goes.
void MoveMaker::sweep_around(Position& position, int cell) {
    const auto& places = game_.board.places();
    for (int axis = 0; axis < kAxes; ++axis) {
        const std::int32_t place = game_.board.place(cell, axis);
        if (place == kNone || swept_[at(place)] == sweeping_) continue;
        const Board::Line& line = game_.board.lines()[places[at(place)].line];
        std::int32_t end = place;
        do {
            if (places[at(end)].next == kNone) break;
            end = places[at(end)].next;
        } while (end != place && bit_at(position, places[at(end)]));
        const bool is_full_circle = end == place && line.circle;
        if (line.self_crossing) {
            is_full_circle ? walk_full_circle(position, line) : sweep_back_from(position, end, CrossingWalk(met_cell_, steps_));
        } else {
            is_full_circle ? sweep_full_circle(position, line) : sweep_back_from(position, end, RunWalk{});
        }
    }
}

// Finds the captures along the run of stones that ends at a place, which is the gap behind it or the end of its line.
template <class Walk>
void MoveMaker::sweep_back_from(Position& position, std::int32_t end, Walk walk) {
    const auto& places = game_.board.places();
    // Sets the ray from a place in a direction; whether there is a stone.
    const auto meet = [&](const Board::Place& place, std::uint8_t direction) {
        const unsigned bit = bit_at(position, place);
        position.rays[place.cell][direction] = walk.rays_from(static_cast<int>(place.cell));
        walk.meet(static_cast<int>(place.cell), bit);
        return bit != 0;
    };
    // The ray that leaves a gap away from the run belongs to what lies beyond it.
    if (bit_at(position, places[at(end)])) meet(places[at(end)], places[at(end)].forward);
    swept_[at(end)] = sweeping_;
    std::int32_t begin = end;
    bool begins_with_a_stone;
    do {
        begin = places[at(begin)].before;
        begins_with_a_stone = meet(places[at(begin)], places[at(begin)].forward);
        swept_[at(begin)] = sweeping_;
    } while (begins_with_a_stone && places[at(begin)].before != kNone);
    walk.begin_again();
    if (begins_with_a_stone) meet(places[at(begin)], places[at(begin)].backward());
    std::int32_t i = begin;
    do {
        i = places[at(i)].next;
        meet(places[at(i)], places[at(i)].backward());
    } while (i != end);
}

// A circle without a gap: a ray meets all other cells, then its own start, where it fails.
void MoveMaker::sweep_full_circle(Position& position, const Board::Line& line) {
    const auto& places = game_.board.places();
    unsigned once = 0, more = 0;
    for (std::int32_t i = line.first; i <= line.last; ++i) {
        const unsigned bit = bit_at(position, places[at(i)]);
        more |= once & bit;
        once |= bit;
        swept_[at(i)] = sweeping_;
    }
    for (std::int32_t i = line.first; i <= line.last; ++i) {
        const Board::Place& place = places[at(i)];
        const unsigned others = more | (once & ~static_cast<unsigned>(bit_at(position, place)));
        Rays& rays = position.rays[place.cell];
        rays[place.forward] = static_cast<std::uint8_t>(others & ~bit_at(position, places[at(place.next)]));
        rays[place.backward()] = static_cast<std::uint8_t>(others & ~bit_at(position, places[at(place.before)]));
    }
}

// A circle without a gap that crosses itself: twice round, since every ray meets all of it.
void MoveMaker::walk_full_circle(Position& position, const Board::Line& line) {
    const auto& places = game_.board.places();
    for (const bool forward : {true, false}) {
        CrossingWalk walk(met_cell_, steps_);
        std::int32_t i = line.first;
        for (std::int32_t step = 2 * (line.last - line.first + 1); step > 0; --step) {
            const Board::Place& place = places[at(i)];
            position.rays[place.cell][forward ? place.forward : place.backward()] = walk.rays_from(place.cell);
            walk.meet(place.cell, bit_at(position, place));
            swept_[at(i)] = sweeping_;
            i = forward ? place.before : place.next;
        }
    }
}

bool MoveMaker::is_beside_a_stone(const Position& position, Cell cell) const {
    for (int direction = 0; direction < kDirections; ++direction) {
        const int to = game_.rules.step(static_cast<int>(cell) * kDirections + direction);
        if (to >= 0 && is_occupied(position.tiles[at(to / kDirections)])) return true;
    }
    return false;
}

bool MoveMaker::can_move(const Position& position, int seat) const {
    bool beside = false;
    if (position.has_free_move(seat) || position.has_override_move(seat)) return true;
    visit_beside(position, [&](Cell) { beside = true; });
    return beside;
}

// Where passes are free, whoever is ahead ends the game as soon as nobody else can move.
bool MoveMaker::wins_by_a_pass(const Position& position, int seat) const {
    if (game_.rules.passing != Passing::kFree) return false;
    for (int other = 0; other < game_.rules.seats; ++other) {
        if (other != seat && position.stones[at(other)] >= position.stones[at(seat)]) return false;
    }
    return true;
}

void MoveMaker::advance_turn(Position& position, int candidate) const {
    const int seats = game_.rules.seats;
    for (int i = 0; i < seats; ++i) {
        const int seat = (candidate + i) % seats;
        if (position.is_out(seat) || !can_move(position, seat)) continue;
        position.turn = static_cast<std::uint8_t>(seat);
        position.finished = i == seats - 1 && wins_by_a_pass(position, seat);
        return;
    }
    position.finished = true;
    position.turn = static_cast<std::uint8_t>(candidate);  // who throws first, or the next one who has a bomb
}

}  // namespace polyversi::xt
