#include "cpu_skin/skin_blocks.h"

#include "skinning/bone_palette.h"
#include "skinning/method_entries.h"
#include "skinning/spline_bind.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

namespace sinew {
namespace {

constexpr std::uint32_t kDualQuaternionRows = 5; // more with bulge-free=on

bool isSpline(SkinKernel kernel) {
  return kernel == SkinKernel::arcs || kernel == SkinKernel::beziers;
}

// Each vertex follows bones by weight, as many as it has influences.
bool takesInfluences(SkinKernel kernel) {
  return kernel == SkinKernel::matrices || kernel == SkinKernel::dualQuaternions ||
         kernel == SkinKernel::centers || kernel == SkinKernel::bones ||
         kernel == SkinKernel::smoothed;
}

bool hasPivots(SkinKernel kernel) {
  return kernel == SkinKernel::dualQuaternions || kernel == SkinKernel::centers;
}

// What a vertex follows: entries with a weight, and which of its attachments each is.
struct Followed {
  std::uint32_t entry = 0;
  std::uint16_t weight = 0;
  std::uint8_t attachment = 0;
};

// Reads what the vertices of a binding follow.
class FollowedEntries {
 public:
  FollowedEntries(SkinKernel kernel, const Binding& binding)
      : binding_(binding), bones_(takesInfluences(kernel)),
        moments_(kernel == SkinKernel::smoothed) {
    if (bones_) return;
    entries_ = &findAttribute(binding, "joints0");
    if (binding.variant.attachments > 1) weights_ = &findAttribute(binding, "weights0");
  }

  // Heaviest first; never empty.
  std::span<const Followed> of(std::size_t vertex) {
    count_ = 0;
    if (bones_) {
      const VertexBones bones = readBones(binding_, vertex);
      for (std::size_t i = 0; i < bones.count; ++i)
        add(bones.joints[i], bones.weights[i], i);
    } else {
      const glm::uvec4 entries = readUint(*entries_, vertex);
      const vec4 weights = weights_ != nullptr ? readFloat(*weights_, vertex) : vec4(1, 0, 0, 0);
      for (int i = 0; i < static_cast<int>(binding_.variant.attachments); ++i)
        add(entries[i], weights[i], static_cast<std::size_t>(i));
    }
    return std::span(followed_).first(count_);
  }

 private:
  // The first is kept whatever it weighs. Smoothed vertices keep all, as moments weigh more than
  // the weight that is rounded. Unused ones repeat the first.
  void add(std::uint32_t entry, float weight, std::size_t attachment) {
    const auto fraction = static_cast<std::uint16_t>(std::lround(65535.0f * weight));
    const bool light = !moments_ || entry == followed_[0].entry;
    if (fraction == 0 && count_ > 0 && light) return;
    followed_[count_++] = {entry, fraction, static_cast<std::uint8_t>(attachment)};
  }

  const Binding& binding_;
  bool bones_;
  bool moments_;
  const Attribute* entries_ = nullptr;
  const Attribute* weights_ = nullptr;
  std::array<Followed, kInfluenceLimit> followed_;
  std::size_t count_ = 0;
};

VertexEntryLists entryLists(SkinKernel kernel, const Binding& binding) {
  VertexEntryLists lists;
  FollowedEntries followed(kernel, binding);
  std::vector<std::uint32_t> own;
  for (std::size_t v = 0; v < binding.vertexCount; ++v) {
    own.clear();
    for (const Followed& each : followed.of(v))
      own.push_back(each.entry);
    std::ranges::sort(own);
    own.erase(std::unique(own.begin(), own.end()), own.end());
    lists.entries.insert(lists.entries.end(), own.begin(), own.end());
    lists.offsets.push_back(static_cast<std::uint32_t>(lists.entries.size()));
  }
  return lists;
}

std::size_t countValues(SkinKernel kernel, std::size_t entries) {
  if (isSpline(kernel)) return 7 * entries;
  if (kernel == SkinKernel::centers) return 9;
  if (kernel == SkinKernel::smoothed)
    return smoothed_value::kFirst + smoothed_value::kEach * entries;
  return kernel == SkinKernel::fractions || kernel == SkinKernel::bones ? 6 + entries : 6;
}

void writeVec3(const vec3& v, std::size_t lane, BlockLanes* values) {
  values[0].at[lane] = v.x;
  values[1].at[lane] = v.y;
  values[2].at[lane] = v.z;
}

// The attributes that hold a value of each attachment.
struct AttachmentValues {
  const Attribute* center = nullptr;      // a value per vertex
  const Attribute* blendFactor = nullptr; // 1 to 3
  std::array<const Attribute*, kInfluenceLimit / 4> shares{};
  std::array<const Attribute*, 3> coordinates{}, normals{};
  std::vector<std::array<const Attribute*, kMomentTexels>> moments; // per four influences
  const Attribute* tangents = nullptr; // angles about the normals, whose place they take
  bool unitNormals = false;            // stored in bytes

  AttachmentValues(SkinKernel kernel, const Binding& binding, bool takesTangents)
      : unitNormals(binding.variant.splineTexture) {
    if (takesTangents && isSpline(kernel)) tangents = &findAttribute(binding, "splineTangent");
    if (kernel == SkinKernel::centers) center = &findAttribute(binding, "rotationCenter");
    if (kernel == SkinKernel::smoothed) {
      center = &findAttribute(binding, "smoothedPosition");
      moments.resize((binding.variant.influences + 3) / 4);
      for (std::size_t g = 0; g < moments.size(); ++g)
        for (std::size_t t = 0; t < kMomentTexels; ++t)
          moments[g].at(t) = &findAttribute(binding, momentName(g, t));
    }
    if (kernel == SkinKernel::fractions) blendFactor = &findAttribute(binding, "blendFactor");
    for (std::size_t g = 0; kernel == SkinKernel::bones && 4 * g < binding.variant.influences; ++g)
      shares.at(g) = &findAttribute(binding, "boneShare" + std::to_string(g));
    if (!isSpline(kernel)) return;
    for (std::size_t i = 0; i < binding.variant.attachments; ++i) {
      coordinates[i] = &findAttribute(binding, "spline" + std::to_string(i));
      if (binding.variant.hasNormals())
        normals[i] = &findAttribute(binding, "splineNormal" + std::to_string(i));
    }
  }

  bool hasFactors() const { return blendFactor != nullptr || shares[0] != nullptr; }
  void writeFactor(std::size_t vertex, std::size_t attachment, std::size_t lane,
                   BlockLanes& value) const {
    const int component = static_cast<int>(attachment % 4);
    if (blendFactor != nullptr) value.at[lane] = readFloat(*blendFactor, vertex)[component];
    if (const Attribute* share = shares.at(attachment / 4); share != nullptr)
      value.at[lane] = readFloat(*share, vertex)[component] - 1.0f;
  }

  void writeMoments(std::size_t vertex, std::size_t attachment, std::size_t lane,
                    BlockLanes* values) const {
    const auto& four = moments[attachment / 4];
    const std::size_t of = attachment % 4;
    const vec4 first = readFloat(*four[2 * of], vertex);
    const vec4 second = readFloat(*four[2 * of + 1], vertex);
    const vec4 yz = readFloat(*four[8], vertex);
    writeVec3(vec3(first), lane, values);
    writeVec3({first.w, second.x, second.y}, lane, values + 3);
    writeVec3({second.z, second.w, yz[static_cast<int>(of)]}, lane, values + 6);
  }

  // x and offset, then the normal, or the tangent.
  void writeSpline(std::size_t vertex, std::size_t attachment, std::size_t lane,
                   BlockLanes* values) const {
    const vec4 c = readFloat(*coordinates[attachment], vertex);
    values[0].at[lane] = c.x;
    writeVec3({c.y, c.z, c.w}, lane, values + 1);
    if (normals[attachment] == nullptr) return;
    vec3 normal(readFloat(*normals[attachment], vertex));
    if (const float squared = glm::dot(normal, normal); unitNormals && squared > 0.0f)
      normal /= std::sqrt(squared);
    if (tangents != nullptr)
      normal = directionAt(normal, readFloat(*tangents, vertex)[static_cast<int>(attachment)]);
    writeVec3(normal, lane, values + 4);
  }
};

} // namespace

SkinKernel chooseKernel(const Method& method, const Binding& binding) {
  const Variant& variant = binding.variant;
  if (variant.normals == NormalMode::exact || variant.splineTransform) return SkinKernel::reference;
  if (method.kernel == SkinKernel::dualQuaternions && binding.rowsPerEntry > kDualQuaternionRows)
    return SkinKernel::reference;
  return method.kernel;
}

namespace {

// What a slot takes beside an entry that all lanes share, as `bench --skinning` measures it.
LaneCost getLaneCost(SkinKernel kernel) {
  switch (kernel) {
  case SkinKernel::dualQuaternions:
    return {.slot = 3.0, .pair = 0.25};
  case SkinKernel::centers:
    return {.slot = 3.0, .pair = 0.15};
  case SkinKernel::fractions:
    return {.slot = 3.0};
  case SkinKernel::bones:
    return {.slot = 12.0}; // lanes have the longer kernel alone
  case SkinKernel::arcs:
  case SkinKernel::beziers:
  case SkinKernel::smoothed:
    return {.slot = 1.8};
  default:
    return {.slot = 6.0};
  }
}

void fillSlots(SkinKernel kernel, const Binding& binding, SkinBlocks& blocks) {
  FollowedEntries followed(kernel, binding);
  for (std::size_t b = 0; b < blocks.blocks.size(); ++b) {
    SkinBlock& block = blocks.blocks[b];
    if (block.slots == 0) continue;
    block.firstSlot = static_cast<std::uint32_t>(blocks.laneEntries.size());
    blocks.laneEntries.resize(blocks.laneEntries.size() + block.slots);
    const auto slots = std::span(blocks.laneEntries).subspan(block.firstSlot);
    for (std::size_t lane = 0; lane < kBlockLanes; ++lane) {
      std::size_t count = 0;
      for (const Followed& each : followed.of(blocks.source[kBlockLanes * b + lane])) {
        std::size_t before = 0;
        while (before < count && slots[before][lane] != each.entry)
          ++before;
        if (before == count) slots[count++][lane] = each.entry;
      }
      for (std::size_t slot = count; slot < slots.size(); ++slot)
        slots[slot][lane] = slots[0][lane];
    }
  }
}

std::vector<std::uint32_t> usedEntries(const SkinBlocks& blocks) {
  std::vector<bool> uses(blocks.entryCount, false);
  for (const std::uint32_t entry : blocks.entries)
    uses[entry] = true;
  for (const EntryLanes& lanes : blocks.laneEntries)
    for (const std::uint32_t entry : lanes)
      uses[entry] = true;
  std::vector<std::uint32_t> used;
  for (std::uint32_t entry = 0; entry < uses.size(); ++entry)
    if (uses[entry]) used.push_back(entry);
  return used;
}

} // namespace

SkinBlocks makeSkinBlocks(SkinKernel kernel, const BindVertices& vertices, const Binding& binding,
                          std::span<const std::span<const std::uint32_t>> parts) {
  BlockGroups groups = groupIntoBlocks(entryLists(kernel, binding), parts, getLaneCost(kernel));
  SkinBlocks out;
  out.kernel = kernel;
  out.normals = binding.variant.hasNormals();
  out.freeSplines = binding.variant.freeSplines;
  out.oneAttachment = binding.variant.attachments == 1;
  out.rowsPerEntry = binding.rowsPerEntry;
  out.entryCount = binding.entryCount;
  out.source = std::move(groups.source);
  out.partEnds = std::move(groups.partEnds);
  for (const std::vector<std::uint32_t>& list : groups.lists) {
    out.lists.push_back({static_cast<std::uint32_t>(out.entries.size()),
                         static_cast<std::uint32_t>(list.size()),
                         static_cast<std::uint32_t>(out.pairs)});
    out.entries.insert(out.entries.end(), list.begin(), list.end());
    out.pairs += list.size() * list.size();
  }
  std::size_t values = 0;
  std::size_t weights = 0;
  for (std::size_t b = 0; b < groups.listByBlock.size(); ++b) {
    const SkinBlock& block = out.blocks.emplace_back(SkinBlock{groups.listByBlock[b],
                                                               static_cast<std::uint32_t>(weights),
                                                               values, groups.slotsByBlock[b]});
    const std::size_t count = out.countEntries(block);
    values += countValues(kernel, count);
    weights += count;
  }
  fillSlots(kernel, binding, out);
  out.used = usedEntries(out);
  out.values.resize(values);
  out.weights.resize(weights);
  if (hasPivots(kernel)) out.pivots.resize(out.blocks.size());
  out.twistRow = binding.variant.twistRow;
  if (out.twistRow != 0) out.twists.resize(out.blocks.size());
  fillSkinBlocks(vertices, binding, out);
  return out;
}

namespace {

void writeTwists(const VertexTwists& twists, std::size_t vertex, std::size_t lane,
                 TwistLanes& out) {
  std::uint32_t i = 0;
  twists.forEach(vertex, [&](std::uint32_t joint, float share) {
    out.joints.at(i)[lane] = joint;
    out.shares.at(i++).at[lane] = share;
  });
  out.count = std::max(out.count, i);
}

void fill(const BindVertices& vertices, const Binding& binding, bool tangents, SkinBlocks& blocks) {
  const SkinKernel kernel = blocks.kernel;
  FollowedEntries followed(kernel, binding);
  const AttachmentValues attached(kernel, binding, tangents);
  const VertexTwists twists(binding);
  std::ranges::fill(blocks.twists, TwistLanes{});
  std::ranges::fill(blocks.weights, WeightLanes{});
  for (std::size_t b = 0; b < blocks.blocks.size(); ++b) {
    const SkinBlock& block = blocks.blocks[b];
    BlockLanes* values = blocks.values.data() + block.firstValue;
    for (std::size_t lane = 0; lane < kBlockLanes; ++lane) {
      const std::size_t v = blocks.source[kBlockLanes * b + lane];
      if (!isSpline(kernel)) {
        writeVec3(vertices.positions[v], lane, values);
        writeVec3(tangents ? vec3(vertices.tangents[v]) : vertices.normals[v], lane, values + 3);
      }
      if (!blocks.twists.empty()) writeTwists(twists, v, lane, blocks.twists[b]);
      if (attached.center != nullptr)
        writeVec3(vec3(readFloat(*attached.center, v)), lane, values + 6);
      bool first = true;
      for (const Followed& each : followed.of(v)) {
        std::size_t place = 0;
        while (blocks.entryAt(block, place, lane) != each.entry)
          ++place;
        assert(place < blocks.countEntries(block));
        std::uint16_t& weight = blocks.weights[block.firstWeight + place].at[lane];
        weight = static_cast<std::uint16_t>(weight + each.weight);
        if (first && !blocks.pivots.empty())
          blocks.pivots[b][lane] = static_cast<std::uint8_t>(place);
        first = false;
        if (attached.hasFactors())
          attached.writeFactor(v, each.attachment, lane, values[6 + place]);
        if (kernel == SkinKernel::smoothed)
          attached.writeMoments(v, each.attachment, lane,
                                values + smoothed_value::kFirst + smoothed_value::kEach * place);
        if (isSpline(kernel)) attached.writeSpline(v, each.attachment, lane, values + 7 * place);
      }
    }
  }
}

constexpr std::size_t kMaxPairs = std::size_t{1} << 28; // 1.8 million lists of 12 entries

// The rows of an entry that a kernel reads; bones-blending and splines have more of some choices.
std::size_t leastRows(SkinKernel kernel) {
  switch (kernel) {
  case SkinKernel::reference:
    return 0;
  case SkinKernel::matrices:
    return 3;
  case SkinKernel::dualQuaternions:
  case SkinKernel::centers:
    return 5;
  case SkinKernel::bones:
  case SkinKernel::smoothed:
    return 6;
  case SkinKernel::fractions:
  case SkinKernel::arcs:
  case SkinKernel::beziers:
    return 8;
  }
  return 0;
}

std::string listsProblem(const SkinBlocks& blocks) {
  std::size_t first = 0;
  std::size_t pairs = 0;
  for (const EntryList& list : blocks.lists) {
    if (list.count == 0 || list.first != first || list.count > blocks.entries.size() - first ||
        list.firstPair != pairs)
      return "a list is none of its entries";
    first += list.count;
    pairs += std::size_t{list.count} * list.count;
    if (pairs > kMaxPairs) return "its lists are too long";
  }
  if (first != blocks.entries.size() || pairs != blocks.pairs) return "entries are in no list";
  const auto unknown = [&](std::uint32_t entry) { return entry >= blocks.entryCount; };
  if (std::ranges::any_of(blocks.entries, unknown) || std::ranges::any_of(blocks.used, unknown))
    return "an entry is none of the palette";
  for (const EntryLanes& lanes : blocks.laneEntries)
    if (std::ranges::any_of(lanes, unknown)) return "a slot is of no entry";
  return usedEntries(blocks) == blocks.used ? "" : "the entries in use are others";
}

std::string twistsProblem(const SkinBlocks& blocks) {
  const bool has = blocks.twistRow != 0;
  if (blocks.twistRow >= blocks.rowsPerEntry && has) return "twists in no row";
  if (blocks.twists.size() != (has ? blocks.blocks.size() : 0)) return "twists without a block";
  for (const TwistLanes& twists : blocks.twists) {
    if (twists.count > kVertexTwists) return "a block has too many twists";
    for (const auto& lanes : twists.joints)
      if (std::ranges::any_of(lanes, [&](std::uint32_t j) { return j >= blocks.entryCount; }))
        return "a twist is of no entry";
  }
  return "";
}

} // namespace

void fillSkinBlocks(const BindVertices& vertices, const Binding& binding, SkinBlocks& blocks) {
  fill(vertices, binding, false, blocks);
}

SkinBlocks tangentSkinBlocks(const BindVertices& vertices, const Binding& binding,
                             const SkinBlocks& blocks) {
  SkinBlocks out = blocks;
  fill(vertices, binding, true, out);
  return out;
}

std::string skinBlocksProblem(const SkinBlocks& blocks, std::size_t vertexCount) {
  const SkinKernel kernel = blocks.kernel;
  if (kernel <= SkinKernel::reference || kernel > SkinKernel::smoothed) return "an unknown kernel";
  if (blocks.rowsPerEntry < leastRows(kernel)) return "entries of too few rows";
  if (std::string problem = listsProblem(blocks); !problem.empty()) return problem;
  if (blocks.source.size() != kBlockLanes * blocks.blocks.size()) return "lanes without a block";
  if (std::ranges::any_of(blocks.source, [&](std::uint32_t v) { return v >= vertexCount; }))
    return "a lane is of no vertex";
  std::size_t weights = 0;
  std::size_t values = 0;
  std::size_t slots = 0;
  for (const SkinBlock& block : blocks.blocks) {
    if ((block.slots == 0 && block.list >= blocks.lists.size()) || block.slots > kInfluenceLimit ||
        block.firstSlot != (block.slots > 0 ? slots : 0) || block.firstWeight != weights ||
        block.firstValue != values)
      return "a block has no list, or not its values";
    slots += block.slots;
    const std::size_t count = blocks.countEntries(block);
    weights += count;
    values += countValues(kernel, count);
    if (weights > blocks.weights.size() || values > blocks.values.size())
      return "a block has too few values";
  }
  if (weights != blocks.weights.size() || values != blocks.values.size() ||
      slots != blocks.laneEntries.size())
    return "values are of no block";
  if (blocks.pivots.size() != (hasPivots(kernel) ? blocks.blocks.size() : 0))
    return "pivots without a block";
  for (std::size_t b = 0; b < blocks.pivots.size(); ++b)
    for (const std::uint8_t pivot : blocks.pivots[b])
      if (pivot >= blocks.countEntries(blocks.blocks[b])) return "a pivot is in no list";
  if (std::string problem = twistsProblem(blocks); !problem.empty()) return problem;
  std::size_t end = 0;
  for (const std::size_t part : blocks.partEnds) {
    if (part < end || part > blocks.source.size() || part % kBlockLanes != 0)
      return "a part ends nowhere";
    end = part;
  }
  return "";
}

} // namespace sinew
