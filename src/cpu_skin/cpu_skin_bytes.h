// What CpuSkin has prepared, as bytes: so that a program prepares it once and loads it with its
// assets, without a rig or a mesh. In: a CpuSkin. Out: little-endian bytes, and back.
//
// Bytes of another length, kind or method are an inputError, and so are numbers out of range, which
// a kernel would follow. Where there is no kernel, and for tangents, the bytes hold the method's
// own binding, whose numbers only the method knows: such bytes have to be a program's own.
#pragma once

#include "cpu_skin/cpu_skin.h"

#include <cstddef>
#include <span>
#include <vector>

namespace sinew {

std::vector<std::byte> toBytes(const CpuSkin& skin);

// method, binding: those that it was made for; the vertices of the binding are not read.
CpuSkin readCpuSkin(std::span<const std::byte> bytes, const Method& method, const Binding& binding);

} // namespace sinew
