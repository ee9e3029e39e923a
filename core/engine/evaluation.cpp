#include "engine/evaluation.hpp"

#include <stdexcept>

namespace polyversi::engine {

Evaluation::Evaluation(const Plan& plan, const std::vector<Pattern>& patterns, int phases, std::vector<std::int16_t> weights)
    : plan_(&plan), phases_(phases), weights_(std::make_shared<std::vector<std::int16_t>>(std::move(weights))), powers_(64) {
    if (patterns.empty() || patterns.size() > kMostPatterns) throw std::invalid_argument("there are 1 to 64 patterns");
    if (phases < 1 || weights_->size() % static_cast<std::size_t>(phases)) throw std::invalid_argument("every phase has the same weights");
    weights_a_phase_ = weights_->size() / static_cast<std::size_t>(phases);
    for (std::size_t pattern = 0; pattern < patterns.size(); ++pattern) {
        std::uint32_t power = 1;
        for (const std::uint8_t bit : patterns[pattern].bits) {
            powers_[bit].of[pattern] = static_cast<std::uint16_t>(power);
            power *= 3;
        }
        if (patterns[pattern].bits.size() > 10 || patterns[pattern].first + power > weights_a_phase_) {
            throw std::invalid_argument("there are too few weights for the patterns");
        }
        firsts_.push_back(patterns[pattern].first);
    }
}

void Evaluation::contents(std::uint64_t own, std::uint64_t other, std::uint32_t* to) const {
    alignas(64) std::array<std::uint16_t, kMostPatterns> found;
    plan_->ops.contents(powers_.data(), own, other, found.data());
    for (std::size_t pattern = 0; pattern < firsts_.size(); ++pattern) to[pattern] = firsts_[pattern] + found[pattern];
}

int Evaluation::value(std::uint64_t own, std::uint64_t other) const {
    if (!is_learned()) return by_thumb(own, other);
    alignas(64) std::array<std::uint16_t, kMostPatterns> found;
    plan_->ops.contents(powers_.data(), own, other, found.data());
    const Tables used = tables(std::popcount(own | other));
    int sum = 0;
    for (std::size_t pattern = 0; pattern < used.patterns; ++pattern) sum += used.weights[used.firsts[pattern] + found[pattern]];
    return within_board(sum);
}

// Freedom to move, now and later, and corners: what matters on every board.
int Evaluation::by_thumb(std::uint64_t own, std::uint64_t other) const {
    const std::uint64_t empty = plan_->geometry.valid & ~(own | other);
    const std::uint64_t mine = plan_->ops.moves(plan_->geometry, own, other), theirs = plan_->ops.moves(plan_->geometry, other, own);
    const int now = std::popcount(mine) - std::popcount(theirs);
    const int later = std::popcount(plan_->beside(other) & empty) - std::popcount(plan_->beside(own) & empty);
    const int corners = std::popcount(own & plan_->corners) - std::popcount(other & plan_->corners);
    const int within_reach = std::popcount(mine & plan_->corners) - std::popcount(theirs & plan_->corners);
    return within_board(kStone * now + kStone / 5 * later + (plan_->fewest_wins ? -1 : 1) * kStone * (4 * corners + within_reach));
}

}  // namespace polyversi::engine
