// The static data of a Reversi XT map: the places on its lines, and how exposed each cell is.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/rules.hpp"

namespace polyversi::xt {

constexpr int kDirections = 8;
constexpr int kAxes = 4;
constexpr int kNone = -1;

// How many of the axes of a cell run on both ways from it: on these its stone can be captured.
constexpr int kExposures = kAxes + 1;

class Board {
  public:
    explicit Board(const Rules& rules);

    struct Line {
        std::int32_t first, last;  // places; of a circle they are neighbours
        bool circle;
        bool self_crossing;  // meets a cell twice: a ray may come back to its own start
    };
    // A cell on a line. Every cell has one place for each of its axes, unless it is alone on that axis.
    struct Place {
        std::int32_t next, before;  // places, or kNone at the end of a path
        Cell cell;
        std::uint32_t line : 24;
        std::uint32_t forward : 8;  // the direction in which a ray leaves the cell towards the next place

        std::uint8_t backward() const { return static_cast<std::uint8_t>((forward + kAxes) % kDirections); }
    };

    int cells() const { return cells_; }
    const std::vector<Line>& lines() const { return lines_; }
    const std::vector<Place>& places() const { return places_; }
    // The place of a cell on an axis (a direction modulo kAxes), or kNone.
    std::int32_t place(int cell, int axis) const { return place_of_[static_cast<std::size_t>(cell * kAxes + axis)]; }
    int exposure(int cell) const { return exposure_[static_cast<std::size_t>(cell)]; }
    // The smallest exposure of its neighbours: a stone next to a corner gives the corner away.
    int neighbour_exposure(int cell) const { return neighbour_exposure_[static_cast<std::size_t>(cell)]; }
    // How many cells a bomb destroys at the start, on average.
    double mean_blast() const { return mean_blast_; }
    // How many cells lie on the lines of a cell, on average.
    double mean_reach() const { return mean_reach_; }

  private:
    void lay_lines(const Rules& rules);
    void measure_cells(const Rules& rules);
    void measure_blasts(const Rules& rules);

    int cells_;
    std::vector<Line> lines_;
    std::vector<Place> places_;
    std::vector<std::int32_t> place_of_;
    std::vector<std::uint8_t> exposure_;
    std::vector<std::uint8_t> neighbour_exposure_;
    double mean_blast_ = 1;
    double mean_reach_ = 0;
};

}  // namespace polyversi::xt
