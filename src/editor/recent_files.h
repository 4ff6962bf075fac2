// The files opened last, newest first.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sinew {

inline constexpr std::size_t kRecentFiles = 12;

// Moves the file to the front: absolute, without duplicates, at most kRecentFiles. Names without a
// file behind them ("demo:humanoid") stay as they are.
void addRecent(std::vector<std::string>& recent, const std::string& file);

} // namespace sinew
