#include "import/isolated_import.h"

#include "core/error.h"
#include "core/stopwatch.h"
#include "core/text.h"
#include "import/import_budget.h"
#include "import/model_finish.h"
#include "import/model_folder.h"
#include "model/model_bytes.h"
#include "process/sandbox.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <new>
#include <optional>
#include <poll.h>
#include <span>
#include <string>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace sinew {
namespace {

constexpr double kMaxCpuSeconds = 3600.0; // where the user cancels
constexpr double kUserSeconds = 300.0;    // stands for the time limit where the user cancels
constexpr int kNotHandedOver = 3;         // the child's exit code where its result was refused

// What the child writes into the shared memory, ahead of the result or the message.
enum class Outcome : std::uint32_t { done = 0x5157e1, error, cancelled };

struct Header {
  Outcome outcome{};
  ErrorCause cause{};
  std::uint64_t bytes = 0;
};

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() { close(); }
  int get() const { return fd_; }
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

 private:
  int fd_;
};

bool writeAll(int fd, const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::write(fd, at, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    at += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

// ---- In the child

bool putResult(int memory, Outcome outcome, ErrorCause cause, const void* data, std::size_t size) {
  const Header header{outcome, cause, size};
  return writeAll(memory, &header, sizeof header) && writeAll(memory, data, size);
}

bool putModel(int memory, const Model& model) {
  const Header header{Outcome::done, ErrorCause{}, countBytes(model)};
  bool written = writeAll(memory, &header, sizeof header);
  putBytes(model, [&](std::span<const std::byte> piece) {
    written = written && writeAll(memory, piece.data(), piece.size());
  });
  return written;
}

// Bytes that RLIMIT_DATA counts as used by now: a fork has what its parent had.
[[maybe_unused]] rlim_t dataInUse() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmData:")) return 1024 * std::strtoull(line.c_str() + 7, nullptr, 10);
  return 0;
}

void boundMemory([[maybe_unused]] double megabytes) {
#ifndef SINEW_SANITIZED // sanitizers reserve far more than they use
  const rlim_t bytes = dataInUse() + static_cast<rlim_t>(megabytes * 1024.0 * 1024.0);
  rlimit limit{};
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return;
  if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur <= bytes) return;
  limit.rlim_cur = bytes;
  setrlimit(RLIMIT_DATA, &limit);
#endif
}

// What a library prints as it crashes is no message of ours, and what is typed not for it.
void silence() {
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere < 0) return;
  ::dup2(nowhere, STDIN_FILENO);
#ifndef SINEW_SANITIZED // what a sanitizer finds is to be read
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
#endif
}

// The model, wherever a link of its name leads, what lies in its folder and below, and the folders
// that the user names.
SandboxRules rulesFor(const std::filesystem::path& path,
                      const std::vector<std::filesystem::path>& folders,
                      const IsolationLimits& limits) {
  SandboxRules rules;
  const std::filesystem::path own = path.parent_path();
  rules.readable = {path, own.empty() ? std::filesystem::path(".") : own};
  rules.readable.insert(rules.readable.end(), folders.begin(), folders.end());
  const double cores = std::max(1U, std::thread::hardware_concurrency());
  rules.cpuSeconds =
      std::min({limits.seconds * cores + 1.0, limits.processorSeconds, kMaxCpuSeconds});
  rules.writtenMegabytes = limits.megabytes;
  return rules;
}

constexpr char kFetch = '?'; // begins the line of a file that the child asks for

// "0.25 reading\n". When the parent has closed its end, SIGPIPE ends the process.
bool tell(int pipe, float fraction, std::string_view what) {
  const std::string line = fmt::format("{} {}\n", fraction, what);
  return writeAll(pipe, line.data(), line.size());
}

// Asks the parent for a file, "?skin.png\n", and waits for its answer: a byte, whatever it is.
// Where there is none the parent has ended.
void askFor(const std::string& name, int pipe, int answers) {
  const std::string line = kFetch + name + '\n';
  char answer = 0;
  if (!writeAll(pipe, line.data(), line.size())) return;
  while (::read(answers, &answer, 1) < 0 && errno == EINTR) {
  }
}

// Reads, and puts what it has read into the shared memory; whether there was room for it.
using ReadInto =
    std::function<bool(const ImportProgress& progress, const FetchFile& fetch, int memory)>;

bool readAndReport(const std::filesystem::path& path, const ReadInto& reader, double megabytes,
                   int pipe, int answers, int memory) {
  const auto progress = [pipe](float fraction, std::string_view what) {
    return tell(pipe, fraction, what);
  };
  const auto fetch = [=](const std::string& name) { askFor(name, pipe, answers); };
  const auto failed = [&](ErrorCause cause, const std::string& message) {
    return putResult(memory, Outcome::error, cause, message.data(), message.size());
  };
  try {
    return reader(progress, fetch, memory);
  } catch (const Cancelled&) {
    return putResult(memory, Outcome::cancelled, ErrorCause{}, nullptr, 0);
  } catch (const Error& error) {
    return failed(error.cause(), error.what());
  } catch (const std::bad_alloc&) {
    return failed(ErrorCause::limit,
                  fmt::format("{}: needs more than {:.0f} MB to read; the file may be damaged",
                              path.string(), megabytes));
  } catch (const std::exception& error) {
    return failed(ErrorCause::input, fmt::format("{}: {}", path.string(), error.what()));
  }
}

// ---- In the parent

Error noProcess(const std::filesystem::path& path) {
  return {ErrorCause::limit, fmt::format("{}: no process to read it in ({}); close other programs",
                                         path.string(), std::strerror(errno))};
}

Error crashed(const std::filesystem::path& path, int status) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
    return {ErrorCause::limit,
            fmt::format("{}: took too much processor time to read; the file may be damaged, or "
                        "--time-limit too short",
                        path.string())};
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNotHandedOver)
    return {ErrorCause::limit,
            fmt::format("{}: what was read cannot be handed over: it is too large, or there is "
                        "no memory for it, or files are limited (ulimit -f)",
                        path.string())};
  const std::string how = WIFSIGNALED(status) ? std::string(strsignal(WTERMSIG(status)))
                                              : std::string("it ended without a result");
  return inputError(path.string(), fmt::format("the reader crashed ({})", how),
                    "the file is damaged; export it again or convert it to glTF");
}

// The process that reads: stopped and waited for, whatever happens.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    wait();
  }
  // Nothing where it has not ended: it may have closed its pipe and stay.
  std::optional<int> ended() {
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
    pid_ = -1;
    return status;
  }
  int wait() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return status;
  }

 private:
  pid_t pid_;
};

struct ProgressLine {
  float fraction = 0.0f;
  std::string what = "reading";
};

// The child is not trusted, since a damaged file may have taken it over: text from it has no
// control characters and an end.
constexpr std::size_t kLongestStep = 200;
constexpr std::size_t kLongestLine = 2048;
constexpr std::size_t kLongestMessage = 8000;

bool isCause(ErrorCause cause) {
  return cause >= ErrorCause::usage && cause <= ErrorCause::graphics;
}

// Whoever reads a model may ask for files beside it; every question has an answer, for the child
// waits for it.
struct FileQuestions {
  const FetchFile& fetch; // null: none is expected
  int answers = -1;

  void answer(const std::string& name) const {
    if (fetch && isFetchable(name)) fetch(name);
    const char done = 0;
    if (answers >= 0) ::send(answers, &done, 1, MSG_NOSIGNAL); // the child may have ended
  }
};

// Takes whole lines off the text.
void readProgress(std::string& text, const FileQuestions& questions, ProgressLine& latest) {
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n')) {
    const std::string line = text.substr(0, end);
    text.erase(0, end + 1);
    if (line.starts_with(kFetch)) {
      questions.answer(line.substr(1));
      continue;
    }
    const std::size_t space = line.find(' ');
    const float fraction = std::strtof(line.c_str(), nullptr);
    latest.fraction = fraction >= 0.0f && fraction <= 1.0f ? fraction : 0.0f;
    latest.what = printable(
        utf8Prefix(space == std::string::npos ? "" : line.substr(space + 1), kLongestStep));
  }
  if (text.size() > kLongestLine) text.clear(); // no line of a reader's
}

Error tooLate(const std::filesystem::path& path, double seconds) {
  return {ErrorCause::limit, fmt::format("{}: not read within {} s; the file may be damaged, "
                                         "or --time-limit too short",
                                         path.string(), seconds)};
}

// Until the child closes its end of the pipe: passes on its progress and questions, keeps the time.
// Returns the last step. start moves by the time that answers take.
ProgressLine listen(const std::filesystem::path& path, int pipe, const FileQuestions& questions,
                    const ImportProgress& progress, Clock::time_point& start, double seconds) {
  std::string text;
  ProgressLine latest;
  while (true) {
    pollfd wanted{pipe, POLLIN, 0};
    constexpr int kMilliseconds = 50;
    const int ready = ::poll(&wanted, 1, kMilliseconds);
    if (ready > 0) {
      char buffer[4096];
      const ssize_t count = ::read(pipe, buffer, sizeof buffer);
      if (count == 0 || (count < 0 && errno != EINTR)) return latest;
      if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
      const Clock::time_point before = Clock::now();
      readProgress(text, questions, latest);
      start += Clock::now() - before;
    }
    if (progress && !progress(latest.fraction, latest.what)) throw Cancelled();
    if (secondsSince(start) > seconds) throw tooLate(path, seconds);
  }
}

// A child that has closed its pipe has nothing left to do but to end.
int waitForEnd(const std::filesystem::path& path, Child& child, const ImportProgress& progress,
               const ProgressLine& last, Clock::time_point start, double seconds) {
  for (std::chrono::microseconds pause(100);;
       pause = std::min<std::chrono::microseconds>(2 * pause, std::chrono::milliseconds(50))) {
    if (const std::optional<int> status = child.ended()) return *status;
    if (progress && !progress(last.fraction, last.what)) throw Cancelled();
    if (secondsSince(start) > seconds) throw tooLate(path, seconds);
    std::this_thread::sleep_for(pause);
  }
}

// What is done with the child's bytes, which lie in memory that is shared with it.
using TakeBytes = std::function<void(std::span<const std::byte> bytes)>;

void takeResult(const std::filesystem::path& path, int memory, int status, const TakeBytes& take) {
  struct stat about {};
  Header header;
  if (::fstat(memory, &about) != 0 || static_cast<std::size_t>(about.st_size) < sizeof header)
    throw crashed(path, status);
  const auto size = static_cast<std::size_t>(about.st_size);
  void* mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, memory, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  const struct Unmap {
    void* at;
    std::size_t size;
    ~Unmap() { ::munmap(at, size); }
  } unmap{mapped, size};
  const std::span bytes(static_cast<const std::byte*>(mapped), size);
  std::memcpy(&header, bytes.data(), sizeof header);
  const auto rest = bytes.subspan(sizeof header);
  if (rest.size() != header.bytes) throw crashed(path, status);
  if (header.outcome == Outcome::cancelled) throw Cancelled();
  if (header.outcome == Outcome::error && isCause(header.cause))
    throw Error(header.cause,
                printable(utf8Prefix({reinterpret_cast<const char*>(rest.data()), rest.size()},
                                     kLongestMessage)));
  if (header.outcome != Outcome::done) throw crashed(path, status);
  take(rest);
}

} // namespace

void endWithParent(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
}

namespace {

void readInChild(const std::filesystem::path& path,
                 const std::vector<std::filesystem::path>& folders, const ReadInto& reader,
                 const ImportProgress& progress, const FetchFile& fetch,
                 const IsolationLimits& limits, const TakeBytes& take) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw noProcess(path);
  Descriptor hearing(ends[0]), telling(ends[1]);
  // A socket, for writing to one whose reader has ended need not be a signal.
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw noProcess(path);
  Descriptor answering(ends[0]), answers(ends[1]);
  const Descriptor memory(::memfd_create("sinew-model", MFD_CLOEXEC));
  if (memory.get() < 0) throw noProcess(path);
  // A fork without exec: the reader is this very program, and a child needs none of what other
  // threads may hold (glibc makes its allocator and streams usable after a fork).
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) throw noProcess(path);
  if (pid == 0) {
    endWithParent(parent);
    // Whatever this process does about signals, the child is to end by them.
    for (const int signal :
         {SIGPIPE, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGINT, SIGHUP})
      ::signal(signal, SIG_DFL);
    hearing.close();
    answering.close();
    boundMemory(limits.megabytes);
    silence();
    SandboxRules rules = rulesFor(path, folders, limits);
    rules.open = {telling.get(), answers.get(), memory.get()};
    enterSandbox(rules);
    const bool done =
        readAndReport(path, reader, limits.megabytes, telling.get(), answers.get(), memory.get());
    ::_exit(done ? 0 : kNotHandedOver);
  }
  telling.close();
  answers.close();
  Child child(pid);
  Clock::time_point start = Clock::now();
  const ProgressLine last =
      listen(path, hearing.get(), {fetch, answering.get()}, progress, start, limits.seconds);
  const int status = waitForEnd(path, child, progress, last, start, limits.seconds);
  takeResult(path, memory.get(), status, take);
}

using FetchingReader = std::function<Model(const ImportProgress& progress, const FetchFile& fetch)>;

Model modelInChild(const std::filesystem::path& path,
                   const std::vector<std::filesystem::path>& folders, const FetchingReader& reader,
                   const ImportProgress& progress, const FetchFile& fetch,
                   const IsolationLimits& limits) {
  Model model;
  const ReadInto read = [&](const ImportProgress& told, const FetchFile& asked, int memory) {
    return putModel(memory, reader(told, asked));
  };
  readInChild(path, folders, read, progress, fetch, limits, [&](std::span<const std::byte> result) {
    try {
      model = modelOfBytes(result);
      makeNamesPrintable(model);
    } catch (const BadModelBytes& error) {
      throw inputError(path.string(),
                       fmt::format("the reader's result is damaged ({})", error.what()),
                       "the file is damaged; export it again or convert it to glTF");
    }
  });
  return model;
}

// AddressSanitizer's allocator, other than glibc's, may be left locked in the child of a process
// with several threads: in those builds the window's files are read in the window's own process.
bool canFork() {
#ifdef SINEW_SANITIZED
  const std::filesystem::directory_iterator threads("/proc/self/task");
  return std::distance(begin(threads), end(threads)) == 1;
#else
  return true;
#endif
}

} // namespace

Model readIsolated(const std::filesystem::path& path, const ModelReader& reader,
                   const ImportProgress& progress, const IsolationLimits& limits) {
  const FetchingReader alone = [&](const ImportProgress& told, const FetchFile& /*none*/) {
    return reader(told);
  };
  return modelInChild(path, {}, alone, progress, {}, limits);
}

std::vector<std::byte> bytesIsolated(const std::filesystem::path& path, const BytesReader& reader,
                                     const ImportProgress& progress,
                                     const IsolationLimits& limits) {
  if (!canFork()) return reader(progress);
  std::vector<std::byte> out;
  const ReadInto read = [&](const ImportProgress& told, const FetchFile& /*none*/, int memory) {
    const std::vector<std::byte> bytes = reader(told);
    return putResult(memory, Outcome::done, ErrorCause{}, bytes.data(), bytes.size());
  };
  readInChild(path, {}, read, progress, {}, limits,
              [&](std::span<const std::byte> bytes) { out.assign(bytes.begin(), bytes.end()); });
  return out;
}

Model importIsolated(const std::filesystem::path& path, const ImportOptions& options,
                     const IsolationLimits& limits) {
  if (!canFork()) return importModel(path, options);
  const FetchingReader reader = [&](const ImportProgress& progress, const FetchFile& fetch) {
    ImportOptions child = options;
    child.progress = progress;
    if (options.fetch) child.fetch = fetch;
    return importModel(path, child);
  };
  IsolationLimits own = limits;
  // How long the files are that will be asked for is not known: then the caller's limits hold
  // alone.
  if (!options.fetch) {
    const ReadingLimits byLength = limitsToRead(path, options);
    own.megabytes =
        std::min(own.megabytes, static_cast<double>(byLength.memoryBytes) / (1024.0 * 1024.0));
#ifndef SINEW_SANITIZED // which take ten times as long
    const double seconds = std::isfinite(own.seconds) ? own.seconds : kUserSeconds;
    own.processorSeconds = std::min(own.processorSeconds, seconds * byLength.processorShare);
#endif
  }
  return modelInChild(path, options.textureFolders, reader, options.progress, options.fetch, own);
}

} // namespace sinew
