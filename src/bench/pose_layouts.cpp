#include "bench/pose_layouts.h"

#include "animation/clip_keys.h"
#include "animation/pose_lanes.h"
#include "core/workers.h"
#include "skinning/bone_palette.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

// As the program poses a character alone: tracks of keys per channel, a cursor per track,
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

// As the program poses crowds: the same of eight characters side by side.
class SideBySide : public PoseLayout {
 public:
  explicit SideBySide(const PoseScene& scene, std::size_t threads = 1)
      : scene_(scene), clip_(prepareLanes(scene.model.hierarchy, scene.clip, ClipNoise::held)),
        cursors_(scene.characters / kLanes + 1), workers_(threads), lanes_(threads) {
    for (const RigJoint& joint : scene.rig.joints)
      mayScaleUnevenly_ =
          mayScaleUnevenly_ ||
          clip_.nodes[joint.node].unevenness + unevennessOf(mat3(joint.jointFromBind)) > 3e-5f;
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
    std::array<std::span<vec4>, kLanes> rowsOf;
    for (std::size_t l = 0; l < kLanes; ++l) {
      const std::size_t i = std::min(l, times.size() - 1);
      all[l] = times[i];
      rowsOf[l] = rows.subspan(i * each, each);
    }
    poseLanes(clip_, all, cursor, lanes);
    packBoneLanes(scene_.rig, lanes, mayScaleUnevenly_, rowsOf);
  }

  PoseScene scene_;
  ClipLanes clip_;
  std::vector<LaneCursor> cursors_; // of every kLanes
  Workers workers_;
  std::vector<PoseLanes> lanes_; // of the threads
  bool mayScaleUnevenly_ = false;
};

class TwoThreads : public SideBySide {
 public:
  explicit TwoThreads(const PoseScene& scene) : SideBySide(scene, 2) {}
};

// One by one with products of any two matrices, and the palette's rows picked entry by entry.
class AnyMatrices : public PoseLayout {
 public:
  explicit AnyMatrices(const PoseScene& scene) : scene_(scene), cursors_(scene.characters) {}

  void pose(std::size_t character, float time, std::span<vec4> rows) override {
    const Hierarchy& hierarchy = scene_.model.hierarchy;
    sample(hierarchy, scene_.clip, time, Wrap::loop, cursors_[character], pose_);
    modelFromNode_.resize(hierarchy.nodes.size());
    for (std::size_t i = 0; i < modelFromNode_.size(); ++i) {
      const std::uint32_t parent = hierarchy.nodes[i].parent;
      const mat4 parentFromNode = matrixOf(pose_.parentFromNode[i]);
      modelFromNode_[i] =
          parent == kNoNode ? parentFromNode : modelFromNode_[parent] * parentFromNode;
    }
    for (std::size_t j = 0; j < scene_.rig.joints.size(); ++j) {
      const RigJoint& joint = scene_.rig.joints[j];
      const mat4 m = modelFromNode_[joint.node] * joint.jointFromBind;
      for (int row = 0; row < 3; ++row)
        rows[3 * j + static_cast<std::size_t>(row)] = {m[0][row], m[1][row], m[2][row], m[3][row]};
      nonUniformScale_ = nonUniformScale_ || !scalesUniformly(mat3(m));
    }
  }

 private:
  PoseScene scene_;
  std::vector<SampleCursor> cursors_;
  Pose pose_;
  std::vector<mat4> modelFromNode_;
  bool nonUniformScale_ = false;
};

// Three rows; the fourth is 0 0 0 1.
struct Affine {
  vec4 x, y, z;
};

Affine affineOf(const mat4& m) {
  const mat4 t = glm::transpose(m);
  return {t[0], t[1], t[2]};
}

vec4 rowTimes(const vec4& row, const Affine& b) {
  vec4 out = row.x * b.x + row.y * b.y + row.z * b.z;
  out.w += row.w;
  return out;
}

Affine operator*(const Affine& a, const Affine& b) {
  return {rowTimes(a.x, b), rowTimes(a.y, b), rowTimes(a.z, b)};
}

// The scene graph pass and the palette in rows of affine matrices.
class AffineTail {
 public:
  explicit AffineTail(const PoseScene& scene) : scene_(scene) {
    for (const RigJoint& joint : scene.rig.joints)
      jointFromBind_.push_back(affineOf(joint.jointFromBind));
    modelFromNode_.resize(scene.model.hierarchy.nodes.size());
  }

  void place(std::size_t node, const Affine& parentFromNode) {
    const std::uint32_t parent = scene_.model.hierarchy.nodes[node].parent;
    modelFromNode_[node] =
        parent == kNoNode ? parentFromNode : modelFromNode_[parent] * parentFromNode;
  }

  void pack(std::span<vec4> rows) {
    for (std::size_t j = 0; j < jointFromBind_.size(); ++j) {
      const Affine m = modelFromNode_[scene_.rig.joints[j].node] * jointFromBind_[j];
      rows[3 * j] = m.x;
      rows[3 * j + 1] = m.y;
      rows[3 * j + 2] = m.z;
      nonUniformScale_ = nonUniformScale_ || !scalesUniformly(glm::transpose(mat3(m.x, m.y, m.z)));
    }
  }

 private:
  PoseScene scene_;
  std::vector<Affine> jointFromBind_;
  std::vector<Affine> modelFromNode_;
  bool nonUniformScale_ = false; // the program looks for it too
};

class ThreeRows : public PoseLayout {
 public:
  explicit ThreeRows(const PoseScene& scene)
      : scene_(scene), cursors_(scene.characters), tail_(scene) {}

  void pose(std::size_t character, float time, std::span<vec4> rows) override {
    sample(scene_.model.hierarchy, scene_.clip, time, Wrap::loop, cursors_[character], pose_);
    for (std::size_t i = 0; i < pose_.parentFromNode.size(); ++i)
      tail_.place(i, affineOf(matrixOf(pose_.parentFromNode[i])));
    tail_.pack(rows);
  }

 private:
  PoseScene scene_;
  std::vector<SampleCursor> cursors_;
  Pose pose_;
  AffineTail tail_;
};

// The clip cut into even frames, each the transforms of all nodes in a row: no search, no cursor,
// and two neighbouring blocks of memory a sample.
struct Frames {
  explicit Frames(const PoseScene& scene)
      : nodes(scene.model.hierarchy.nodes.size()), seconds(scene.clip.seconds) {
    const float step = frameSeconds(scene.clip);
    count = std::max<std::size_t>(2, static_cast<std::size_t>(std::lround(seconds / step)) + 1);
    SampleCursor cursor;
    Pose pose;
    for (std::size_t f = 0; f < count; ++f) {
      const float time = seconds * static_cast<float>(f) / static_cast<float>(count - 1);
      sample(scene.model.hierarchy, scene.clip, time, Wrap::clamp, cursor, pose);
      transforms.insert(transforms.end(), pose.parentFromNode.begin(), pose.parentFromNode.end());
    }
  }

  // The frame before a time, and the share of the way to the next.
  std::pair<std::size_t, float> at(float time) const {
    const float place =
        wrapTime(time, seconds, Wrap::loop) / seconds * static_cast<float>(count - 1);
    const auto frame = std::min(static_cast<std::size_t>(place), count - 2);
    return {frame, place - static_cast<float>(frame)};
  }

  std::size_t nodes, count = 0;
  float seconds;
  std::vector<Transform> transforms;
};

class EvenFrames : public PoseLayout {
 public:
  explicit EvenFrames(const PoseScene& scene) : frames_(scene), tail_(scene) {}

  void pose(std::size_t /*character*/, float time, std::span<vec4> rows) override {
    const auto [frame, share] = frames_.at(time);
    const Transform* a = frames_.transforms.data() + frame * frames_.nodes;
    const Transform* b = a + frames_.nodes;
    for (std::size_t i = 0; i < frames_.nodes; ++i)
      tail_.place(i, affineOf(matrixOf(interpolate(a[i], b[i], share))));
    tail_.pack(rows);
  }

 private:
  Frames frames_;
  AffineTail tail_;
};

using Lanes = std::array<float, 4>;

// Four nodes side by side: translation, rotation (x y z w), scale.
using Quad = std::array<Lanes, 10>;

// Even frames again, the same number of four nodes beside one another: the compiler makes vector
// instructions of it. Rotations by normalised linear interpolation.
class FourByFour : public PoseLayout {
 public:
  explicit FourByFour(const PoseScene& scene)
      : frames_(scene), quadsEach_((frames_.nodes + 3) / 4), tail_(scene) {
    quads_.resize(quadsEach_ * frames_.count);
    for (std::size_t f = 0; f < frames_.count; ++f)
      for (std::size_t i = 0; i < 4 * quadsEach_; ++i)
        put(frames_.transforms[f * frames_.nodes + std::min(i, frames_.nodes - 1)],
            quads_[f * quadsEach_ + i / 4], i % 4);
  }

  void pose(std::size_t /*character*/, float time, std::span<vec4> rows) override {
    const auto [frame, share] = frames_.at(time);
    const Quad* a = quads_.data() + frame * quadsEach_;
    for (std::size_t k = 0; k < quadsEach_; ++k)
      placeFour(4 * k, between(a[k], a[k + quadsEach_], share));
    tail_.pack(rows);
  }

 private:
  static void put(const Transform& t, Quad& quad, std::size_t lane) {
    for (int i = 0; i < 3; ++i) {
      quad[static_cast<std::size_t>(i)][lane] = t.translation[i];
      quad[static_cast<std::size_t>(i) + 7][lane] = t.scale[i];
    }
    quad[3][lane] = t.rotation.x;
    quad[4][lane] = t.rotation.y;
    quad[5][lane] = t.rotation.z;
    quad[6][lane] = t.rotation.w;
  }

  static Quad between(const Quad& a, const Quad& b, float share) {
    Quad out;
    for (std::size_t l = 0; l < 4; ++l) {
      for (const std::size_t i : {0u, 1u, 2u, 7u, 8u, 9u})
        out[i][l] = a[i][l] + share * (b[i][l] - a[i][l]);
      float cosine = 0.0f;
      for (std::size_t i = 3; i < 7; ++i)
        cosine += a[i][l] * b[i][l];
      const float side = std::copysign(share, cosine);
      float length = 0.0f;
      for (std::size_t i = 3; i < 7; ++i) {
        out[i][l] = (1.0f - share) * a[i][l] + side * b[i][l];
        length += out[i][l] * out[i][l];
      }
      length = 1.0f / std::sqrt(length);
      for (std::size_t i = 3; i < 7; ++i)
        out[i][l] *= length;
    }
    return out;
  }

  void placeFour(std::size_t first, const Quad& q) {
    std::array<Lanes, 12> m;
    for (std::size_t l = 0; l < 4; ++l) {
      const float x = q[3][l], y = q[4][l], z = q[5][l], w = q[6][l];
      m[0][l] = (1.0f - 2.0f * (y * y + z * z)) * q[7][l];
      m[1][l] = 2.0f * (x * y - w * z) * q[8][l];
      m[2][l] = 2.0f * (x * z + w * y) * q[9][l];
      m[3][l] = q[0][l];
      m[4][l] = 2.0f * (x * y + w * z) * q[7][l];
      m[5][l] = (1.0f - 2.0f * (x * x + z * z)) * q[8][l];
      m[6][l] = 2.0f * (y * z - w * x) * q[9][l];
      m[7][l] = q[1][l];
      m[8][l] = 2.0f * (x * z - w * y) * q[7][l];
      m[9][l] = 2.0f * (y * z + w * x) * q[8][l];
      m[10][l] = (1.0f - 2.0f * (x * x + y * y)) * q[9][l];
      m[11][l] = q[2][l];
    }
    for (std::size_t l = 0; l < 4 && first + l < frames_.nodes; ++l)
      tail_.place(first + l, {{m[0][l], m[1][l], m[2][l], m[3][l]},
                              {m[4][l], m[5][l], m[6][l], m[7][l]},
                              {m[8][l], m[9][l], m[10][l], m[11][l]}});
  }

  Frames frames_;
  std::size_t quadsEach_;
  std::vector<Quad> quads_;
  AffineTail tail_;
};

template <class Layout>
std::unique_ptr<PoseLayout> make(const PoseScene& scene) {
  return std::make_unique<Layout>(scene);
}

constexpr PoseLayoutEntry kLayouts[] = {
    {"one-by-one", "tracks of keys, affine products of 4x4 matrices", make<OneByOne>},
    {"side-by-side", "the same of eight characters in vector lanes: crowds", make<SideBySide>},
    {"two-threads", "the same on two threads", make<TwoThreads>},
    {"any-matrices", "tracks of keys, products of any 4x4 matrices", make<AnyMatrices>},
    {"three-rows", "tracks of keys, matrices of three rows", make<ThreeRows>},
    {"frames", "all joints of an even frame in a row, three rows", make<EvenFrames>},
    {"four-by-four", "the same, four joints side by side", make<FourByFour>},
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
