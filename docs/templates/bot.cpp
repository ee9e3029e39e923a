// A bot for Polyversi: reads one line of JSON a move, answers with one. It plays any legal move.
// Build it with: c++ -O2 -std=c++17 bot.cpp -o bot
#include <iostream>
#include <random>
#include <string>
#include <vector>

// The text of a field such as "position", which never has a quotation mark in it.
std::string text_of(const std::string& line, const std::string& name) {
    const auto begin = line.find("\"" + name + "\":\"") + name.size() + 4;
    return line.substr(begin, line.find('"', begin) - begin);
}

// The texts of a list such as "moves".
std::vector<std::string> list_of(const std::string& line, const std::string& name) {
    std::vector<std::string> items;
    auto at = line.find("\"" + name + "\":[") + name.size() + 4;
    const auto end = line.find(']', at);
    while ((at = line.find('"', at)) < end) {
        const auto close = line.find('"', at + 1);
        items.push_back(line.substr(at + 1, close - at - 1));
        at = close + 1;
    }
    return items;
}

// The place for your ideas: the legal moves, and the board as one character a cell, then who moves.
std::string choose(const std::vector<std::string>& moves, const std::string& position) {
    static std::mt19937 random{std::random_device{}()};
    (void)position;
    return moves[random() % moves.size()];
}

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        const auto move = choose(list_of(line, "moves"), text_of(line, "position"));
        std::cout << "{\"move\": \"" << move << "\"}" << std::endl;
    }
}
