#include "picture/film.h"

#include "core/error.h"
#include "core/file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <spawn.h>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

extern char** environ;

namespace sinew {
namespace {

namespace fs = std::filesystem;

enum class Outcome { done, failed, notInstalled };

// Without a shell: file names need no quoting.
Outcome run(std::vector<std::string> words) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ) != 0)
    return Outcome::notInstalled;
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return Outcome::failed;
  if (WEXITSTATUS(status) == 127) return Outcome::notInstalled;
  return WEXITSTATUS(status) == 0 ? Outcome::done : Outcome::failed;
}

// A folder of a name that nothing has, beside the film: it can be renamed from there.
fs::path freshFolder(const fs::path& film) {
  std::string name = film.string() + ".frames-XXXXXX";
  if (mkdtemp(name.data()) == nullptr)
    throw usageError(fmt::format("{}: no folder beside it for its pictures ({})", film.string(),
                                 std::strerror(errno)));
  return name;
}

// The pictures' names as an ffmpeg pattern, with each '%' of the folder escaped.
std::string pictureNames(const fs::path& folder) {
  std::string pattern;
  for (const char c : fs::absolute(folder).string())
    pattern += c == '%' ? "%%" : std::string(1, c);
  return pattern + "/%04d.png";
}

} // namespace

bool isFilm(const fs::path& path) {
  const std::string extension = extensionOf(path);
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
    : output_(std::move(output)), framesPerSecond_(framesPerSecond),
      folder_(isFilm(output_) ? freshFolder(output_) : output_) {
  if (isFilm(output_)) pictures_.emplace(folder_);
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) throw usageError(fmt::format("{}: cannot be created", folder_.string()));
}

void PictureSequence::add(const Image& picture) {
  writePng(folder_ / fmt::format("{:04}.png", count_++), picture);
}

void PictureSequence::finish() {
  if (!isFilm(output_)) return;
  const std::string extension = extensionOf(output_);
  const fs::path whole = fs::absolute(folder_) / ("film" + extension);
  std::vector<std::string> words{"ffmpeg",
                                 "-nostdin",
                                 "-y",
                                 "-loglevel",
                                 "error",
                                 "-pattern_type",
                                 "sequence",
                                 "-framerate",
                                 fmt::format("{}", framesPerSecond_),
                                 "-i",
                                 pictureNames(folder_),
                                 "-vf"};
  if (extension == ".gif")
    words.emplace_back("split[a][b];[a]palettegen[p];[b][p]paletteuse");
  else // the usual players want even sizes and this pixel format
    words.insert(words.end(), {"pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p"});
  words.push_back(whole.string());

  const Outcome outcome = run(words);
  if (outcome == Outcome::notInstalled)
    throw usageError(fmt::format("{}: films need ffmpeg, which is not installed", output_.string()),
                     "apt-get install ffmpeg, or give a folder and --frames");
  std::error_code error;
  if (outcome == Outcome::done) fs::rename(whole, output_, error);
  if (outcome != Outcome::done || error)
    throw usageError(fmt::format("{}: ffmpeg could not write it", output_.string()));
}

} // namespace sinew
