// A .glb made small: values quantised (KHR_mesh_quantization), streams compressed by meshoptimizer
// (EXT_meshopt_compression), clips with fewer keys (fewer_keys.h).
//
// What is rounded, at most: positions, also of morph targets, by 2^-14 of the largest extent;
// texture coordinates by 2^-13 of the largest; normals and tangents to 8 bits on an octahedron, of
// morph targets by 2^-8; weights and colours to 8 bits; rotations of keys so that the skin that
// the node moves stays within 1e-4 of the size; translations and scales of keys to 16 bits of their
// largest value. Vertices keep their places in triangles, not their order.
#pragma once

#include <string>

namespace sinew {

inline constexpr double kKeyPercent = 0.02; // percent of the model's size

// glb: as GlbBuffer::finish() makes it, with all its buffers inside. What is compressed already,
// and what sinew does not know, stays as it is. keyPercent: the largest error for which keys are
// left out, in percent of the model's size. Throws inputError for what is no such file.
std::string compressGlb(const std::string& glb, double keyPercent = kKeyPercent);

} // namespace sinew
