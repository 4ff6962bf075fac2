// A folder of numbered pictures as a film, by the ffmpeg program.
#pragma once

#include <filesystem>

namespace sinew {

// frames/0000.png, 0001.png, ... become `film` (.mp4 or .gif). Throws usageError where ffmpeg is
// not installed or fails; an existing film is only replaced by a whole one.
void writeFilm(const std::filesystem::path& frames, double framesPerSecond,
               const std::filesystem::path& film);

} // namespace sinew
