#include "picture/film_encoder.h"

#include "core/error.h"
#include "core/file.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

extern char** environ;

namespace sinew {
namespace {

namespace fs = std::filesystem;

// What a GIF is made of once all its pictures are there: lossless, and the best 256 colours.
constexpr const char* kFrames = "frames.mov";
constexpr const char* kColors = "colors.png";

Error notInstalled(const std::string& film) {
  return usageError(fmt::format("{}: films need ffmpeg, which is not installed", film),
                    "apt-get install ffmpeg, or give a folder and --frames");
}

// The first is the cause, what follows are its consequences.
std::string firstLine(const fs::path& file) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) return line;
  return {};
}

// The words for a film in one go. A GIF's colours are known at its end: holding its pictures in
// memory until then took gigabytes, so they wait in a file.
std::vector<std::string> makeArguments(const std::string& name, std::uint32_t width,
                                       std::uint32_t height, double framesPerSecond) {
  std::vector<std::string> words{"-f",
                                 "rawvideo",
                                 "-pixel_format",
                                 "rgba",
                                 "-video_size",
                                 fmt::format("{}x{}", width, height),
                                 "-framerate",
                                 fmt::format("{}", framesPerSecond),
                                 "-i",
                                 "pipe:0"};
  if (getExtension(name) == ".gif")
    words.insert(words.end(),
                 {"-filter_complex", "[0:v]format=rgb24,split[a][frames];[a]palettegen[colors]",
                  "-map", "[frames]", "-c:v", "qtrle", kFrames, "-map", "[colors]", "-update", "1",
                  kColors});
  else // the usual players want even sizes and this pixel format
    words.insert(words.end(),
                 {"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", name});
  return words;
}

std::string makeFileName(const fs::path& film) {
  return "film" + getExtension(film);
}

} // namespace

Ffmpeg::Ffmpeg(const fs::path& folder, const std::string& film, std::vector<std::string> words)
    : messages_(folder / "messages.txt"), film_(film) {
  words.insert(words.begin(), {"ffmpeg", "-nostdin", "-y", "-loglevel", "error"});
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  // A socket and not a pipe: writing to one that nobody reads is an error without a signal.
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw Error(ErrorCause::limit,
                fmt::format("{}: no connection to ffmpeg ({})", film_, std::strerror(errno)));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, messages_.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  // File names without a folder need no escaping of what ffmpeg reads into them.
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  const int problem =
      posix_spawnp(&pid_, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  input_ = ends[0];
  if (problem == 0) return;
  pid_ = -1;
  ::close(std::exchange(input_, -1));
  throw problem == ENOENT
      ? notInstalled(film_)
      : usageError(fmt::format("{}: ffmpeg cannot be started ({})", film_, std::strerror(problem)));
}

Ffmpeg::~Ffmpeg() {
  stop();
  if (input_ >= 0) ::close(input_);
  while (pid_ > 0 && ::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void Ffmpeg::stop() {
  if (pid_ > 0) ::kill(pid_, SIGKILL);
}

void Ffmpeg::write(const std::vector<std::uint8_t>& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t taken = ::send(input_, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
    if (taken < 0 && errno == EINTR) continue;
    if (taken >= 0) {
      at += static_cast<std::size_t>(taken);
      continue;
    }
    check();
    throw usageError(fmt::format("{}: ffmpeg ended before the last picture", film_));
  }
}

void Ffmpeg::finish() {
  ::close(std::exchange(input_, -1));
  check();
}

void Ffmpeg::check() const {
  // The process number stays taken (WNOWAIT) for stop() on another thread.
  siginfo_t ended{};
  while (::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOWAIT) < 0 &&
         errno == EINTR) {
  }
  const bool exited = ended.si_code == CLD_EXITED;
  if (exited && ended.si_status == 0) return;
  if (exited && ended.si_status == 127) throw notInstalled(film_);
  std::string why = firstLine(messages_);
  if (why.empty() && !exited) why = strsignal(ended.si_status);
  throw usageError(fmt::format("{}: ffmpeg could not write it{}", film_,
                               why.empty() ? "" : fmt::format(" ({})", why)));
}

FilmEncoder::FilmEncoder(const fs::path& film, fs::path folder, std::uint32_t width,
                         std::uint32_t height, double framesPerSecond)
    : film_(film), folder_(std::move(folder)),
      ffmpeg_(folder_, film_.string(),
              makeArguments(makeFileName(film_), width, height, framesPerSecond)) {}

fs::path FilmEncoder::finish() {
  ffmpeg_.finish();
  const std::string name = makeFileName(film_);
  if (getExtension(name) == ".gif")
    Ffmpeg(folder_, film_.string(), {"-i", kFrames, "-i", kColors, "-lavfi", "paletteuse", name})
        .finish();
  return folder_ / name;
}

} // namespace sinew
