#include "process/sandbox.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <memory>
#include <sched.h>
#include <seccomp.h>
#include <string>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sinew {
namespace {

namespace fs = std::filesystem;

// ---- Descriptors: what the parent has open (documents, the display, the graphics card) is not for
// the child.

void closeRange(unsigned first, unsigned last) {
  rlimit limit{};
  if (::close_range(first, last, 0) == 0 || ::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  for (rlim_t fd = first; fd <= last && fd < limit.rlim_cur; ++fd) // before Linux 5.9
    ::close(static_cast<int>(fd));
}

void closeAllBut(std::vector<int> open) {
  std::sort(open.begin(), open.end());
  unsigned first = STDERR_FILENO + 1;
  for (const int fd : open) {
    const auto own = static_cast<unsigned>(fd);
    if (own < first) continue;
    if (own > first) closeRange(first, own - 1);
    first = own + 1;
  }
  closeRange(first, ~0U);
}

// ---- Limits

// The process may not raise it, and is killed where it goes beyond by the grace.
void bound(__rlimit_resource resource, double maximum, rlim_t grace = 0) {
  rlimit limit{};
  if (!std::isfinite(maximum) || ::getrlimit(resource, &limit) != 0) return;
  const auto value = static_cast<rlim_t>(maximum); // RLIM_INFINITY is the largest there is
  limit.rlim_max = std::min(limit.rlim_max, value + grace);
  limit.rlim_cur = std::min({limit.rlim_cur, value, limit.rlim_max});
  ::setrlimit(resource, &limit);
}

constexpr double kMegabyte = 1024.0 * 1024.0;
constexpr double kStackMegabytes = 64.0;
constexpr double kOpenFiles = 64.0;

void boundResources(const SandboxRules& rules) {
  bound(RLIMIT_CORE, 0.0); // a crash is reported; nobody reads its core dump
  bound(RLIMIT_CPU, std::ceil(rules.cpuSeconds), 1); // SIGXCPU, not SIGKILL
  bound(RLIMIT_STACK, kStackMegabytes * kMegabyte);
  bound(RLIMIT_NOFILE, kOpenFiles);
  bound(RLIMIT_FSIZE, rules.writtenMegabytes * kMegabyte);
  std::signal(SIGXFSZ, SIG_IGN); // a refused write is an error where it happens
}

// ---- Privileges

// Root keeps one capability: to read what root may read.
void dropCapabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> data{};
  if (::syscall(SYS_capget, &header, data.data()) != 0) return;
  const std::uint32_t reading = data[0].effective & (1U << CAP_DAC_READ_SEARCH);
  data = {};
  data[0].effective = data[0].permitted = reading;
  ::syscall(SYS_capset, &header, data.data());
}

// ---- Files: Landlock

// Rights that newer kernels know: the headers may be older.
constexpr std::uint64_t kRefer = 1ULL << 13;    // since version 2 of its interface
constexpr std::uint64_t kTruncate = 1ULL << 14; // 3
constexpr std::uint64_t kIoctl = 1ULL << 15;    // 5

std::uint64_t listRights(long version) {
  std::uint64_t rights = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1; // all of version 1
  if (version >= 2) rights |= kRefer;
  if (version >= 3) rights |= kTruncate;
  if (version >= 5) rights |= kIoctl;
  return rights;
}

void addReadable(int ruleset, const fs::path& path) {
  const int at = ::open(path.c_str(), O_PATH | O_CLOEXEC);
  if (at < 0) return;
  struct stat about {};
  landlock_path_beneath_attr rule{};
  rule.parent_fd = at;
  rule.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE;
  if (::fstat(at, &about) == 0 && S_ISDIR(about.st_mode))
    rule.allowed_access |= LANDLOCK_ACCESS_FS_READ_DIR;
  ::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  ::close(at);
}

void boundFiles(const std::vector<fs::path>& readable) {
  const long version =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return;
  landlock_ruleset_attr attributes{};
  attributes.handled_access_fs = listRights(version);
  const auto ruleset =
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0));
  if (ruleset < 0) return;
  for (const fs::path& path : readable)
    addReadable(ruleset, path);
#ifdef SINEW_SANITIZED // its reports name lines of the program's and the libraries' files
  for (const char* path : {"/proc/self", "/proc/self/exe", "/lib", "/usr/lib"})
    addReadable(ruleset, path);
#endif
  ::syscall(SYS_landlock_restrict_self, ruleset, 0);
  ::close(ruleset);
}

// ---- System calls: seccomp
//
// What is not listed is refused, and refusing is an error of that call (EPERM) and does not end the
// process: a library that tries something else first goes on with what it has, and a reader that
// needed it says so. No list of dangerous calls could be complete.

constexpr std::array kAllowed = {
    // what is open
    "read", "readv", "pread64", "preadv", "write", "writev", "pwrite64", "close", "lseek",
    "_llseek", "fadvise64", "fadvise64_64", "arm_fadvise64_64",
    // names and folders: what may be opened is Landlock's
    "stat", "stat64", "lstat", "lstat64", "fstat", "fstat64", "newfstatat", "fstatat64", "statx",
    "access", "faccessat", "faccessat2", "readlink", "readlinkat", "getdents", "getdents64",
    "getcwd",
    // memory
    "brk", "mremap", "munmap", "madvise", "membarrier",
    // threads
    "futex", "futex_time64", "set_robust_list", "get_robust_list", "set_tid_address", "rseq",
    "sched_yield", "sched_getaffinity", "gettid", "exit", "exit_group",
    // time
    "clock_gettime", "clock_gettime64", "clock_getres", "clock_getres_time64", "clock_nanosleep",
    "clock_nanosleep_time64", "nanosleep", "gettimeofday", "time", "getrusage", "restart_syscall",
    // signals: handlers, and those to itself (below)
    "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigreturn", "sigaltstack",
    // about itself and the machine
    "getpid", "getppid", "getuid", "getuid32", "geteuid", "geteuid32", "getgid", "getgid32",
    "getegid", "getegid32", "capget", "getrlimit", "ugetrlimit", "uname", "sysinfo", "getrandom",
#ifdef SINEW_SANITIZED
    "pipe", "pipe2", // how UndefinedBehaviorSanitizer tries whether an address can be read
#endif
};

// Newer forms of calls above, whose arguments are in memory where no filter sees them: as on a
// kernel without them, on which libraries take the older form.
constexpr std::array kNotThere = {"clone3", "openat2"};

class Filter {
 public:
  Filter() : context_(seccomp_init(SCMP_ACT_ERRNO(EPERM)), seccomp_release) {}

  // A name that this machine's kernel or libseccomp does not know is left out.
  template <class... Conditions>
  void add(std::uint32_t action, const char* name, const Conditions&... conditions) {
    const int number = seccomp_syscall_resolve_name(name);
    if (context_ == nullptr || number == __NR_SCMP_ERROR) return;
    const std::array<scmp_arg_cmp, sizeof...(conditions)> all{conditions...};
    seccomp_rule_add_array(context_.get(), action, number, all.size(), all.data());
  }
  template <class... Conditions>
  void allow(const char* name, const Conditions&... conditions) {
    add(SCMP_ACT_ALLOW, name, conditions...);
  }
  void load() {
    if (context_ == nullptr) return;
    seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2); // a binary tree
    seccomp_load(context_.get());
  }

 private:
  std::unique_ptr<void, decltype(&seccomp_release)> context_;
};

// That argument `index` has these bits under the mask.
scmp_arg_cmp bits(unsigned index, std::uint64_t mask, std::uint64_t value) {
  return {index, SCMP_CMP_MASKED_EQ, mask, value};
}
scmp_arg_cmp equal(unsigned index, std::uint64_t value) {
  return {index, SCMP_CMP_EQ, value, 0};
}

void boundSystemCalls() {
  Filter filter;
  for (const char* name : kAllowed)
    filter.allow(name);
  for (const char* name : kNotThere)
    filter.add(SCMP_ACT_ERRNO(ENOSYS), name);
  // For reading, and nothing is created.
  constexpr std::uint64_t kWriting = O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);
  filter.allow("open", bits(1, kWriting, O_RDONLY));
  filter.allow("openat", bits(2, kWriting, O_RDONLY));
  for (const int command : {F_GETFD, F_SETFD, F_GETFL})
    filter.allow("fcntl", equal(1, static_cast<std::uint64_t>(command)));
  // Memory is data, never program.
  for (const char* name : {"mmap", "mmap2", "mprotect"})
    filter.allow(name, bits(2, PROT_EXEC, 0));
  // Threads of this process, in no namespace of their own.
  constexpr std::uint64_t kNamespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS |
                                        CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
  filter.allow("clone", bits(0, CLONE_THREAD | kNamespaces, CLONE_THREAD));
  // abort() and the like.
  filter.allow("tgkill", equal(0, static_cast<std::uint64_t>(::getpid())));
  filter.allow("prlimit64", equal(2, 0));            // reads, and sets nothing
  constexpr std::uint64_t kNameMapping = 0x53564d41; // PR_SET_VMA
  for (const std::uint64_t option :
       {std::uint64_t{PR_SET_NAME}, std::uint64_t{PR_GET_NO_NEW_PRIVS}, kNameMapping})
    filter.allow("prctl", equal(0, option));
  filter.load();
}

} // namespace

void enterSandbox(const SandboxRules& rules) {
  closeAllBut(rules.open);
  boundResources(rules);
  dropCapabilities();
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  boundFiles(rules.readable);
  boundSystemCalls();
}

} // namespace sinew
