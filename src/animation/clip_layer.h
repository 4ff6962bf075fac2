// A clip as a layer: over what is below, or added to it as the difference from a reference pose.
#pragma once

#include "animation/clip_play.h"
#include "animation/layer_kind.h"

#include <optional>
#include <string>

namespace sinew {

enum class Reference { rest, firstFrame };

struct ClipLayer {
  static constexpr std::string_view kKind = "clip";

  std::string clip; // by name or index; "none" for the rest pose, "bind" for the bind pose
  float speed = 1.0f;
  float offset = 0.0f; // seconds into the range when the layer starts
  TimeMap map;
  RootMotion root = RootMotion::keep;
  bool additive = false;
  Reference reference = Reference::rest; // of the difference

  bool operator==(const ClipLayer&) const = default;

  struct State;
};

struct ClipLayer::State {
  std::optional<ClipLayer> made; // what the rest was made for
  std::optional<ClipPlay> play;
  Pose held;      // without a clip
  Pose reference; // of an additive layer
  Pose sampled;   // likewise
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
  visit(Info{"speed", "of playing; negative: backwards", -4, 4}, layer.speed);
  visit(Info{"offset", "seconds into the range when the layer starts", -1000, 1000}, layer.offset);
  visit(Info{"begin", "of the range that plays, seconds", 0, 1000}, layer.map.begin);
  visit(Info{"end", "of the range that plays, seconds; 0: the clip's end", 0, 1000}, layer.map.end);
  visit(Info{"wrap", "what happens at the range's ends", 0, 0, kWrapWords}, layer.map.wrap);
  visit(Info{"reversed", "plays from its end to its start"}, layer.map.reversed);
  visit(Info{"ease", "smooth: every loop starts and ends at rest", 0, 0, kEaseWords},
        layer.map.ease);
  visit(Info{"warp", "points [share of the range gone, share shown], rising, in between 0 and 1"},
        layer.map.warp);
  visit(Info{"root", "the way over the ground: as in the clip, left out, or adding up over loops",
             0, 0, kRootWords},
        layer.root);
  visit(Info{"additive", "adds the difference from the reference"}, layer.additive);
  visit(Info{"reference", "of the difference: rest pose, or the range's first frame", 0, 0,
             kReferenceWords},
        layer.reference);
}

// Throws usageError for a clip the model does not have.
void apply(const ClipLayer& layer, ClipLayer::State& state, const LayerInput& input, Pose& out);

// What is wrong with the range; empty if nothing is.
std::string problemOf(const Model& model, const ClipLayer& layer);

// pose + (added - reference), node by node: translations are added, scales multiplied, and the
// rotation that carries the reference's orientation to the added one, seen from the parent, comes
// after the pose's own. A reference scale of zero leaves that axis as it is.
void addDifference(const Pose& added, const Pose& reference, Pose& pose);

} // namespace sinew
