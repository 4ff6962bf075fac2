// What a process gives up for good before it reads a file that nobody trusts.
//
// Afterwards it computes, uses its memory and the descriptors that it has open, starts threads, and
// opens what is stated for reading. Everything else is refused by the kernel: network, other
// processes and programs, writing and creating files, reading elsewhere, new privileges.
#pragma once

#include <filesystem>
#include <limits>
#include <string_view>
#include <vector>

namespace sinew {

struct SandboxRules {
  // Files, and folders with all that is below, that it may open for reading; what is not there is
  // left out.
  std::vector<std::filesystem::path> readable;
  std::vector<int> open;                                             // descriptors it keeps, beside
                                                                     // the three standard ones
  double cpuSeconds = std::numeric_limits<double>::infinity();       // beyond: SIGXCPU
  double writtenMegabytes = std::numeric_limits<double>::infinity(); // per file; beyond: EFBIG
};

// Call it in the child of a fork, which has one thread. What this kernel lacks is left out;
// `sinew doctor` reports it.
void enterSandbox(const SandboxRules& rules);

// A line of `sinew doctor`: a part of the sandbox, and whether it holds on this machine.
struct SandboxCheck {
  std::string_view name; // "network"
  std::string_view what; // "no socket is made"
  bool holds = false;
};

// Tries each from inside of a sandbox, in one process for all. Empty where no process can be
// started.
std::vector<SandboxCheck> probeSandbox();

} // namespace sinew
