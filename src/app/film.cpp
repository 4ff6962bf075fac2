#include "app/film.h"

#include "core/error.h"

#include <fmt/format.h>

#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <system_error>
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

} // namespace

void writeFilm(const fs::path& frames, double framesPerSecond, const fs::path& film) {
  const bool gif = film.extension() == ".gif";
  fs::path partial = film;
  partial.replace_extension(".part" + film.extension().string());

  std::vector<std::string> words{"ffmpeg",     "-y",
                                 "-loglevel",  "error",
                                 "-framerate", fmt::format("{}", framesPerSecond),
                                 "-i",         (frames / "%04d.png").string(),
                                 "-vf"};
  if (gif)
    words.emplace_back("split[a][b];[a]palettegen[p];[b][p]paletteuse");
  else // the usual players want even sizes and this pixel format
    words.insert(words.end(), {"pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p"});
  words.push_back(partial.string());

  const Outcome outcome = run(words);
  std::error_code error;
  if (outcome == Outcome::done) fs::rename(partial, film, error);
  if (outcome == Outcome::done && !error) return;
  std::error_code ignored;
  fs::remove(partial, ignored);
  if (outcome == Outcome::notInstalled)
    throw usageError(fmt::format("{}: films need ffmpeg, which is not installed", film.string()),
                     "apt-get install ffmpeg, or give a folder and --frames");
  throw usageError(fmt::format("{}: ffmpeg could not write it", film.string()));
}

} // namespace sinew
