#include "minimax/evaluation.hpp"

#include <algorithm>

namespace polyversi::minimax {

double final_value(const Rules& rules, const graph::Position& position, int seat) {
    std::array<int, kMaxSeats> stones{};
    for (const std::uint8_t here : position.tiles) {
        if (is_stone(here)) ++stones[static_cast<std::size_t>(here) - 1];
    }
    const int sign = rules.fewest_wins ? -1 : 1;
    const auto margin_over = [&](int other) {
        return sign * (stones[static_cast<std::size_t>(seat)] - stones[static_cast<std::size_t>(other)]);
    };
    int margin = rules.cells();
    for (int other = 0; other < rules.seats; ++other) {
        if (other != seat && !(position.out >> other & 1)) margin = std::min(margin, margin_over(other));
    }
    if (margin == 0) return 0;
    return margin > 0 ? kWinValue + margin : margin - kWinValue;
}

double WeightedSum::value(const graph::Position& position, int seat, const graph::Workspace& work) const {
    const Values values = measure(position, seat, work);
    double sum = 0;
    std::size_t at = 0;
    for (const Term& term : terms()) sum += term.weight * values[at++];
    return sum;
}

}  // namespace polyversi::minimax
