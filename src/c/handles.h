// What the handles of sinew.h are, and how a call of it ends: shared by the sources of this folder.
#pragma once

#include "animation/layers/layer_stack.h"
#include "animation/sample.h"
#include "c/sinew.h"
#include "core/progress.h"
#include "cpu_skin/cpu_skin.h"
#include "rig/rig.h"
#include "skinning/method.h"
#include "skinning/rebind.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

struct sinew_model {
  sinew::Model model;
  std::shared_ptr<const sinew::Rig> rig;
  // What sinew_arrays_of() and sinew_graph() lend.
  std::uint32_t influences = 0;
  std::vector<std::uint32_t> influenceJoints, parents, nodeOfJoint, parentOfNode;
  std::vector<float> influenceWeights;
  std::vector<sinew::mat4> inverseBind;
  std::vector<const char*> jointNames;
  std::vector<std::string> notes; // repairs, then warnings
};

struct sinew_pose {
  const sinew_model* of = nullptr;
  sinew::Pose pose, rest; // rest: kept, so that no frame allocates
  std::uint32_t clip = SINEW_NONE;
  sinew::SampleCursor cursor;
  std::vector<sinew::mat4> modelFromNode;
  sinew::LayerStack layers;
  sinew::LayerStackState state;
  double seconds = 0.0; // time of the last sample
};

struct sinew_binding {
  const sinew::Method* method = nullptr;
  std::shared_ptr<const sinew::Rig> rig; // null: it was read from bytes
  sinew::Rig packed;                     // joints and splines; a joint's node is its own index
  sinew::Binding binding;                // without vertices where there is no rig
  std::optional<sinew::CpuSkin> skin;    // none: the binding packs alone
  sinew::SkinRoom room;
  sinew::MorphedVertices morphed;
  std::optional<sinew::MorphedBinding> morphedBinding;

  std::uint32_t vertexCount() const { return skin ? skin->vertexCount() : 0; }
  bool hasTangents() const { return skin && skin->hasTangents(); }
  sinew::BindVertices vertices() const { return {*rig, morphed}; }
  const sinew::Binding& shown() const {
    return morphedBinding && morphed.moved() ? morphedBinding->binding : binding;
  }
};

struct sinew_blob {
  std::string bytes;
};

namespace sinew {

// Keeps the line for sinew_last_error().
sinew_code setLastError(sinew_code code, std::string_view line) noexcept;
// The same of the exception that is being handled.
sinew_code setLastErrorOfException() noexcept;

// A call of sinew.h: nothing is thrown beyond it.
template <class Function>
sinew_code guarded(const Function& function) noexcept {
  try {
    function();
    return SINEW_OK;
  } catch (...) {
    return setLastErrorOfException();
  }
}

// The same of a function that makes a handle; null where it throws.
template <class Function>
auto guardedHandle(const Function& function) noexcept -> decltype(function().release()) {
  try {
    return function().release();
  } catch (...) {
    setLastErrorOfException();
    return nullptr;
  }
}

// Throws usageError "NAME: a null pointer".
void requirePointer(const void* pointer, const char* name);

Progress toProgress(sinew_progress progress, void* user);

// Throws inputError where the model does not hold together.
std::unique_ptr<sinew_model> makeModelHandle(Model model);

std::unique_ptr<sinew_blob> makeBlob(std::string bytes);

} // namespace sinew
