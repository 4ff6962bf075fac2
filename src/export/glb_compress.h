// A .glb made small: values quantised (KHR_mesh_quantization), streams compressed by meshoptimizer
// (EXT_meshopt_compression), tracks that never change reduced to one key or dropped.
//
// What is rounded, at most: positions and offsets of morph targets by half of 2^-15 of the largest
// extent; texture coordinates by 2^-14 of theirs; normals and tangents to 8 bits on an octahedron;
// weights and colours to 8 bits; rotations to 12 bits a component; translations and scales of keys
// to 16 bits of their largest value. Vertices keep their places in triangles, not their order.
#pragma once

#include <string>

namespace sinew {

// glb: as GlbBuffer::finish() makes it, with all its buffers inside. What is compressed already,
// and what sinew does not know, stays as it is. Throws inputError for what is no such file.
std::string compressGlb(std::string glb);

} // namespace sinew
