#include "process/unfinished.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <string>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>

namespace sinew {

// Entries form a list that only grows, and are used again: a signal may come at any moment, and
// whoever takes the path out of an entry is the one to use it.
struct Unfinished::Entry {
  std::atomic<char*> path{nullptr};
  char* taken = nullptr; // by the handler
  Entry* next = nullptr;
};

namespace {

std::atomic<Unfinished::Entry*> entries{nullptr};
std::atomic<bool> ending{false};
std::atomic<int> busy{0}; // threads that hold what no entry states
pid_t owner = 0;          // the process that removes at signals; its children do not

constexpr std::array kEndSignals{SIGINT, SIGTERM, SIGHUP};
constexpr int kMaxDepth = 16;

// Removes a file, or a folder with its content, by calls that a signal handler may make: no
// allocation, no opendir(). Returns whether there was something.
// NOLINTNEXTLINE(misc-no-recursion): at most kMaxDepth
bool removeAt(int folder, const char* name, int depth) {
  if (::unlinkat(folder, name, 0) == 0) return true;
  if (errno != EISDIR && errno != EPERM) return false;
  const int inner =
      ::openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (inner < 0) return false;
  alignas(dirent64) std::array<char, 4096> buffer;
  while (depth < kMaxDepth) {
    const long bytes = ::syscall(SYS_getdents64, inner, buffer.data(), buffer.size());
    if (bytes <= 0) break;
    for (long at = 0; at < bytes;) {
      const auto* entry = reinterpret_cast<const dirent64*>(buffer.data() + at);
      at += entry->d_reclen;
      if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0)
        removeAt(inner, entry->d_name, depth + 1);
    }
  }
  ::close(inner);
  ::unlinkat(folder, name, AT_REMOVEDIR);
  return true;
}

bool removeAll() {
  bool any = false;
  for (Unfinished::Entry* entry = entries; entry != nullptr; entry = entry->next) {
    if (char* path = entry->path.exchange(nullptr)) entry->taken = path;
    if (entry->taken != nullptr) any = removeAt(AT_FDCWD, entry->taken, 0) || any;
  }
  return any;
}

// Another thread may be about to create what it has stated, and then stops at its next statement:
// looked at until nothing has come for a while.
constexpr int kQuietLooks = 4;
constexpr int kMaxLooks = 200;
constexpr timespec kBetweenLooks{0, 5'000'000};

void endBySignal(int signal) {
  if (::getpid() == owner) {
    ending = true;
    for (int quiet = 0, look = 0; quiet < kQuietLooks && look < kMaxLooks; ++look) {
      quiet = removeAll() || busy > 0 ? 0 : quiet + 1;
      ::nanosleep(&kBetweenLooks, nullptr);
    }
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// On a thread other than that of the handler.
[[noreturn]] void waitForTheEnd() {
  while (true)
    ::pause();
}

// An entry that holds no path, with this one in it.
Unfinished::Entry* entryWith(char* path) {
  for (Unfinished::Entry* entry = entries; entry != nullptr; entry = entry->next) {
    char* none = nullptr;
    if (entry->path.compare_exchange_strong(none, path)) return entry;
  }
  auto* entry = new Unfinished::Entry;
  entry->path = path;
  entry->next = entries;
  while (!entries.compare_exchange_weak(entry->next, entry)) {
  }
  return entry;
}

// While it lives the end by a signal waits: on this thread the signal, else its handler.
class EndWaits {
 public:
  EndWaits() {
    sigset_t signals;
    ::sigemptyset(&signals);
    for (const int signal : kEndSignals)
      ::sigaddset(&signals, signal);
    ::pthread_sigmask(SIG_BLOCK, &signals, &before_);
    ++busy;
  }
  ~EndWaits() {
    --busy;
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  EndWaits(const EndWaits&) = delete;
  EndWaits& operator=(const EndWaits&) = delete;

 private:
  sigset_t before_;
};

// The folder's name comes in place of the pattern.
Unfinished::Entry* createFolder(std::filesystem::path& path) {
  std::string name = path.string();
  const EndWaits waits;
  if (::mkdtemp(name.data()) == nullptr)
    throw std::system_error(errno, std::generic_category(), name);
  path = name;
  return entryWith(::strdup(name.c_str()));
}

} // namespace

Unfinished::Unfinished(Entry* entry) : entry_(entry) {
  if (ending) waitForTheEnd(); // nothing more is begun
}

Unfinished::Unfinished(const std::filesystem::path& path)
    : Unfinished(entryWith(::strdup(path.c_str()))) {}

UnfinishedFolder::UnfinishedFolder(const std::filesystem::path& pattern)
    : path_(pattern), unfinished_(createFolder(path_)) {}

Unfinished::~Unfinished() {
  if (entry_ == nullptr) return;
  {
    const EndWaits waits;
    if (char* path = entry_->path.exchange(nullptr)) {
      removeAt(AT_FDCWD, path, 0);
      std::free(path);
      return;
    }
  }
  waitForTheEnd();
}

void Unfinished::keep() {
  if (entry_ == nullptr) return;
  char* path = entry_->path.exchange(nullptr);
  if (path == nullptr) waitForTheEnd();
  std::free(path);
  entry_ = nullptr;
}

void removeUnfinishedAtSignals() {
  owner = ::getpid();
  for (const int signal : kEndSignals) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;
    action.sa_handler = endBySignal;
    action.sa_flags = SA_NODEFER; // it raises the signal itself
    ::sigaction(signal, &action, nullptr);
  }
}

} // namespace sinew
