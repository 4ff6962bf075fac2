// Weights solved again after a rig has changed (new bind pose, fewer joints or influences), so that
// linear blending plays what it played before: the bake's solver over clips and the range of motion
// of every joint, with a fifth of the poses held out.
#pragma once

#include "bake/bake.h"
#include "weights/repose_model.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

// What linear blending with all weights made of the model before, in the poses of bakePoses().
struct RefitTargets {
  BakePoses poses;
  std::vector<std::vector<vec3>> shapes; // [pose][vertex of the rig], model space
};

// options.clips: of the model. Throws inputError for a model without a skin.
RefitTargets refitTargets(const Model& before, const BakePoseOptions& options);

struct RefitOptions {
  bool solve = true;            // false: the largest weights, as they are; measured alone
  bool neighbours = false;      // a vertex may follow parents and children of its joints too
  std::uint32_t influences = 4; // per vertex, 1 to kBakeInfluences
  Progress progress;            // false cancels: throws Cancelled
};

struct RefitErrors {
  BakeError fitted, heldOut; // errors with the result's weights
  BakeError given;           // held-out poses, with the largest of the weights given
};

// after: the same vertices and nodes as before (more nodes may follow). A vertex keeps the weights
// it has where new ones are farther off in the poses held out.
RefitErrors refitWeights(const RefitTargets& targets, Model& after, const RefitOptions& options);

// Distances between two models with the same vertices and clips by linear blending with all
// weights, as shares of the size of the first one's mesh.
struct PlayedDifference {
  double mean = 0.0;
  double largest = 0.0;
  std::uint32_t vertex = 0; // the rig's vertex with the largest difference
  std::string moment;       // its moment: "clip walk, 0.420 s"
  std::size_t moments = 0;
};

// Measures every clip, at all keys of `before` and half way between them. Throws Cancelled.
PlayedDifference playedDifference(const Model& before, const Model& after,
                                  const Progress& progress = {});

// A new bind pose and the weights that fit it: what `sinew repose` and the window do.
struct ReposeOptions {
  bool exact = false;           // offset joints, with weights that change nothing
  bool keepWeights = false;     // false: they are solved again; not with `exact`
  std::uint32_t influences = 4; // per vertex, where they are solved
  Progress progress;
};

// What was made of the model, and measured.
struct ReposeOutcome {
  ReposedModel reposed;
  std::optional<RefitErrors> poses; // without `exact`
  PlayedDifference clips;
};

// Throws as reposeModel() does, inputError for a model without a skin, and Cancelled.
ReposeOutcome reposeAndRefit(const Model& model, const Pose& pose, const ReposeOptions& options);

} // namespace sinew
