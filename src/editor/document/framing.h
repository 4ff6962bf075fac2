// The camera's place relative to the model: what it shows, and how far it follows a model that
// moves away.
#pragma once

#include "editor/document/document.h"

namespace sinew {

// The middle of the posed joints; the origin without joints.
vec3 jointCenter(const std::vector<std::uint32_t>& joints, const std::vector<mat4>& modelFromNode);
vec3 jointCenter(const Document& document);

// How far the model has moved from where it was framed. Small motions are ignored, so that neither
// camera nor ground follows breathing and steps on the spot.
vec3 carriedBy(const Document& document);

// How far the camera has followed: a clip at once, a fall slowly, an edited pose not at all.
vec3 carriedAway(const Document& document);

// How far the camera has moved: it keeps a joint that it follows in the middle of the view.
vec3 cameraAway(const Document& document);

// Ends following a joint: the camera keeps its place relative to the model as a whole.
void leaveJoint(Document& document);

// Shows the whole model, over the clip that plays or as it is held, with the side-by-side models
// that are drawn at its scale.
void frameModel(Document& document);

// Shows the selected joint in the middle of the view, with half of every bone that ends there; the
// whole model if no joint is selected.
void frameJoint(Document& document);

} // namespace sinew
