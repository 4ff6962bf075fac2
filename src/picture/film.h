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
  // A film, or a folder, which is created if needed. What a film is made of lies in a new folder
  // beside it, which is always removed at the end. Throws usageError where the folder cannot be
  // created.
  PictureSequence(std::filesystem::path output, double framesPerSecond);
  ~PictureSequence();
  PictureSequence(const PictureSequence&) = delete;
  PictureSequence& operator=(const PictureSequence&) = delete;

  // As 0000.png, 0001.png, ..., or to ffmpeg; all of one size. Throws usageError where this one or
  // one before cannot be written: for a film where ffmpeg is not installed or fails, with its own
  // message.
  void add(Image picture);
  int count() const { return count_; } // added

  // Waits until all are written, and the film is encoded: an existing film is only replaced by a
  // whole one. Throws as add().
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
  std::optional<Image> next_; // that the thread has not taken yet
  bool closed_ = false;       // no more will come
  std::exception_ptr failure_;
  std::thread thread_;
};

} // namespace sinew
