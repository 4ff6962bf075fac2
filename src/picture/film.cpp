#include "picture/film.h"

#include "core/error.h"
#include "core/file.h"
#include "render/image.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace sinew {

namespace fs = std::filesystem;

bool isFilm(const fs::path& path) {
  const std::string extension = getExtension(path);
  return extension == ".mp4" || extension == ".gif";
}

bool canEncodeFilms() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/usr/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((fs::path(folder) / "ffmpeg").c_str(), X_OK) == 0) return true;
  return false;
}

PictureSequence::PictureSequence(fs::path output, double framesPerSecond)
    : output_(std::move(output)), framesPerSecond_(framesPerSecond), folder_(output_) {
  if (isFilm(output_)) {
    try { // beside the film: it can be renamed from there
      folder_ = pictures_.emplace(output_.string() + ".frames-XXXXXX").path();
    } catch (const std::system_error& error) {
      throw usageError(fmt::format("{}: no folder beside it for its pictures ({})",
                                   output_.string(), error.code().message()));
    }
    return;
  }
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) throw usageError(fmt::format("{}: cannot be created", folder_.string()));
}

PictureSequence::~PictureSequence() {
  if (thread_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
      next_.reset();
    }
    changed_.notify_all();
    if (encoder_) encoder_->stop(); // the thread may wait for it
    thread_.join();
  }
}

void PictureSequence::add(Image picture) {
  if (!thread_.joinable()) {
    if (isFilm(output_))
      encoder_.emplace(output_, folder_, picture.width, picture.height, framesPerSecond_);
    thread_ = std::thread([this] { writeAll(); });
  }
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !next_ || failure_; });
  if (failure_) std::rethrow_exception(failure_);
  next_ = std::move(picture);
  ++count_;
  changed_.notify_all();
}

void PictureSequence::writeAll() {
  for (int index = 0;; ++index) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return next_ || closed_; });
    if (!next_) return;
    const Image picture = *std::exchange(next_, std::nullopt);
    changed_.notify_all();
    lock.unlock();
    try {
      write(picture, index);
    } catch (...) {
      lock.lock();
      failure_ = std::current_exception();
      changed_.notify_all();
      return;
    }
  }
}

void PictureSequence::write(const Image& picture, int index) {
  if (encoder_)
    encoder_->write(picture);
  else
    writePng(folder_ / fmt::format("{:04}.png", index), picture);
}

void PictureSequence::finish() {
  if (thread_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  if (failure_) std::rethrow_exception(failure_);
  if (!encoder_) return;
  const fs::path whole = encoder_->finish();
  std::error_code error;
  fs::rename(whole, output_, error);
  if (error)
    throw usageError(fmt::format("{}: cannot be written ({})", output_.string(), error.message()));
}

} // namespace sinew
