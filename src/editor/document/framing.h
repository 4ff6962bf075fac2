// Where the camera stands to the model: what it shows, and how far it follows a model that moves
// away.
#pragma once

#include "editor/document/document.h"

namespace sinew {

// Middle of the joints as they are posed; the origin without any.
vec3 jointCenter(const std::vector<std::uint32_t>& joints, const std::vector<mat4>& modelFromNode);
vec3 jointCenter(const Document& document);

// How far the model has moved from where it was framed. Small motions are ignored, so that neither
// camera nor ground follows breathing and steps on the spot.
vec3 carriedBy(const Document& document);

// How far the camera has followed: a clip at once, a fall slowly, an edited pose not at all.
vec3 carriedAway(const Document& document);

// The same of the camera: it keeps a joint that it follows in the middle of the view.
vec3 cameraAway(const Document& document);

// From now on the camera stays where it is to the model as a whole.
void leaveJoint(Document& document);

// The whole model in view, over the clip that plays, or as it is held, with the models beside it
// that are drawn at its scale.
void frameModel(Document& document);

// The selected joint in the middle of the view, with half of every bone that ends there; the whole
// model where no joint is selected.
void frameJoint(Document& document);

} // namespace sinew
