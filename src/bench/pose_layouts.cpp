#include "bench/pose_layouts.h"

#include "animation/pose_lanes.h"
#include "core/workers.h"
#include "skinning/bone_palette.h"

#include <algorithm>
#include <array>

namespace sinew {
namespace {

// The way the program poses a character alone: tracks of keys per channel, a cursor per track,
// transforms one by one, affine products.
class OneByOne : public PoseLayout {
 public:
  explicit OneByOne(const PoseScene& scene) : scene_(scene), cursors_(scene.characters) {}

  void pose(std::size_t character, float time, std::span<vec4> rows) override {
    sample(scene_.model.hierarchy, scene_.clip, time, Wrap::loop, cursors_[character], pose_);
    modelFromNodes(scene_.model.hierarchy, pose_, modelFromNode_);
    packBoneMatrices(scene_.rig, scene_.binding, modelFromNode_, rows);
  }

 private:
  PoseScene scene_;
  std::vector<SampleCursor> cursors_;
  Pose pose_;
  std::vector<mat4> modelFromNode_;
};

// The way the program poses crowds: eight characters side by side.
class SideBySide : public PoseLayout {
 public:
  explicit SideBySide(const PoseScene& scene, std::size_t threads = 1)
      : scene_(scene), clip_(prepareLanes(scene.model.hierarchy, scene.clip, ClipNoise::held)),
        cursors_(scene.characters / kLanes + 1), workers_(threads), lanes_(threads) {
    for (const RigJoint& joint : scene.rig.joints)
      mayScaleUnevenly_ =
          mayScaleUnevenly_ ||
          clip_.nodes[joint.node].unevenness + measureUnevenness(mat3(joint.jointFromBind)) > 3e-5f;
  }

  void pose(std::size_t character, float time, std::span<vec4> rows) override {
    poseGroup(cursors_[character / kLanes], std::span(&time, 1), rows, lanes_[0]);
  }

  void poseAll(std::span<const float> times, std::span<vec4> rows) override {
    constexpr std::size_t kPiece = 32; // characters that a thread takes at once
    const std::size_t each = 3 * scene_.rig.joints.size();
    workers_.forEach((times.size() + kPiece - 1) / kPiece, [&](std::size_t i, std::size_t thread) {
      const std::size_t end = std::min((i + 1) * kPiece, times.size());
      for (std::size_t first = i * kPiece; first < end; first += kLanes) {
        const std::size_t count = std::min(kLanes, end - first);
        poseGroup(cursors_[first / kLanes], times.subspan(first, count),
                  rows.subspan(first * each, count * each), lanes_[thread]);
      }
    });
  }

 private:
  void poseGroup(LaneCursor& cursor, std::span<const float> times, std::span<vec4> rows,
                 PoseLanes& lanes) {
    const std::size_t each = rows.size() / times.size();
    std::array<float, kLanes> all{};
    std::array<std::span<vec4>, kLanes> rowsByLane;
    for (std::size_t l = 0; l < kLanes; ++l) {
      const std::size_t i = std::min(l, times.size() - 1);
      all[l] = times[i];
      rowsByLane[l] = rows.subspan(i * each, each);
    }
    poseLanes(clip_, all, cursor, lanes);
    packBoneLanes(scene_.rig, lanes, mayScaleUnevenly_, rowsByLane);
  }

  PoseScene scene_;
  ClipLanes clip_;
  std::vector<LaneCursor> cursors_; // one per kLanes characters
  Workers workers_;
  std::vector<PoseLanes> lanes_; // one per thread
  bool mayScaleUnevenly_ = false;
};

class TwoThreads : public SideBySide {
 public:
  explicit TwoThreads(const PoseScene& scene) : SideBySide(scene, 2) {}
};

template <class Layout>
std::unique_ptr<PoseLayout> make(const PoseScene& scene) {
  return std::make_unique<Layout>(scene);
}

constexpr PoseLayoutEntry kLayouts[] = {
    {"one-by-one", "tracks of keys, affine products of 4x4 matrices", make<OneByOne>},
    {"side-by-side", "the same of eight characters in vector lanes: crowds", make<SideBySide>},
    {"two-threads", "the same on two threads", make<TwoThreads>},
};

} // namespace

void PoseLayout::poseAll(std::span<const float> times, std::span<vec4> rows) {
  const std::size_t each = rows.size() / times.size();
  for (std::size_t i = 0; i < times.size(); ++i)
    pose(i, times[i], rows.subspan(i * each, each));
}

std::span<const PoseLayoutEntry> poseLayouts() {
  return kLayouts;
}

} // namespace sinew
