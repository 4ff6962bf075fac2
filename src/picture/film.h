// Pictures one after the other: numbered in a folder, or as a film by the ffmpeg program.
#pragma once

#include "picture/film_encoder.h"
#include "process/unfinished.h"

#include <condition_variable>
#include <exception>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>

namespace sinew {

// Whether the name ends in .mp4 or .gif, in small or capital letters.
bool isFilm(const std::filesystem::path& path);

// Whether the ffmpeg program is there.
bool canEncodeFilms();

// A thread of its own writes one picture while the next is drawn.
class PictureSequence {
 public:
  // output: a film, or a folder, which is created if needed. The parts of a film lie in a new
  // folder beside it, which is always removed at the end. Throws usageError where the folder cannot
  // be created.
  PictureSequence(std::filesystem::path output, double framesPerSecond);
  ~PictureSequence();
  PictureSequence(const PictureSequence&) = delete;
  PictureSequence& operator=(const PictureSequence&) = delete;

  // Writes pictures of one size as 0000.png, 0001.png, ..., or to ffmpeg. Throws usageError if this
  // picture or an earlier one cannot be written: for a film if ffmpeg is not installed or fails,
  // with its own message.
  void add(Image picture);
  int count() const { return count_; } // number of added pictures

  // Waits until all pictures are written and the film is encoded. An existing film is only replaced
  // by a whole one. Throws as add().
  void finish();

 private:
  void writeAll();
  void write(const Image& picture, int index);

  std::filesystem::path output_;
  double framesPerSecond_;
  std::filesystem::path folder_;
  std::optional<UnfinishedFolder> pictures_; // the folder of a film; outlives the encoder
  std::optional<FilmEncoder> encoder_;
  int count_ = 0;

  // Shared with the thread.
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Image> next_; // a picture that the thread has not taken yet
  bool closed_ = false;       // no more will come
  std::exception_ptr failure_;
  std::thread thread_;
};

} // namespace sinew
