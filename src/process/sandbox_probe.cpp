
#include "process/sandbox.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sinew {
namespace {

constexpr const char* kReadable = "/usr";
constexpr const char* kElsewhere = "/";

bool refused(long result) {
  return result < 0 && (errno == EPERM || errno == EACCES);
}

bool opens(const char* folder) {
  const int fd = ::open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) ::close(fd);
  return fd >= 0;
}

bool noSockets() {
  return refused(::socket(AF_INET, SOCK_STREAM, 0)) && refused(::socket(AF_UNIX, SOCK_STREAM, 0));
}

// Without what a library does at a fork.
bool noProcesses() {
  const pid_t child = static_cast<pid_t>(::syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
  if (child == 0) ::_exit(0);
  if (child > 0) ::waitpid(child, nullptr, 0);
  return child < 0 && errno == EPERM;
}

// The program does not exist: where programs may be started, the error is another one.
bool noPrograms() {
  const std::array<char*, 1> none{};
  return ::execve("/nonexistent", none.data(), none.data()) < 0 && errno == EPERM;
}

bool noWriting() {
  return refused(::open("/dev/null", O_WRONLY | O_CLOEXEC)) &&
         refused(::open("/dev/null", O_RDWR | O_CLOEXEC)) &&
         refused(::open(".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600)) &&
         refused(::mkdir("/nonexistent/folder", 0700)) && refused(::unlink("/nonexistent")) &&
         refused(::rename("/nonexistent", "/nonexistent2")) &&
         refused(::symlink("/nonexistent", "/nonexistent2")) &&
         refused(::truncate("/nonexistent", 0)) && refused(::chmod("/nonexistent", 0700));
}

bool readingThere() {
  return opens(kReadable);
}
bool noReadingElsewhere() {
  return !opens(kElsewhere) && errno == EACCES;
}

bool noOtherProcesses() {
  return refused(::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr)) &&
         refused(::kill(::getppid(), 0)) &&
         refused(::syscall(SYS_process_vm_readv, ::getppid(), nullptr, 0, nullptr, 0, 0));
}

bool noPrivileges() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> data{};
  return ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 &&
         ::syscall(SYS_capget, &header, data.data()) == 0 &&
         (data[0].effective & ~(1U << CAP_DAC_READ_SEARCH)) == 0 && data[1].effective == 0 &&
         refused(::setuid(::getuid()));
}

bool noNewProgramCode() {
  void* made = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return made != MAP_FAILED && refused(::mprotect(made, 4096, PROT_READ | PROT_EXEC));
}

bool limited(__rlimit_resource resource) {
  rlimit limit{};
  return ::getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
         refused(::setrlimit(resource, &limit));
}
bool limits() {
  return limited(RLIMIT_CPU) && limited(RLIMIT_STACK) && limited(RLIMIT_NOFILE) &&
         limited(RLIMIT_FSIZE) && limited(RLIMIT_CORE);
}

bool threads() {
  pthread_t thread{};
  const auto run = [](void* argument) -> void* { return argument; };
  return ::pthread_create(&thread, nullptr, run, nullptr) == 0 &&
         ::pthread_join(thread, nullptr) == 0;
}

struct Attempt {
  std::string_view name;
  std::string_view what;
  bool (*holds)();
};
constexpr std::array kAttempts = {
    Attempt{"network", "no sockets", noSockets},
    Attempt{"processes", "none are started", noProcesses},
    Attempt{"programs", "none are started", noPrograms},
    Attempt{"writing", "nothing is written, created, renamed or removed", noWriting},
    Attempt{"reading", "the model's folder can be read", readingThere},
    Attempt{"reading elsewhere", "nothing outside the model's folder is opened",
            noReadingElsewhere},
    Attempt{"other processes", "none is traced, read or signalled", noOtherProcesses},
    Attempt{"privileges", "none, and none can be gained", noPrivileges},
    Attempt{"program code", "none is made in memory", noNewProgramCode},
    Attempt{"limits", "of processor time, stack, open files and output", limits},
    Attempt{"threads", "readers can start them", threads},
};

} // namespace

std::vector<SandboxCheck> probeSandbox() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr double kSeconds = 10.0;
    enterSandbox({{kReadable}, {ends[1]}, kSeconds, 1.0});
    for (const Attempt& attempt : kAttempts) {
      const char answer = attempt.holds() ? 1 : 0;
      if (::write(ends[1], &answer, 1) != 1) break;
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  std::vector<SandboxCheck> checks;
  for (const Attempt& attempt : kAttempts) {
    char answer = 0; // stays 0 where the attempt ended the process: it does not hold
    const bool answered = child > 0 && ::read(ends[0], &answer, 1) == 1;
    checks.push_back({attempt.name, attempt.what, answered && answer == 1});
  }
  ::close(ends[0]);
  if (child < 0) return {};
  ::waitpid(child, nullptr, 0);
  return checks;
}

} // namespace sinew
