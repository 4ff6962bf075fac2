// Baking the active view's method into linear blending with helper joints, on a thread: what is
// chosen, how far it is, and the result, which is saved where the user says (save_as.h).
#pragma once

#include "app/method_parameters.h"
#include "bake/bake_run.h"
#include "editor/document/edit.h"
#include "editor/tasks/task.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace sinew {

struct Document;
struct Session;

// What a result depends on, to tell whether it is still about the character on screen.
struct BakeSource {
  std::uint64_t weights = 0; // Document::revisions.weights
  ZoneTable zones;
  LayerStack layers;
  std::shared_ptr<const DriverSet> drivers;
  PaintedWeights strength; // strength of velocity skinning
  std::shared_ptr<const VelocityJoints> velocityJoints;
  ParameterSettings parameters;
  float drag = 0.0f, squash = 0.0f;

  bool operator==(const BakeSource&) const = default;
};

struct BakeResultShown {
  BakeRun run;
  std::string method;
  MethodChoice target;
  BakeSource source;
  std::uint64_t clips = 0; // Document::revisions.clips that it was begun at
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

// Whether the last result is about the character as it is now, its clips aside.
bool bakedFits(const Session& session);
// What has changed since the last result was begun: "the model has changed since"; empty: nothing.
std::string bakedChange(const Session& session);

// Three views, of linear blending, the target and the last result, coloured by the distance from
// the target. Nothing happens without a result, or where the model has changed since.
void showBaked(Session& session);
// Takes the result out of the views, for a model that it does not fit.
void forgetBakedView(Document& document);
// The methods of other views, which the command line knows too; linear blending where there is
// none.
std::vector<MethodChoice> withoutBaked(std::vector<MethodChoice> choices);

// The last result as .glb, and its drivers beside it. The message says what has changed since it
// was baked. Throws Error.
void saveBaked(Session& session, const std::filesystem::path& path);

} // namespace sinew
