// A clip as a layer: replaces the pose below, or is added to it as the difference from a reference
// pose.
#pragma once

#include "animation/clip_play.h"
#include "animation/layers/layer_kind.h"

#include <optional>
#include <string>

namespace sinew {

enum class Reference { rest, firstFrame };

struct ClipLayer {
  static constexpr std::string_view kKind = "clip";
  static constexpr std::string_view kHelp =
      "a clip of the model, over the layers below or added to them";

  std::string clip; // by name or index; "none" for the rest pose, "bind" for the bind pose
  float speed = 1.0f;
  float offset = 0.0f; // seconds into the range when the layer starts
  TimeMap map;
  RootMotion root = RootMotion::keep;
  bool additive = false;
  Reference reference = Reference::rest; // an additive layer adds its difference from this pose

  bool operator==(const ClipLayer&) const = default;

  struct State;
};

struct ClipLayer::State {
  std::optional<ClipLayer> made; // the layer this state was made for
  std::optional<ClipPlay> play;
  Pose held;      // shown without a clip
  Pose reference; // additive layers only
  Pose sampled;   // additive layers only
  ClipPlayState memory;
};

inline constexpr std::string_view kWrapWords[] = {"clamp", "loop", "ping-pong"};
inline constexpr std::string_view kEaseWords[] = {"linear", "smooth"};
inline constexpr std::string_view kRootWords[] = {"keep", "off", "accumulate"};
inline constexpr std::string_view kReferenceWords[] = {"rest", "first-frame"};

template <LayerOf<ClipLayer> L, class Visitor>
void visitFields(L& layer, Visitor&& visit) {
  using Info = FieldInfo;
  visit(Info{"clip",
             "clip by name or index; 'none' for the rest pose, 'bind' for the bind pose",
             0,
             0,
             {},
             Info::Of::clip},
        layer.clip);
  visit(Info{"speed", "playback speed; negative: backwards", -4, 4}, layer.speed);
  visit(Info{"offset", "seconds into the range when the layer starts", -1000, 1000}, layer.offset);
  visit(Info{"begin", "start of the playback range, seconds", 0, 1000}, layer.map.begin);
  visit(Info{"end", "end of the playback range, seconds; 0: the clip's end", 0, 1000},
        layer.map.end);
  visit(Info{"wrap", "what happens at the ends of the range", 0, 0, kWrapWords}, layer.map.wrap);
  visit(Info{"reversed", "plays the range backwards"}, layer.map.reversed);
  visit(Info{"ease", "smooth: every loop starts and ends at rest", 0, 0, kEaseWords},
        layer.map.ease);
  visit(
      Info{"warp", "points [played fraction of the range, shown fraction], increasing, in [0, 1]"},
      layer.map.warp);
  visit(Info{"root", "root motion: as in the clip, removed, or accumulated over loops", 0, 0,
             kRootWords},
        layer.root);
  visit(Info{"additive", "adds the difference from the reference"}, layer.additive);
  visit(Info{"reference", "of the difference: rest pose, or the first frame of the range", 0, 0,
             kReferenceWords},
        layer.reference);
}

// Throws usageError for a clip the model does not have.
void apply(const ClipLayer& layer, ClipLayer::State& state, const LayerInput& input, Pose& out);

// Describes an invalid range; empty for a valid one.
std::string findProblem(const Model& model, const ClipLayer& layer);

// pose + (added - reference), node by node: translations are added, scales multiplied, and the
// rotation from the reference to the added orientation, in the parent's space, is applied after the
// pose's own. A reference scale of zero leaves that axis unchanged. Morph weights are added. All
// three have one weight per morph target.
void addDifference(const Pose& added, const Pose& reference, Pose& pose);

} // namespace sinew
