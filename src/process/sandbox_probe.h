// Which parts of the sandbox hold on this machine, each tried from inside of one.
#pragma once

#include <string_view>
#include <vector>

namespace sinew {

struct SandboxCheck {
  std::string_view name; // "network"
  std::string_view what; // "no socket is made"
  bool holds = false;
};

// Starts one process for all of them. Empty where no process can be started.
std::vector<SandboxCheck> probeSandbox();

} // namespace sinew
