#include "import/assimp/steps.h"

#include <doctest/doctest.h>

#include <limits>

using namespace sinew;

namespace {

// A scene with one animation of one channel; Assimp's destructors free it.
struct Animated {
  aiScene scene;
  aiNodeAnim* channel = new aiNodeAnim;

  Animated() {
    auto* animation = new aiAnimation;
    animation->mTicksPerSecond = 10;
    animation->mNumChannels = 1;
    animation->mChannels = new aiNodeAnim* [1] { channel };
    channel->mNodeName = "bone";
    scene.mNumAnimations = 1;
    scene.mAnimations = new aiAnimation* [1] { animation };
  }
  void rotations(std::vector<aiQuatKey> keys) {
    channel->mNumRotationKeys = static_cast<unsigned>(keys.size());
    channel->mRotationKeys = new aiQuatKey[keys.size()];
    std::copy(keys.begin(), keys.end(), channel->mRotationKeys);
  }
  void scales(std::vector<aiVectorKey> keys) {
    channel->mNumScalingKeys = static_cast<unsigned>(keys.size());
    channel->mScalingKeys = new aiVectorKey[keys.size()];
    std::copy(keys.begin(), keys.end(), channel->mScalingKeys);
  }
};

NodeTree oneBone() {
  NodeTree tree;
  tree.hierarchy.nodes.push_back({"bone", kNoNode, {}});
  tree.byName["bone"] = {0};
  return tree;
}

} // namespace

TEST_CASE("broken keys are dropped, sorted and listed") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Animated animated;
  animated.rotations(
      {aiQuatKey(0, aiQuaternion(1, 0, 0, 0)), aiQuatKey(20, aiQuaternion(0, 2, 0, 0)),
       aiQuatKey(10, aiQuaternion(-1, 0, 0, 0)), aiQuatKey(30, aiQuaternion(0, 0, 0, 0)),
       aiQuatKey(40, aiQuaternion(nan, 0, 0, 0)), aiQuatKey(20, aiQuaternion(0, 0, 3, 0))});
  animated.scales({aiVectorKey(0, aiVector3D(0, 1, 1))});
  RepairLog repairs;
  const auto clips = readClips(animated.scene, SourceKind::other, oneBone(), repairs);
  REQUIRE(clips.size() == 1);
  CHECK(clips[0].name == "clip 0");
  const Track<quat>& track = clips[0].channels.at(0).rotation;
  CHECK(track.times == std::vector<float>{0, 1, 2});
  CHECK(clips[0].seconds == 2.0f);
  CHECK(track.values[1] == quat(1, 0, 0, 0)); // turned to its predecessor's side
  CHECK(std::abs(track.values[2].y) == 1.0f); // the later of two at one time
  CHECK(clips[0].channels[0].scale.values[0].x > 0.0f);
  const auto lines = repairs.lines();
  REQUIRE(lines.size() == 4);
  CHECK(lines[0] == "1 animation key is not finite or beyond 1e15: dropped");
  CHECK(lines[1] == "2 animation keys are out of order or repeated: sorted");
  CHECK(lines[2] == "1 rotation key is a zero quaternion: dropped");
  CHECK(lines[3] == "1 scale key is zero: scaled to 0.000001 instead");
}

TEST_CASE("a channel for a node that is not there is left out, and a clip of such alone too") {
  Animated animated;
  animated.channel->mNodeName = "nowhere";
  animated.rotations({aiQuatKey(0, aiQuaternion(1, 0, 0, 0))});
  RepairLog repairs;
  CHECK(readClips(animated.scene, SourceKind::other, oneBone(), repairs).empty());
  CHECK(repairs.lines().size() == 1);
}
