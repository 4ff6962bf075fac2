#include "editor/tasks/run_program.h"

#include "core/error.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

extern char** environ;

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr int kLookMilliseconds = 50; // between two looks at progress

// Both ends of a pipe, closed with it.
struct PipeEnds {
  int read = -1;
  int write = -1;

  PipeEnds() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
    read = ends[0];
    write = ends[1];
  }
  ~PipeEnds() {
    closeWrite();
    if (read >= 0) ::close(read);
  }
  PipeEnds(const PipeEnds&) = delete;
  PipeEnds& operator=(const PipeEnds&) = delete;
  void closeWrite() {
    if (write >= 0) ::close(write);
    write = -1;
  }
};

// Ended and waited for, whatever happens.
struct StartedProgram {
  pid_t pid = 0;

  ~StartedProgram() {
    if (pid <= 0) return;
    ::kill(pid, SIGKILL);
    wait();
  }
  int wait() {
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    pid = 0;
    return status;
  }
};

int spawn(const std::vector<std::string>& words, const PipeEnds& out, const PipeEnds& err,
          pid_t& pid) {
  std::vector<std::string> copies = words;
  std::vector<char*> arguments;
  arguments.reserve(copies.size() + 1);
  for (std::string& word : copies)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.write, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.write, STDERR_FILENO);
  const int problem =
      posix_spawnp(&pid, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return problem;
}

// False at its end.
bool readSome(int from, std::string& text) {
  std::array<char, 4096> buffer{};
  const ssize_t count = ::read(from, buffer.data(), buffer.size());
  if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && errno == EINTR);
}

std::string lastLine(const std::string& text) {
  const std::size_t end = text.find_last_not_of("\n ");
  if (end == std::string::npos) return {};
  const std::size_t before = text.rfind('\n', end);
  return text.substr(before == std::string::npos ? 0 : before + 1, end - (before + 1) + 1);
}

} // namespace

std::string ownProgram() {
  std::error_code error;
  const fs::path path = fs::read_symlink("/proc/self/exe", error);
  return error ? "sinew" : path.string();
}

std::string runProgram(const std::vector<std::string>& words, const Progress& progress) {
  PipeEnds out;
  PipeEnds err;
  StartedProgram program;
  if (out.read < 0 || err.read < 0)
    throw inputError(words[0], "cannot be started", std::strerror(errno));
  if (const int problem = spawn(words, out, err, program.pid); problem != 0)
    throw inputError(words[0], "cannot be started", std::strerror(problem));
  out.closeWrite();
  err.closeWrite();
  std::string written;
  std::string complaints;
  std::array<pollfd, 2> wanted{{{out.read, POLLIN, 0}, {err.read, POLLIN, 0}}};
  while (wanted[0].fd >= 0 || wanted[1].fd >= 0) {
    if (progress && !progress(0.0f, {})) throw Cancelled();
    if (::poll(wanted.data(), wanted.size(), kLookMilliseconds) <= 0) continue;
    if (wanted[0].revents != 0 && !readSome(wanted[0].fd, written)) wanted[0].fd = -1;
    if (wanted[1].revents != 0 && !readSome(wanted[1].fd, complaints)) wanted[1].fd = -1;
  }
  const int status = program.wait();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return written;
  std::string line = lastLine(complaints);
  if (line.starts_with("sinew: ")) line.erase(0, 7);
  if (line.empty()) line = fmt::format("{}: it ended without a result", words[0]);
  throw Error(ErrorCause::input, line);
}

ScratchFolder::ScratchFolder() {
  try {
    folder_.emplace(fs::temp_directory_path() / "sinew-XXXXXX");
  } catch (const std::system_error&) { // there is no such place, or no room
    throw usageError("no temporary files can be written", "set TMPDIR to a folder with room");
  }
}

} // namespace sinew
