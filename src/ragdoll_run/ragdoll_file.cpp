#include "ragdoll_run/ragdoll_file.h"

#include "app/load_model.h"
#include "app/sidecar.h"
#include "core/error.h"
#include "core/file.h"
#include "physics/fit_ragdoll.h"
#include "physics/ragdoll_config.h"

#include <system_error>

namespace sinew {

namespace fs = std::filesystem;

fs::path ragdollPath(const std::string& model) {
  return sidecarPath(model, kRagdollSidecar);
}

RagdollFile openRagdoll(const Model& model, const Rig& rig, const std::string& name,
                        const std::string& config, const std::string& write) {
  const bool demo = !demoName(name).empty();
  std::error_code ignored;
  std::string path = config;
  if (path.empty() && write.empty() && !demo && fs::is_regular_file(ragdollPath(name), ignored))
    path = ragdollPath(name).string();
  if (!path.empty()) return {ragdollFromJson(model, readAbout(model, path), path), path, false, {}};
  // Read back from its text, so that the next run, which reads the file, falls the same way.
  const std::string text = ragdollToJson(fitRagdoll(model, rig));
  RagdollFile file{ragdollFromJson(model, text, name), {}, true, {}};
  if (write == "none" || (write.empty() && demo)) return file;
  const fs::path to = write.empty() ? ragdollPath(name) : fs::path(write);
  try {
    writeFile(to, text);
    file.path = to.string();
  } catch (const Error& error) {
    if (!write.empty()) throw;
    file.warning = std::string(error.what()) + "; --write FILE keeps the ragdoll elsewhere";
  }
  return file;
}

} // namespace sinew
