// Runs of a ragdoll as JSON, tables, pictures and a model with the motion as a clip.
#pragma once

#include "app/settings.h"
#include "ragdoll_run/ragdoll_file.h"
#include "ragdoll_run/ragdoll_run.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <span>
#include <string>

namespace sinew {

nlohmann::ordered_json ragdollJson(const RagdollConfig& config, const RagdollRun& run,
                                   const RagdollRunOptions& options);
std::string ragdollTable(const RagdollConfig& config, const RagdollRun& run,
                         const RagdollRunOptions& options);

// One start of a study.
struct RagdollTrial {
  std::uint64_t seed = 0;
  RagdollRun run;
  std::vector<std::string> broken;
};
nlohmann::ordered_json studyJson(std::span<const RagdollTrial> trials);
std::string studyTable(std::span<const RagdollTrial> trials);

} // namespace sinew
