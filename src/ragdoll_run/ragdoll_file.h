// The file of a model's ragdoll: --config, or the file beside the model, written on first use.
#pragma once

#include "app/sidecar.h"
#include "physics/ragdoll_config.h"
#include "rig/rig.h"

#include <filesystem>
#include <string>

namespace sinew {

struct RagdollFile {
  RagdollConfig config;
  std::string path;    // it was read from or written to; empty: neither
  bool fitted = false; // it was fitted now, not read
  std::string warning; // says that it could not be written beside the model; else empty
};

inline constexpr Sidecar kRagdollSidecar{nullptr, "--config", ".ragdoll.json", "a ragdoll",
                                         "the ragdoll is fitted again"};

// The file of a model's ragdoll: MODEL.ragdoll.json beside it. For demo:NAME, NAME.ragdoll.json in
// the current folder, which is written and read only when it is named.
std::filesystem::path ragdollPath(const std::string& model);

// Read from `config`, or from beside the model; where there is none, fitted and written to `write`:
// "" is beside the model (nothing for demo:NAME), "none" is nowhere. Throws inputError for what is
// wrong in the file, usageError where `write` cannot be written.
RagdollFile openRagdoll(const Model& model, const Rig& rig, const std::string& name,
                        const std::string& config, const std::string& write);

} // namespace sinew
