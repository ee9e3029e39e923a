#include "engine/evaluation.hpp"

#include <stdexcept>

namespace polyversi::engine {

Evaluation::Evaluation(const Board& board, const std::vector<Pattern>& patterns, Weights weights)
    : board_(&board), weights_(std::make_shared<Weights>(std::move(weights))) {
    const auto rows = static_cast<std::size_t>(board.cells) + 1;
    if (weights_->phase_of.size() != rows) throw std::invalid_argument("every number of stones needs a phase");
    const std::size_t phases = std::size_t{1} + *std::max_element(weights_->phase_of.begin(), weights_->phase_of.end());
    if (weights_->patterns.size() % phases) throw std::invalid_argument("every phase needs the same number of weights");
    if (!weights_->mobility.empty() && weights_->mobility.size() != rows * kMobilityWeights) throw std::invalid_argument("every number of stones needs tables of mobility");
    configurations_ = weights_->patterns.size() / phases;
    set(patterns);
}

Evaluation::Evaluation(const Board& board, const std::vector<Pattern>& patterns, const Network::Numbers& network)
    : board_(&board), network_(std::make_shared<Network>(network)), configurations_(network_->configurations()) {
    if (network.phase_of.size() != static_cast<std::size_t>(board.cells) + 1) throw std::invalid_argument("every number of stones needs a phase");
    set(patterns);
}

void Evaluation::set(const std::vector<Pattern>& patterns) {
    if (patterns.empty() || patterns.size() > kMaxPatterns) throw std::invalid_argument("an evaluation needs 1 to 64 patterns");
    patterns_ = patterns.size();
    powers_.resize(64);
    offsets_.resize(kMaxPatterns, network_ ? static_cast<std::uint32_t>(network_->empty_row()) : 0);
    for (std::size_t pattern = 0; pattern < patterns_; ++pattern) {
        std::size_t power = 1;  // wide enough for any offset to be added
        for (const std::uint8_t bit : patterns[pattern].bits) {
            powers_[bit].of[pattern] = static_cast<std::uint16_t>(power);
            power *= 3;
        }
        if (patterns[pattern].bits.size() > 10 || patterns[pattern].offset + power > configurations_) {
            throw std::invalid_argument("there are too few weights for the patterns");
        }
        offsets_[pattern] = patterns[pattern].offset;
    }
}

void Evaluation::pattern_indices(std::uint64_t own, std::uint64_t other, std::uint32_t* to) const {
    alignas(64) std::array<std::uint16_t, kMaxPatterns> found;
    board_->ops.pattern_indices(powers_.data(), own, other, found.data());
    for (std::size_t pattern = 0; pattern < patterns_; ++pattern) to[pattern] = offsets_[pattern] + found[pattern];
}

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
