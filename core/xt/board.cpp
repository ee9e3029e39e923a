#include "xt/board.hpp"

#include <algorithm>

#include "graph/position.hpp"

namespace polyversi::xt {
namespace {

constexpr int kBlastsMeasured = 64;  // cells, evenly spread, whose blasts stand for all

int opposite(int node) { return node - node % kDirections + (node + kAxes) % kDirections; }

}  // namespace

Board::Board(const Rules& rules) : cells_(rules.cells()) {
    lay_lines(rules);
    measure_cells(rules);
    measure_blasts(rules);
}

void Board::lay_lines(const Rules& rules) {
    const int nodes = cells_ * kDirections;
    std::vector<bool> seen(static_cast<std::size_t>(nodes));
    std::vector<std::uint32_t> met(static_cast<std::size_t>(cells_));  // the last line that came by
    place_of_.assign(static_cast<std::size_t>(cells_ * kAxes), kNone);
    std::uint32_t walks = 0;
    for (int node = 0; node < nodes; ++node) {
        if (seen[static_cast<std::size_t>(node)]) continue;
        int first = node;
        bool circle = false;
        for (int before = rules.step(opposite(first)); before >= 0 && !circle; before = rules.step(opposite(first))) {
            first = opposite(before);
            circle = first == node;
        }
        const auto begin = static_cast<std::int32_t>(places_.size());
        bool self_crossing = false;
        ++walks;
        int at = first;
        do {
            const int cell = at / kDirections;
            seen[static_cast<std::size_t>(at)] = seen[static_cast<std::size_t>(opposite(at))] = true;
            self_crossing |= met[static_cast<std::size_t>(cell)] == walks;
            met[static_cast<std::size_t>(cell)] = walks;
            const auto here = static_cast<std::int32_t>(places_.size());
            places_.push_back({here + 1, here - 1, static_cast<Cell>(cell), static_cast<std::uint32_t>(lines_.size()) & 0xffffff,
                               static_cast<std::uint8_t>(at % kDirections)});
            at = rules.step(at);
        } while (at >= 0 && at != first);
        const auto last = static_cast<std::int32_t>(places_.size()) - 1;
        if (last == begin) {  // a lone cell encloses nothing
            places_.pop_back();
            continue;
        }
        places_[static_cast<std::size_t>(begin)].before = circle ? last : kNone;
        places_[static_cast<std::size_t>(last)].next = circle ? begin : kNone;
        lines_.push_back({begin, last, circle, self_crossing});
        const double length = last - begin + 1;
        mean_reach_ += length * length / cells_;
        for (std::int32_t place = begin; place <= last; ++place) {
            const Place& here = places_[static_cast<std::size_t>(place)];
            place_of_[static_cast<std::size_t>(here.cell * kAxes + here.forward % kAxes)] = place;
        }
    }
}

void Board::measure_cells(const Rules& rules) {
    for (int cell = 0; cell < cells_; ++cell) {
        int exposed = 0;
        for (int axis = 0; axis < kAxes; ++axis) {
            const int node = cell * kDirections + axis;
            exposed += rules.step(node) >= 0 && rules.step(opposite(node)) >= 0;
        }
        exposure_.push_back(static_cast<std::uint8_t>(exposed));
    }
    for (int cell = 0; cell < cells_; ++cell) {
        std::uint8_t least = kAxes;
        for (int direction = 0; direction < kDirections; ++direction) {
            const int to = rules.step(cell * kDirections + direction);
            if (to >= 0) least = std::min(least, exposure_[static_cast<std::size_t>(to / kDirections)]);
        }
        neighbour_exposure_.push_back(least);
    }
}

void Board::measure_blasts(const Rules& rules) {
    graph::Workspace work(rules);
    graph::Position empty;
    empty.tiles.assign(static_cast<std::size_t>(cells_), kEmpty);
    double total = 0;
    const int step = std::max(1, cells_ / kBlastsMeasured);
    int measured = 0;
    for (int cell = 0; cell < cells_; cell += step, ++measured) {
        graph::blast(rules, empty, cell, work);
        total += static_cast<double>(work.cells.size());
    }
    if (measured) mean_blast_ = total / measured;
}

}  // namespace polyversi::xt
