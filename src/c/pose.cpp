#include "animation/layers/layer_stack.h"
#include "c/handles.h"
#include "core/error.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

namespace sinew {
namespace {

static_assert(sizeof(Transform) == 10 * sizeof(float));

Wrap toWrap(sinew_wrap wrap) {
  switch (wrap) {
  case SINEW_CLAMP:
    return Wrap::clamp;
  case SINEW_LOOP:
    return Wrap::loop;
  case SINEW_PING_PONG:
    return Wrap::pingPong;
  }
  throw usageError(fmt::format("wrap: there is no sinew_wrap {}", static_cast<int>(wrap)));
}

void samplePose(sinew_pose& pose, std::uint32_t clip, double seconds, Wrap wrap) {
  const Model& model = pose.of->model;
  if (clip != SINEW_NONE && clip >= model.clips.size())
    throw usageError(fmt::format("clip: {} of {}", clip, model.clips.size()));
  if (!std::isfinite(seconds)) throw usageError("seconds: not finite");
  if (clip != pose.clip) pose.cursor = {};
  pose.clip = clip;
  if (clip == SINEW_NONE)
    pose.pose = pose.rest;
  else
    sample(model, model.clips[clip], static_cast<float>(seconds), wrap, pose.cursor, pose.pose);
  if (!pose.layers.layers.empty())
    evaluate(model, pose.layers, pose.state, seconds, seconds - pose.seconds, pose.pose);
  pose.seconds = seconds;
}

// Arrays that the caller may read and write have their full size.
void fillPose(sinew_pose& pose) {
  const Model& model = pose.of->model;
  pose.pose.morphWeights = getMorphWeights(model, pose.pose);
  pose.pose.twists.resize(model.hierarchy.nodes.size(), 0.0f);
}

} // namespace
} // namespace sinew

extern "C" {

sinew_pose* sinew_pose_make(const sinew_model* model) {
  return sinew::guardedHandle([&] {
    sinew::requirePointer(model, "model");
    auto pose = std::make_unique<sinew_pose>();
    pose->of = model;
    pose->pose = sinew::restPose(model->model);
    sinew::fillPose(*pose);
    pose->rest = pose->pose;
    return pose;
  });
}

void sinew_pose_free(sinew_pose* pose) {
  delete pose;
}

sinew_code sinew_pose_reset(sinew_pose* pose, int32_t bind) {
  return sinew::guarded([&] {
    sinew::requirePointer(pose, "pose");
    pose->pose = bind != 0 ? sinew::bindPose(pose->of->model) : sinew::restPose(pose->of->model);
    sinew::fillPose(*pose);
  });
}

sinew_code sinew_pose_sample(sinew_pose* pose, uint32_t clip, double seconds, sinew_wrap wrap) {
  return sinew::guarded([&] {
    sinew::requirePointer(pose, "pose");
    sinew::samplePose(*pose, clip, seconds, sinew::toWrap(wrap));
  });
}

sinew_code sinew_pose_layers(sinew_pose* pose, const char* json) {
  return sinew::guarded([&] {
    sinew::requirePointer(pose, "pose");
    pose->layers = json != nullptr ? sinew::layerStackFromJson(pose->of->model, json, "layers")
                                   : sinew::LayerStack{};
    pose->state = {};
  });
}

float* sinew_pose_transforms(sinew_pose* pose) {
  return pose == nullptr ? nullptr : reinterpret_cast<float*>(pose->pose.parentFromNode.data());
}

float* sinew_pose_morphs(sinew_pose* pose) {
  if (pose == nullptr) return nullptr;
  sinew::guarded([&] {
    if (pose->pose.morphWeights.empty())
      pose->pose.morphWeights = sinew::getMorphWeights(pose->of->model, pose->pose);
  });
  return pose->pose.morphWeights.data();
}

sinew_code sinew_pose_matrices(sinew_pose* pose, float* matrices) {
  return sinew::guarded([&] {
    sinew::requirePointer(pose, "pose");
    sinew::requirePointer(matrices, "matrices");
    sinew::modelFromNodes(pose->of->model.hierarchy, pose->pose, pose->modelFromNode);
    for (const std::uint32_t node : pose->of->nodeOfJoint) {
      std::memcpy(matrices, &pose->modelFromNode[node], sizeof(sinew::mat4));
      matrices += 16;
    }
  });
}

sinew_code sinew_pose_twists(sinew_pose* pose, float* twists) {
  return sinew::guarded([&] {
    sinew::requirePointer(pose, "pose");
    sinew::requirePointer(twists, "twists");
    for (const std::uint32_t node : pose->of->nodeOfJoint)
      *twists++ = sinew::twistAt(pose->pose, node);
  });
}

} // extern "C"
