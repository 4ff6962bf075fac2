// Baking the active view's method into linear blending with helper joints, on a thread: what is
// chosen, how far it is, and the result, which is saved where the user says (save_as.h).
#pragma once

#include "bake/bake_run.h"
#include "editor/tasks/task.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace sinew {

struct Document;
struct Session;

struct BakeResultShown {
  BakeRun run;
  std::string method;
  MethodChoice target;
  std::uint64_t revision = 0; // Document::revisions.weights that it was begun at
  double seconds = 0.0;
};

struct BakeState {
  // Chosen in the panel; all clips are baked.
  BakeRunOptions options;
  bool automatic = true; // helpers until the tolerance is met, else at most:
  int helpers = 6;

  std::unique_ptr<Task<BakeResultShown>> job;
  std::optional<BakeResultShown> last;
  // The last result as the method of a view: what it shows, and the method itself, which views may
  // name as long as the session lives.
  std::shared_ptr<BakedSkin> skin = std::make_shared<BakedSkin>();
  std::unique_ptr<const Method> view = std::make_unique<const Method>(bakedMethod(skin));
  std::string problem; // why the last attempt failed
};

// Why nothing can be baked now; empty: it can.
std::string bakingProblem(const Session& session);

// The model as it is here, with its edits. Nothing happens where there is a problem.
void startBaking(Session& session);
void cancelBaking(BakeState& bake);
bool pollBaking(BakeState& bake); // true when one has ended

// Three views, of linear blending, the target and the last result, coloured by the distance from
// the target. Nothing happens without a result, or where the model has changed since.
void showBaked(Session& session);
// Takes the result out of the views, for a model that it does not fit.
void forgetBakedView(Document& document);
// The methods of other views, which the command line knows too; linear blending where there is
// none.
std::vector<MethodChoice> withoutBaked(std::vector<MethodChoice> choices);

// The last result as .glb, and its drivers beside it. Throws Error.
void saveBaked(Session& session, const std::filesystem::path& path);

} // namespace sinew
