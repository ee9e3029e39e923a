#include "engine/network.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <stdexcept>

namespace polyversi::engine {
namespace {

// Rows with an empty one at the end, and then layers, each at the beginning of a cache line.
std::size_t rows_bytes(const Network::Numbers& numbers) {
    const std::size_t bytes = 2 * (numbers.pattern_rows.size() + numbers.mobility_rows.size() + numbers.stones_rows.size() + numbers.width);
    return (bytes + 63) / 64 * 64;
}

std::size_t layers_bytes(const Network::Numbers& numbers) {
    const std::size_t phases = numbers.output_biases.size();
    return phases * (numbers.width == 16 ? sizeof(Network::Layers<16>) : numbers.width == 32 ? sizeof(Network::Layers<32>) : sizeof(Network::Layers<64>));
}

const Network::Numbers& checked(const Network::Numbers& numbers) {
    const std::size_t width = numbers.width, phases = numbers.output_biases.size(), hidden = phases * Network::kHidden;
    const bool is_wide = width == 16 || width == 32 || width == 64;
    if (!is_wide || numbers.pattern_rows.size() % width || numbers.mobility_rows.size() != bit::kMobilityCounts * Network::kCountLimit * width ||
        numbers.stones_rows.size() != numbers.phase_of.size() * width || numbers.hidden_weights.size() != hidden * width ||
        numbers.output_weights.size() != hidden || numbers.skip_weights.size() != phases * width || numbers.hidden_biases.size() != hidden) {
        throw std::invalid_argument("the numbers of a network do not fit its width and its phases");
    }
    if (std::any_of(numbers.phase_of.begin(), numbers.phase_of.end(), [&](std::uint8_t phase) { return phase >= phases; })) {
        throw std::invalid_argument("a network needs layers for every phase");
    }
    return numbers;
}

}  // namespace

Network::Network(const Numbers& numbers)
    : width_(checked(numbers).width), configurations_(numbers.pattern_rows.size() / width_), phase_of_(numbers.phase_of),
      pages_(rows_bytes(numbers) + layers_bytes(numbers)), rows_(static_cast<std::int16_t*>(pages_.data())),
      layers_(static_cast<std::byte*>(pages_.data()) + rows_bytes(numbers)) {
    std::int16_t* to = rows_;
    for (const auto& rows : {numbers.pattern_rows, numbers.mobility_rows, numbers.stones_rows}) to = std::copy(rows.begin(), rows.end(), to);
    if (width_ == 16) set_layers<16>(numbers);
    if (width_ == 32) set_layers<32>(numbers);
    if (width_ == 64) set_layers<64>(numbers);
}

template <std::size_t width>
void Network::set_layers(const Numbers& numbers) {
    for (std::size_t phase = 0; phase < numbers.output_biases.size(); ++phase) {
        Layers<width>& layers = *new (static_cast<Layers<width>*>(layers_) + phase) Layers<width>{};
        for (std::size_t unit = 0; unit < kHidden; ++unit) {
            const std::size_t at = phase * kHidden + unit;
            for (std::size_t i = 0; i < width; ++i) layers.hidden_weights[i / 2][unit][i % 2] = numbers.hidden_weights[at * width + i];
            layers.hidden_biases[unit] = numbers.hidden_biases[at];
            layers.output_weights[unit] = numbers.output_weights[at];
        }
        std::copy_n(numbers.skip_weights.begin() + static_cast<std::ptrdiff_t>(phase * width), width, layers.skip_weights);
        layers.output_bias = numbers.output_biases[phase];
    }
}

}  // namespace polyversi::engine
