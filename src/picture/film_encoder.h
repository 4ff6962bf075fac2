// The ffmpeg program at work: raw pictures go in one after the other, a film comes out.
#pragma once

#include "model/model.h"

#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sinew {

// A running ffmpeg, which is ended with its owner. Words are handed to it without a shell.
class Ffmpeg {
 public:
  // Starts ffmpeg in `folder`, which also keeps its messages. film: the film's name in messages.
  // Throws usageError if ffmpeg is not installed.
  Ffmpeg(const std::filesystem::path& folder, const std::string& film,
         std::vector<std::string> words);
  ~Ffmpeg();
  Ffmpeg(const Ffmpeg&) = delete;
  Ffmpeg& operator=(const Ffmpeg&) = delete;

  // Writes to ffmpeg's standard input; returns when it has taken all bytes. Throws as finish() if
  // ffmpeg ended before.
  void write(const std::vector<std::uint8_t>& bytes);
  // Waits for ffmpeg to end. Throws usageError with its own message if it failed.
  void finish();
  // Ends ffmpeg at once. Another thread may be writing meanwhile; it then throws.
  void stop();

 private:
  // Waits for ffmpeg to end and throws if it failed.
  void check() const;

  std::filesystem::path messages_;
  std::string film_;
  pid_t pid_ = -1;
  int input_ = -1;
};

// Makes a .mp4 or a .gif. Everything lies in `folder`, which exists, and is the caller's to remove.
// Errors are those of Ffmpeg.
class FilmEncoder {
 public:
  // Width and height are those of all its pictures.
  FilmEncoder(const std::filesystem::path& film, std::filesystem::path folder, std::uint32_t width,
              std::uint32_t height, double framesPerSecond);
  void write(const Image& picture) { ffmpeg_.write(picture.rgba); }
  void stop() { ffmpeg_.stop(); }
  // The whole film, in the folder.
  std::filesystem::path finish();

 private:
  std::filesystem::path film_;
  std::filesystem::path folder_;
  Ffmpeg ffmpeg_;
};

} // namespace sinew
