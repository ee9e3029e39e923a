#include "xt/evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace polyversi::xt {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

constexpr std::array<double, kMaxSeats> kPoints{25, 11, 5, 2, 1};
constexpr double kCellScale = 1000;  // cell values are whole numbers
constexpr double kStonesInDanger = 2;  // with this few stones a seat is as likely to lose them all as to use its override stones
constexpr double kReachOfASquare = 3.3;  // how many sides of a plain square board lie on the lines of a cell

// Counts for eight seats in the bytes of a word.
constexpr std::array<std::uint64_t, 256> kCountOf = [] {
    std::array<std::uint64_t, 256> counts{};
    for (std::size_t mask = 0; mask < counts.size(); ++mask) {
        for (unsigned seat = 0; seat < kMaxSeats; ++seat) counts[mask] |= static_cast<std::uint64_t>(mask >> seat & 1) << (8 * seat);
    }
    return counts;
}();

// The override stones that a seat may expect to use: a seat without stones can no longer capture.
double usable_overrides(const Position& position, int seat) {
    const double stones = position.stones[at(seat)];
    return position.overrides[at(seat)] * stones / (stones + kStonesInDanger);
}

}  // namespace

const std::array<std::string_view, kWeights> kWeightNames{
    "mobility_empty", "mobility_half", "mobility_full", "stones_empty", "stones_half", "stones_full",
    "place_empty", "place_half", "place_full",
    "corner", "edge", "nook", "beside_corner", "beside_edge", "override_empty", "override_full", "bomb",
    "inverted", "chosen", "doubt_empty", "doubt_full", "lead",
};

double probability_above(double lead, double uncertainty) {
    if (uncertainty <= 0) return lead > 0 ? 1 : 0;
    const double part = lead / uncertainty;
    return 0.5 + 0.5 * part / (1 + std::abs(part));
}

void RankDistribution::add_opponent(double probability) {
    ++opponents_;
    for (std::size_t above = opponents_; above > 0; --above) {
        probabilities_[above] += (probabilities_[above - 1] - probabilities_[above]) * probability;
    }
    probabilities_[0] -= probabilities_[0] * probability;
}

double RankDistribution::points() const {
    return std::inner_product(probabilities_.begin(), probabilities_.end(), kPoints.begin(), 0.0);
}

Evaluation::Evaluation(GameData& game, const Weights& weights) : game_(game), weights_(weights) {
    const Board& board = game.board;
    const double cells = board.cells();
    bomb_worth_ = weights[kBomb] * std::min(1.0, board.mean_blast() / cells);
    const std::array<double, kExposures> by_exposure{weights[kCorner], weights[kEdge], weights[kNook], weights[kNook] / 2, 0};
    place_worth_ = 1 / (kCellScale * std::sqrt(cells));
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
Evaluation::Estimates Evaluation::seats(const Position& position, double filled) const {
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
    const double mobility_weight = phased(kMobilityEmpty, filled), override_weight = override_worth(filled);
    Estimates estimate{};
    for (int seat = 0; seat < seats; ++seat) {
        double here = mobility_weight * moves[at(seat)] / all_moves + override_weight * usable_overrides(position, seat) +
                      bomb_worth_ * position.bombs[at(seat)];
        for (int by = 0; by < seats; ++by) here += shifted[at(by)] * colour[at((seat + seats - by) % seats)];
        estimate[at(seat)] = here;
    }
    return estimate;
}

// After the building phase: the stones, and what the bombs may still take from the others.
Evaluation::Estimates Evaluation::stones_after_bombing(const Position& position) const {
    Estimates estimate{};
    for (int seat = 0; seat < game_.rules.seats; ++seat) {
        estimate[at(seat)] = static_cast<double>(position.stones[at(seat)]) / game_.board.cells() + bomb_worth_ * position.bombs[at(seat)];
    }
    return estimate;
}

std::int32_t Evaluation::expected_points(const Position& position, const Estimates& estimates, int seat, double uncertainty) const {
    const int seats = game_.rules.seats;
    RankDistribution rank;
    double others = 0;
    for (int other = 0; other < seats; ++other) {
        if (other == seat || position.is_out(other)) continue;
        const double lead = estimates[at(seat)] - estimates[at(other)];
        rank.add_opponent(probability_above(-lead, uncertainty));
        others += lead;
    }
    // A small bonus for the lead itself, which decides the rank later.
    return static_cast<std::int32_t>(kPoint * (rank.points() + weights_[kLead] * others / (seats - 1)));
}

std::pair<Evaluation::Estimates, double> Evaluation::outlook(const Position& position) const {
    if (!position.finished) {
        const double part = filled(position);
        const double uncertainty = weights_[kDoubtEmpty] * (1 - part) + weights_[kDoubtFull] * part;
        return {seats(position, part), std::max(uncertainty, 1e-4)};
    }
    double bombs = 0;
    for (int other = 0; other < game_.rules.seats; ++other) bombs += position.is_out(other) ? 0 : position.bombs[at(other)];
    const double uncertainty = bombs > 0 ? 0.01 + 0.2 * bombs * std::min(1.0, game_.board.mean_blast() / game_.board.cells()) : 0;
    return {stones_after_bombing(position), uncertainty};
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
