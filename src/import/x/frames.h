// The frames of a .x file as a hierarchy.
#pragma once

#include "import/append_node.h"
#include "import/repairs.h"
#include "import/x/document.h"

#include <map>

namespace sinew {

// From the left-handed coordinates of .x files to ours: Z changes its sign, in everything that a
// file says once. Y is up in both.
inline vec3 rightHanded(const vec3& v) {
  return {v.x, v.y, -v.z};
}
inline quat rightHanded(const quat& q) {
  return {q.w, -q.x, -q.y, q.z};
}
// S M S with S the mirror.
inline mat4 rightHanded(mat4 m) {
  for (int i = 0; i < 4; ++i) {
    m[2][i] = -m[2][i];
    m[i][2] = -m[i][2];
  }
  return m;
}

struct XFrames : NamedNodes {
  // A frame where it stands. One that others refer to stands in several places.
  struct Place {
    std::uint32_t frame = 0; // object; that of the file for a node above several frames
    std::uint32_t node = 0;
    std::string name; // its own, or that of the nearest frame above with a name
  };
  std::vector<Place> places;                             // parents first
  std::vector<std::vector<std::uint32_t>> nodesByObject; // per object
  // A sheared frame's inner half and its outer one, which an animation of the frame must undo.
  std::map<std::uint32_t, std::uint32_t> stretchByNode;
};

// A matrix of sixteen values, as ours and right-handed: files have rows for row vectors, the
// translation in the last one. Throws XError where there are fewer.
mat4 readXMatrix(XValues& values);

// Frames outside of others, with what they refer to; a frame (or a mesh) that another frame refers
// to is shown only there. Several of them, or meshes outside of frames, get a node above them.
// Throws XError for a frame within itself.
XFrames readXFrames(const XDocument& document, RepairLog& repairs);

// The meshes of a place: those of the frame, or outside of frames.
std::vector<std::uint32_t> listMeshes(const XDocument& document, const XFrames::Place& place);

} // namespace sinew
