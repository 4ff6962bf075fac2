// What every reader does to the keys of clips before a Model has them.
#pragma once

#include "import/repairs.h"
#include "model/clip.h"

#include <vector>

namespace sinew {

// Makes times strictly increasing; the last of several keys at one time stays.
void sortKeys(Track<vec3>& track, RepairLog& repairs);
void sortKeys(Track<quat>& track, RepairLog& repairs);
void sortKeys(Track<float>& track, RepairLog& repairs);

// Drops zero quaternions. Each key of linear and stepped tracks becomes a unit quaternion on its
// predecessor's side; a cubic track's components are interpolated as they are.
void repairRotationKeys(Track<quat>& track, RepairLog& repairs);

// No scale of a key is zero: a matrix without inverse has no normals and no bind pose.
void repairScaleKeys(Track<vec3>& track, RepairLog& repairs);

// The clip's length: its last key. What files say otherwise is often the editor's whole time line,
// or short of the last frame.
float lastKey(const Clip& clip);

// Every clip gets a name of its own.
void nameClips(std::vector<Clip>& clips);

} // namespace sinew
