// Pictures one after the other: numbered in a folder, or as a film by the ffmpeg program.
#pragma once

#include "process/unfinished.h"
#include "render/image.h"

#include <filesystem>
#include <optional>

namespace sinew {

// Whether the name ends in .mp4 or .gif, in small or capital letters.
bool isFilm(const std::filesystem::path& path);

// Whether the ffmpeg program is there.
bool canEncodeFilms();

class PictureSequence {
 public:
  // A film, or a folder, which is created if needed. The pictures of a film are written to a new
  // folder beside it, which is always removed at the end. Throws usageError where the folder
  // cannot be created.
  PictureSequence(std::filesystem::path output, double framesPerSecond);
  PictureSequence(const PictureSequence&) = delete;
  PictureSequence& operator=(const PictureSequence&) = delete;

  // As 0000.png, 0001.png, ... Throws usageError where it cannot be written.
  void add(const Image& picture);
  int count() const { return count_; }

  // Encodes the film; a folder is complete already. An existing film is only replaced by a whole
  // one. Throws usageError where ffmpeg is not installed or fails.
  void finish();

 private:
  std::filesystem::path output_;
  double framesPerSecond_;
  std::filesystem::path folder_;
  std::optional<Unfinished> pictures_; // of a film
  int count_ = 0;
};

} // namespace sinew
