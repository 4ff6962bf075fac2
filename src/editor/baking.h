// Baking the active view's method into linear blending with helper joints, on a thread: what is
// chosen, how far it is, and the result, which is saved where the user says (save_as.h).
#pragma once

#include "bake/bake_run.h"
#include "editor/tasks/background.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace sinew {

struct Session;

struct BakeResultShown {
  BakeRun run;
  std::string method;
  std::uint64_t revision = 0; // Document::revision that it was begun at
  double seconds = 0.0;
};

struct BakeState {
  // Chosen in the panel; all clips are baked.
  BakeRunOptions options;
  bool automatic = true; // helpers until the tolerance is met, else at most:
  int helpers = 6;

  std::unique_ptr<Background<BakeResultShown>> job;
  std::optional<BakeResultShown> last;
  std::string problem; // why the last attempt failed
};

// Why nothing can be baked now; empty: it can.
std::string bakingProblem(const Session& session);

// The model as it is here, with its edits. Nothing happens where there is a problem.
void startBaking(Session& session);
void cancelBaking(BakeState& bake);
bool pollBaking(BakeState& bake); // true when one has ended

// The last result as .glb, and its drivers beside it. Throws Error.
void saveBaked(Session& session, const std::filesystem::path& path);

} // namespace sinew
