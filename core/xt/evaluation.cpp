#include "xt/evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "xt/ranks.hpp"

namespace polyversi::xt {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

constexpr double kCellScale = 1000;  // cell values are whole numbers
constexpr double kFullMap = 0.95, kLeastOwned = 0.02;  // the part of a map that is filled in the end, and that anybody owns then
constexpr int kMaxThrows = 32;
constexpr double kMostTurned = 0.9;  // of the map, by one override stone
constexpr double kAllTaken = 0.02;   // so little of the map is left to the earlier override stones that they do not matter
constexpr double kReachOfASquare = 3.3;  // how many sides of a plain square board lie on the lines of a cell

// Counts for eight seats in the bytes of a word.
constexpr std::array<std::uint64_t, 256> kCountOf = [] {
    std::array<std::uint64_t, 256> counts{};
    for (std::size_t mask = 0; mask < counts.size(); ++mask) {
        for (unsigned seat = 0; seat < kMaxSeats; ++seat) counts[mask] |= static_cast<std::uint64_t>(mask >> seat & 1) << (8 * seat);
    }
    return counts;
}();

}  // namespace

const std::array<std::string_view, kWeights> kWeightNames{
    "mobility_empty", "mobility_half", "mobility_full", "stones_empty", "stones_half", "stones_full",
    "place_empty", "place_half", "place_full",
    "corner", "edge", "nook", "beside_corner", "beside_edge",
    "override_empty", "override_full", "override_share", "danger", "bomb", "blast_focus",
    "inverted", "chosen", "doubt_empty", "doubt_full", "doubt_seats", "lead",
    "last_word", "turned", "in_sight", "overridden", "doubt_end",
};

Evaluation::Evaluation(GameData& game, const Weights& weights) : game_(game), weights_(weights) {
    const Board& board = game.board;
    const double cells = board.cells();
    blast_ = std::min(1.0, board.mean_blast() / cells);
    const std::array<double, kExposures> by_exposure{weights[kCorner], weights[kEdge], weights[kNook], weights[kNook] / 2, 0};
    place_worth_ = 1 / (kCellScale * std::sqrt(cells));
    doubt_of_seats_ = std::pow(2.0 / game.rules.seats, weights[kDoubtSeats]);
    for (int cell = 0; cell < board.cells(); ++cell) {
        double value = by_exposure[at(board.exposure(cell))];
        if (board.exposure(cell) > board.neighbour_exposure(cell)) {
            if (board.neighbour_exposure(cell) == 0) value -= weights[kBesideCorner];
            if (board.neighbour_exposure(cell) == 1) value -= weights[kBesideEdge];
        }
        game.cell_value[at(cell)] = static_cast<std::int32_t>(std::lround(value * kCellScale));
    }
}

// An override stone flips some part of what lies on its lines.
double Evaluation::override_worth(double filled) const {
    const double reach = game_.board.mean_reach() / (kReachOfASquare * game_.board.cells());
    return (weights_[kOverrideEmpty] * (1 - filled) + weights_[kOverrideFull] * filled) * reach;
}

// With as few stones as `danger`, a seat is as likely to lose them all as to use its override stones.
double Evaluation::usable_overrides(const Position& position, int seat) const {
    const double stones = position.stones[at(seat)];
    return stones > 0 ? position.overrides[at(seat)] * stones / (stones + weights_[kDanger]) : 0;
}

// Plays the overriding with nothing but the numbers of override stones, backwards: the last stone takes its part of the map,
// the one before it that part of the rest, and so on. Who has the last word depends on whose turn it is when the map is full.
Evaluation::Overriding Evaluation::overriding(const Position& position) const {
    Overriding found;
    if (weights_[kLastWord] <= 0) return found;
    const double turned = std::min(kMostTurned, weights_[kTurned] * game_.board.mean_reach() / game_.board.cells());
    std::array<int, kMaxSeats> order{};  // the seats that have stones
    Estimates part{};                    // what one override stone of each takes
    std::uint32_t rounds = 0;
    int count = 0, before_turn = 0;
    for (int seat = 0; seat < game_.rules.seats; ++seat) {
        const double stones = position.stones[at(seat)];
        if (position.is_out(seat) || stones <= 0) continue;
        before_turn += seat < position.turn;
        part[at(count)] = turned * stones / (stones + weights_[kDanger]);
        order[at(count++)] = seat;
        rounds = std::max(rounds, position.overrides[at(seat)]);
    }
    if (count == 0) return found;
    found.near = position.free == 0 ? 1 : std::exp(-static_cast<double>(position.free) / (weights_[kInSight] * count));
    if (rounds == 0) return found;
    const int expected = (before_turn + static_cast<int>(position.free)) % count;
    found.left = 0;
    for (int first = 0; first < count; ++first) {
        const double chance = (1 - found.near) / count + (first == expected ? found.near : 0);
        double left = chance;
        for (std::uint32_t round = rounds; round > 0 && left > kAllTaken * chance; --round) {
            for (int back = count - 1; back >= 0; --back) {
                const int number = (first + back) % count, seat = order[at(number)];
                if (position.overrides[at(seat)] < round) continue;
                const double taken = left * part[at(number)];
                found.taken[at(seat)] += taken;
                left -= taken;
            }
        }
        found.left += left;
    }
    return found;
}

// Interpolates between the values for an empty, a half full and a full map.
double Evaluation::phased(Weight first, double filled) const {
    const bool late = filled > 0.5;
    const double part = late ? 2 * filled - 1 : 2 * filled;
    return weights_[first + late] * (1 - part) + weights_[first + late + 1] * part;
}

PerSeat Evaluation::mobility(const Position& position) const {
    PerSeat total{};
    std::uint64_t counts = 0;
    int until_full = 255;
    const auto flush = [&] {
        for (unsigned seat = 0; seat < kMaxSeats; ++seat) total[seat] += static_cast<std::int32_t>(counts >> (8 * seat) & 0xff);
        counts = 0;
        until_full = 255;
    };
    for (std::size_t i = 0; i < position.free; ++i) {
        std::uint64_t seats = word(position.rays[position.free_cells[i]]);
        if (!seats) continue;
        seats |= seats >> 32;
        seats |= seats >> 16;
        seats |= seats >> 8;
        counts += kCountOf[seats & 0xff];
        if (--until_full == 0) flush();
    }
    flush();
    return total;
}

// How good it will be to own the stones of each colour.
Evaluation::Estimates Evaluation::colours(const Position& position, double filled) const {
    const double stones_weight = phased(kStonesEmpty, filled), place_weight = phased(kPlaceEmpty, filled);
    double all_stones = 1;
    for (int seat = 0; seat < game_.rules.seats; ++seat) all_stones += position.stones[at(seat)];
    Estimates good{};
    for (int seat = 0; seat < game_.rules.seats; ++seat) {
        good[at(seat)] = stones_weight * position.stones[at(seat)] / all_stones + place_weight * position.value[at(seat)] * place_worth_;
    }
    return good;
}

// What each seat may expect from the stones that it will own after the remaining inversions, its moves and its stocks.
Evaluation::Estimates Evaluation::seats(const Position& position, double filled, const Overriding& overriding) const {
    const int seats = game_.rules.seats;
    const Estimates colour = colours(position, filled);
    Estimates shifted{};
    shifted[0] = std::pow(1 - weights_[kChosen], position.choices);
    for (int left = std::min<int>(position.inversions, 2 * kMaxSeats); left > 0; --left) {
        const Estimates before = shifted;
        for (int by = 0; by < seats; ++by) {
            shifted[at(by)] = before[at(by)] * (1 - weights_[kInverted]) + before[at((by + seats - 1) % seats)] * weights_[kInverted];
        }
    }
    const PerSeat moves = mobility(position);
    double all_moves = 1;
    for (int seat = 0; seat < seats; ++seat) all_moves += moves[at(seat)];
    const double mobility_weight = phased(kMobilityEmpty, filled);
    Estimates estimate{}, overrides{};
    double all_overrides = 1;
    for (int seat = 0; seat < seats; ++seat) all_overrides += overrides[at(seat)] = usable_overrides(position, seat);
    // The nearer the overriding, the less does the number of override stones count, and the more what will come of them.
    const double near = overriding.near, kept = 1 - near * weights_[kOverridden] * (1 - overriding.left);
    const double override_weight = (1 - near) * (override_worth(filled) + weights_[kOverrideShare] / all_overrides);
    for (int seat = 0; seat < seats; ++seat) {
        double here = mobility_weight * moves[at(seat)] / all_moves + override_weight * overrides[at(seat)];
        here += near * weights_[kLastWord] * overriding.taken[at(seat)];
        for (int by = 0; by < seats; ++by) here += kept * shifted[at(by)] * colour[at((seat + seats - by) % seats)];
        estimate[at(seat)] = here;
    }
    return estimate;
}

double Evaluation::destruction(const Position& position) const {
    double bombs = 0;
    for (int seat = 0; seat < game_.rules.seats; ++seat) bombs += position.is_out(seat) ? 0 : position.bombs[at(seat)];
    return bombs * blast_;
}

// One more bomb is worth less and less as the map runs out: whoever has bombs left when all rivals are gone must throw them
// at their own stones.
double Evaluation::bomb_worth(const Position& position) const {
    return weights_[kBomb] * blast_ * std::max(0.0, 1 - destruction(position));
}

// Plays the bombing phase with nothing but the numbers of stones. A blast of the best region has more of the victim's stones
// than the map on average, and less of one's own.
Evaluation::Estimates Evaluation::after_bombing(const Position& position, Estimates owned, int first) const {
    const int seats = game_.rules.seats;
    const double focus = weights_[kBlastFocus];
    std::array<int, kMaxSeats> bombs{};
    int left = 0;
    for (int seat = 0; seat < seats; ++seat) left += bombs[at(seat)] = position.is_out(seat) ? 0 : position.bombs[at(seat)];
    if (left == 0) return owned;
    double stones = 0;
    for (int seat = 0; seat < seats; ++seat) stones += owned[at(seat)];
    double bare = std::max(0.0, 1 - stones);
    // Very many bombs are thrown several at a time.
    const int at_once = 1 + left / kMaxThrows;
    for (int seat = first; left > 0; seat = (seat + 1) % seats) {
        if (bombs[at(seat)] == 0) continue;
        const int thrown = std::min(bombs[at(seat)], at_once);
        bombs[at(seat)] -= thrown;
        left -= thrown;
        const double alive = stones + bare;
        if (alive < 1e-6) break;
        const double area = std::min(thrown * blast_, alive), mine = owned[at(seat)];
        // The victim: the next one above, or else the next one below.
        int victim = kNone;
        for (int other = 0; other < seats; ++other) {
            if (other == seat || owned[at(other)] <= 0) continue;
            if (victim == kNone) victim = other;
            const double here = owned[at(other)], best = owned[at(victim)];
            if (best >= mine ? here >= mine && here < best : here > best) victim = other;
        }
        const double theirs = victim == kNone ? 0 : owned[at(victim)];
        // What a blast takes of something that is so much of the map when it is aimed at, and of the rest then.
        const auto aimed = [&](double amount) {
            const double part = amount / alive;
            return std::min(amount, area * (part + focus * (1 - part)));
        };
        const double hit = aimed(theirs), spilled = area - hit;
        const double lost = alive > theirs ? std::min(mine, spilled * mine / (alive - theirs) * (1 - focus)) : 0;
        const double wasted = aimed(bare), spilled_then = area - wasted;
        const double lost_then = alive > bare ? std::min(mine, spilled_then * mine / (alive - bare) * (1 - focus)) : 0;
        const double hit_then = alive > bare ? std::min(theirs, spilled_then * theirs / (alive - bare)) : 0;
        const bool attacks = hit - lost >= hit_then - lost_then;
        const double gone_theirs = attacks ? hit : hit_then, gone_mine = attacks ? lost : lost_then;
        const double others = alive - theirs - mine;  // with the bare cells
        // Somebody loses the rest of the area: everybody else, and if that is not enough, the thrower.
        const double rest = area - gone_theirs - gone_mine, of_others = std::min(rest, others);
        if (others > 1e-9) {
            const double kept = 1 - of_others / others;
            for (int other = 0; other < seats; ++other) {
                if (other != seat && other != victim) owned[at(other)] *= kept;
            }
            bare *= kept;
        }
        if (victim != kNone) owned[at(victim)] -= gone_theirs;
        owned[at(seat)] = std::max(0.0, mine - gone_mine - (rest - of_others));
        stones = 0;
        for (int other = 0; other < seats; ++other) stones += owned[at(other)];
    }
    return owned;
}

std::int32_t Evaluation::expected_points(const Position& position, const Estimates& estimates, int seat, double uncertainty) const {
    const int seats = game_.rules.seats;
    RankDistribution rank;
    double others = 0;
    for (int other = 0; other < seats; ++other) {
        if (other == seat || position.is_out(other)) continue;
        const double lead = estimates[at(seat)] - estimates[at(other)];
        rank.add_opponent(probability_above(-lead, uncertainty, tie_of(seats)));
        others += lead;
    }
    // A small bonus for the lead itself, which decides the rank later.
    return static_cast<std::int32_t>(kPoint * (rank.points() + weights_[kLead] * others / (seats - 1)));
}

std::pair<Evaluation::Estimates, double> Evaluation::outlook(const Position& position) const {
    const int count = game_.rules.seats;
    if (position.finished) {
        Estimates owned{};
        for (int seat = 0; seat < count; ++seat) owned[at(seat)] = static_cast<double>(position.stones[at(seat)]) / game_.board.cells();
        const double destroyed = destruction(position);
        return {after_bombing(position, owned, position.turn), destroyed > 0 ? 0.01 + 0.2 * std::min(1.0, destroyed) : 0};
    }
    const double part = filled(position);
    const Overriding overridden = overriding(position);
    const double doubt = weights_[kDoubtEmpty] * (1 - part) + weights_[kDoubtFull] * part;
    const double uncertainty = ((1 - overridden.near) * doubt + overridden.near * weights_[kDoubtEnd]) * doubt_of_seats_;
    Estimates estimates = seats(position, part, overridden);
    if (destruction(position) > 0) {
        // What everybody will own of the map when it is full, and how much of that the bombs will take.
        const double mean = std::accumulate(estimates.begin(), estimates.begin() + count, 0.0) / count;
        Estimates owned{};
        double all = 0;
        for (int seat = 0; seat < count; ++seat) all += owned[at(seat)] = std::max(kLeastOwned, 1.0 / count + estimates[at(seat)] - mean);
        for (int seat = 0; seat < count; ++seat) owned[at(seat)] *= kFullMap / all;
        const Estimates kept = after_bombing(position, owned, 0);  // nobody knows yet who will begin
        for (int seat = 0; seat < count; ++seat) estimates[at(seat)] -= weights_[kBomb] * (owned[at(seat)] - kept[at(seat)]);
    }
    return {estimates, std::max(uncertainty, 1e-4)};
}

std::int32_t Evaluation::value(const Position& position, int seat) const {
    const auto [estimates, uncertainty] = outlook(position);
    return expected_points(position, estimates, seat, uncertainty);
}

PerSeat Evaluation::values(const Position& position) const {
    const auto [estimates, uncertainty] = outlook(position);
    PerSeat points{};
    for (int seat = 0; seat < game_.rules.seats; ++seat) points[at(seat)] = expected_points(position, estimates, seat, uncertainty);
    return points;
}

}  // namespace polyversi::xt
