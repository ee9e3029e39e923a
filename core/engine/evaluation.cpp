#include "engine/evaluation.hpp"

#include <stdexcept>

namespace polyversi::engine {

Evaluation::Evaluation(const Board& board, const std::vector<Pattern>& patterns, int phases, std::vector<std::int16_t> weights)
    : board_(&board), phases_(phases), weights_(std::make_shared<std::vector<std::int16_t>>(std::move(weights))), powers_(64) {
    if (patterns.empty() || patterns.size() > kMaxPatterns) throw std::invalid_argument("an evaluation needs 1 to 64 patterns");
    if (phases < 1 || weights_->size() % static_cast<std::size_t>(phases)) throw std::invalid_argument("every phase needs the same number of weights");
    weights_per_phase_ = weights_->size() / static_cast<std::size_t>(phases);
    for (std::size_t pattern = 0; pattern < patterns.size(); ++pattern) {
        std::uint32_t power = 1;
        for (const std::uint8_t bit : patterns[pattern].bits) {
            powers_[bit].of[pattern] = static_cast<std::uint16_t>(power);
            power *= 3;
        }
        if (patterns[pattern].bits.size() > 10 || patterns[pattern].offset + power > weights_per_phase_) {
            throw std::invalid_argument("there are too few weights for the patterns");
        }
        offsets_.push_back(patterns[pattern].offset);
    }
}

void Evaluation::pattern_indices(std::uint64_t own, std::uint64_t other, std::uint32_t* to) const {
    alignas(64) std::array<std::uint16_t, kMaxPatterns> found;
    board_->ops.pattern_indices(powers_.data(), own, other, found.data());
    for (std::size_t pattern = 0; pattern < offsets_.size(); ++pattern) to[pattern] = offsets_[pattern] + found[pattern];
}

int Evaluation::value(std::uint64_t own, std::uint64_t other) const {
    if (!has_weights()) return heuristic(own, other);
    alignas(64) std::array<std::uint16_t, kMaxPatterns> found;
    board_->ops.pattern_indices(powers_.data(), own, other, found.data());
    const Tables used = tables(std::popcount(own | other));
    int sum = 0;
    for (std::size_t pattern = 0; pattern < used.patterns; ++pattern) sum += used.weights[used.offsets[pattern] + found[pattern]];
    return clamped(sum);
}

// Mobility, potential mobility, corners held and corners within reach.
int Evaluation::heuristic(std::uint64_t own, std::uint64_t other) const {
    const std::uint64_t empty = board_->geometry.valid & ~(own | other);
    const std::uint64_t mine = board_->ops.moves(board_->geometry, own, other), theirs = board_->ops.moves(board_->geometry, other, own);
    const int mobility = std::popcount(mine) - std::popcount(theirs);
    const int potential = std::popcount(board_->adjacent(other) & empty) - std::popcount(board_->adjacent(own) & empty);
    const int corners = std::popcount(own & board_->corners) - std::popcount(other & board_->corners);
    const int within_reach = std::popcount(mine & board_->corners) - std::popcount(theirs & board_->corners);
    return clamped(kStone * mobility + kStone / 5 * potential + (board_->fewest_wins ? -1 : 1) * kStone * (4 * corners + within_reach));
}

}  // namespace polyversi::engine
