#include "skinning/binding_parts.h"

#include <algorithm>
#include <utility>

namespace sinew {

// Its attributes beside those of the parts before it. What is the same is there once: joints and
// weights, which no morph target changes.
void appendPart(const Method& method, Binding part, Binding& whole) {
  BindingPart out{&method, std::move(part), whole.rowsPerEntry, {}};
  const std::string suffix = "_" + std::to_string(whole.parts.size());
  for (const Attribute& attribute : out.binding.attributes) {
    const auto same = [&](const Attribute& other) {
      const bool fixed = isInteger(other.format) || other.format == AttributeFormat::unorm16x4;
      return fixed && other.format == attribute.format && other.palette == attribute.palette &&
             other.data == attribute.data;
    };
    const auto found = std::ranges::find_if(whole.attributes, same);
    if (found != whole.attributes.end()) {
      out.names.push_back(found->name);
      continue;
    }
    out.names.push_back(attribute.name + suffix);
    whole.attributes.push_back(attribute);
    whole.attributes.back().name = out.names.back();
  }
  whole.largestCut = std::max(whole.largestCut, out.binding.largestCut);
  whole.entryCount = std::max(whole.entryCount, out.binding.entryCount);
  whole.rowsPerEntry += out.binding.rowsPerEntry;
  whole.rowTexts.insert(whole.rowTexts.end(), out.binding.rowTexts.begin(),
                        out.binding.rowTexts.end());
  if (!out.binding.variant.hasNormals()) whole.variant.normals = NormalMode::none;
  whole.parts.push_back(std::move(out));
}

std::vector<vec4> rowsOfPart(const Binding& whole, const BindingPart& part,
                             std::span<const vec4> rows) {
  const std::size_t count = part.binding.rowsPerEntry;
  std::vector<vec4> own(part.binding.entryCount * count);
  for (std::size_t entry = 0; entry < part.binding.entryCount; ++entry)
    std::copy_n(rows.begin() +
                    static_cast<std::ptrdiff_t>(entry * whole.rowsPerEntry + part.firstRow),
                count, own.begin() + static_cast<std::ptrdiff_t>(entry * count));
  return own;
}

void putRows(const Binding& whole, const BindingPart& part, std::span<const vec4> own,
             std::span<vec4> rows) {
  const std::size_t count = part.binding.rowsPerEntry;
  for (std::size_t entry = 0; entry < part.binding.entryCount; ++entry)
    std::copy_n(own.begin() + static_cast<std::ptrdiff_t>(entry * count), count,
                rows.begin() +
                    static_cast<std::ptrdiff_t>(entry * whole.rowsPerEntry + part.firstRow));
}

bool packParts(const Rig& rig, const Binding& binding, std::span<const mat4> modelFromNode,
               std::span<vec4> rows) {
  std::fill(rows.begin(), rows.end(), vec4(0.0f)); // a part may have fewer entries than the whole
  bool nonUniformScale = false;
  static thread_local std::vector<vec4> own; // no frame allocates
  for (const BindingPart& part : binding.parts) {
    own.resize(std::size_t{part.binding.entryCount} * part.binding.rowsPerEntry);
    nonUniformScale = part.method->pack(rig, part.binding, modelFromNode, own) || nonUniformScale;
    putRows(binding, part, own, rows);
  }
  return nonUniformScale;
}

void addPartRotations(const Rig& rig, const Binding& binding, std::span<const float> twists,
                      std::span<vec4> rows) {
  for (const BindingPart& part : binding.parts) {
    if (!part.method->usesFreeSplines) continue;
    std::vector<vec4> own = rowsOfPart(binding, part, rows);
    part.method->addRotations(rig, part.binding, twists, own);
    putRows(binding, part, own, rows);
  }
}

Palette selectPalette(const Binding& binding, const BindingPart& part, const Palette& palette) {
  return {rowsOfPart(binding, part, palette.rows), palette.nonUniformScale};
}

void morphParts(const Rig& rig, const Binding& bound, const MorphedVertices& morphed,
                Binding& out) {
  for (std::size_t k = 0; k < bound.parts.size(); ++k) {
    const BindingPart& part = bound.parts[k];
    if (part.method->morph == nullptr) continue;
    Binding& moved = out.parts[k].binding = part.binding;
    part.method->morph(rig, part.binding, morphed, moved);
    for (std::size_t a = 0; a < moved.attributes.size(); ++a)
      findAttribute(out, part.names[a]).data = moved.attributes[a].data;
  }
}

} // namespace sinew
