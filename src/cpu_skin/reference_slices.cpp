#include "cpu_skin/reference_slices.h"

#include <algorithm>

namespace sinew {
namespace {

constexpr std::size_t kSliceVertices = 2048;

// A binding's values for these vertices. Their parts (BindingPart) likewise.
Binding gathered(const Binding& binding, std::span<const std::uint32_t> source) {
  Binding out;
  out.vertexCount = static_cast<std::uint32_t>(source.size());
  out.entryCount = binding.entryCount;
  out.rowsPerEntry = binding.rowsPerEntry;
  out.parameters = binding.parameters;
  out.constants = binding.constants;
  out.largestCut = binding.largestCut;
  out.tangents = binding.tangents;
  out.variant = binding.variant;
  out.forms = binding.forms;
  for (const Attribute& attribute : binding.attributes) {
    Attribute& to = out.attributes.emplace_back(
        Attribute{attribute.name, attribute.format, attribute.palette, {}});
    const std::size_t size = byteSize(attribute.format);
    to.data.reserve(size * source.size());
    for (const std::uint32_t v : source) {
      const auto from = attribute.data.begin() + static_cast<std::ptrdiff_t>(size * v);
      to.data.insert(to.data.end(), from, from + static_cast<std::ptrdiff_t>(size));
    }
  }
  if (!binding.formByVertex.empty())
    for (const std::uint32_t v : source)
      out.formByVertex.push_back(binding.formByVertex[v]);
  for (const BindingPart& part : binding.parts)
    out.parts.push_back({part.method, gathered(part.binding, source), part.firstRow, part.names});
  return out;
}

} // namespace

BindVertices BindSource::vertices() const {
  static const Rig kNone;
  BindVertices out(kNone);
  out.positions = positions;
  out.normals = normals;
  out.tangents = tangents;
  return out;
}

BindSource gatherBind(const BindVertices& vertices, const Binding& binding,
                      std::span<const std::uint32_t> source) {
  BindSource out;
  for (const std::uint32_t v : source) {
    out.positions.push_back(vertices.positions[v]);
    out.normals.push_back(vertices.normals[v]);
    if (!vertices.tangents.empty()) out.tangents.push_back(vertices.tangents[v]);
  }
  out.binding = gathered(binding, source);
  return out;
}

std::vector<ReferenceSlice> sliceBinding(const BindVertices& vertices, const Binding& binding,
                                         std::span<const std::uint32_t> source) {
  std::vector<ReferenceSlice> slices;
  for (std::size_t first = 0; first < source.size(); first += kSliceVertices) {
    const auto own = source.subspan(first, std::min(kSliceVertices, source.size() - first));
    slices.push_back({first, gatherBind(vertices, binding, own)});
  }
  return slices;
}

} // namespace sinew
