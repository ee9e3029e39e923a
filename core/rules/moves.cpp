#include "rules/moves.hpp"

#include "rules/rules.hpp"

namespace polyversi {

MoveTable::MoveTable(std::span<const std::uint8_t> start, int seats) {
    for (std::size_t cell = 0; cell < start.size(); ++cell) {
        const auto add = [this, cell](int special) {
            specs_.push_back({static_cast<std::int32_t>(cell), static_cast<std::int16_t>(special)});
        };
        first_.push_back(static_cast<std::int32_t>(specs_.size()));
        if (start[cell] == kChoice) {
            for (int seat = 1; seat <= seats; ++seat) add(seat);
        } else if (start[cell] == kBonus) {
            add(kBonusBomb);
            add(kBonusOverride);
        }
        add(0);
    }
    first_.push_back(static_cast<std::int32_t>(specs_.size()));
    specs_.push_back({});
}

}  // namespace polyversi
