// The program that poses a model within a page, compiled to WebAssembly by scripts/pose_module: the
// skinning methods' own pack, for the table as it is. The page (assets/page/posing.js) writes into
// its memory and calls what is exported here; addresses are places there.
#include "animation/pose.h"
#include "page/pose_rig.h"
#include "skinning/methods.h"

#include <optional>
#include <vector>

#define SINEW_EXPORT(name) extern "C" __attribute__((export_name(#name)))

namespace sinew {
namespace {

struct Posing {
  PoseRig rig;
  Pose pose;
  std::vector<mat4> modelFromNode;
  Palette palette;
};

std::vector<std::byte> given;
std::optional<Posing> posing;

} // namespace

// Room for a PoseRig's bytes.
SINEW_EXPORT(room) std::byte* room(std::size_t size) {
  given.resize(size);
  return given.data();
}

// Reads those; the number of methods, or -1 where they cannot be read here.
SINEW_EXPORT(load) int load() {
  std::optional<PoseRig> rig = readPoseRig(given);
  if (!rig) return -1;
  posing.emplace();
  posing->rig = std::move(*rig);
  posing->pose = restPose(posing->rig.hierarchy);
  posing->pose.twists.resize(posing->rig.hierarchy.nodes.size(), 0.0f);
  return static_cast<int>(posing->rig.methods.size());
}

// Ten floats for every node, to be written: translation, rotation x y z w, scale.
SINEW_EXPORT(transforms) Transform* transforms() {
  return posing->pose.parentFromNode.data();
}

// One per node.
SINEW_EXPORT(twists) float* twists() {
  return posing->pose.twists.data();
}

// The matrix of every node, 16 floats column by column, as those transforms have it.
SINEW_EXPORT(pose) const mat4* pose() {
  modelFromNodes(posing->rig.hierarchy, posing->pose, posing->modelFromNode);
  return posing->modelFromNode.data();
}

// The rows of a method's palette in the pose; whether it is Palette::nonUniformScale.
SINEW_EXPORT(pack) bool pack(std::size_t method) {
  const PoseMethod& bound = posing->rig.methods[method];
  packPalette(*bound.method, posing->rig.rig, bound.binding, posing->modelFromNode, posing->palette,
              posing->pose.twists);
  return posing->palette.nonUniformScale;
}

SINEW_EXPORT(rows) const vec4* rows() {
  return posing->palette.rows.data();
}

SINEW_EXPORT(rowCount) std::size_t rowCount() {
  return posing->palette.rows.size();
}

} // namespace sinew

// Nothing is thrown: what a page has was checked when it was made. Nor does anything end, or write
// to a console, as the C++ library would before it gives up.
extern "C" {
void __abort_message(const char* /*format*/, ...) {
  __builtin_trap();
}
void* __cxa_allocate_exception(std::size_t /*size*/) noexcept {
  __builtin_trap();
}
void __cxa_throw(void* /*thrown*/, void* /*type*/, void (* /*destroy*/)(void*)) {
  __builtin_trap();
}
int __cxa_thread_atexit(void (* /*destroy*/)(void*), void* /*object*/, void* /*library*/) noexcept {
  return 0;
}
}
void std::__libcpp_verbose_abort(const char* /*format*/, ...) noexcept {
  __builtin_trap();
}
