#include "cpu_skin/skin_tables.h"

#include "skinning/bone_palette.h"
#include "skinning/method_entries.h"
#include "skinning/two_phase.h"

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/gtc/type_ptr.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

static_assert(sizeof(vec4) == 4 * sizeof(float));

void put(const vec3& v, float* out) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}

// A row of a matrix with its translation.
void putRow(const vec3& row, float translation, float* out) {
  put(row, out);
  out[3] = translation;
}

void putRows(const mat3& m, const vec3& translation, float* out) {
  const mat3 rows = glm::transpose(m);
  for (int r = 0; r < 3; ++r, out += 4)
    putRow(rows[r], translation[r], out);
}

mat3 linearPart(const vec4* rows) {
  return glm::transpose(mat3(vec3(rows[0]), vec3(rows[1]), vec3(rows[2])));
}

// What a product of many rotations differs from one by. Where joints differ by it, normals that are
// blended differ by a quarter of it at most.
constexpr float kScaleNoise = 1e-5f;

// The scale of a matrix that scales evenly up to that; 0: it does not.
float evenScale(const mat3& m) {
  const float xx = glm::dot(m[0], m[0]);
  const float tolerance = 2.0f * kScaleNoise * xx;
  const auto even = [&](int i) { return std::abs(glm::dot(m[i], m[i]) - xx) <= tolerance; };
  const auto square = [&](int i, int j) { return std::abs(glm::dot(m[i], m[j])) <= tolerance; };
  return even(1) && even(2) && square(0, 1) && square(1, 2) && square(2, 0) ? std::sqrt(xx) : 0.0f;
}

void makeSigns(const SkinBlocks& blocks, std::span<const vec4> palette, SkinTables& out) {
  out.signs.resize(blocks.pairs);
  out.signsVary.assign(blocks.lists.size(), 0);
  for (std::size_t l = 0; l < blocks.lists.size(); ++l) {
    const EntryList& list = blocks.lists[l];
    float* signs = out.signs.data() + list.firstPair;
    const auto real = [&](std::size_t i) -> const vec4& {
      return palette[blocks.rowsPerEntry * blocks.entries[list.first + i]];
    };
    for (std::size_t p = 0; p < list.count; ++p) {
      signs[p * list.count + p] = 1.0f;
      for (std::size_t e = p + 1; e < list.count; ++e) {
        const float sign = glm::dot(real(p), real(e)) >= 0.0f ? 1.0f : -1.0f;
        signs[p * list.count + e] = signs[e * list.count + p] = sign;
        // A motion and its negative are the same one: rows that are all equal or all opposite
        // agree.
        if (sign * signs[p] != signs[e]) out.signsVary[l] = 1;
      }
    }
  }
}

// The rigid motion of a unit dual quaternion.
void putMotion(const vec4& real, const vec4& dual, float* out) {
  const vec3 v(real);
  const vec3 d(dual);
  const vec3 shift = 2.0f * (real.w * d - dual.w * v + glm::cross(v, d));
  const mat3 m = glm::mat3_cast(asQuat(real));
  for (int r = 0; r < 3; ++r, out += 4) {
    put({m[0][r], m[1][r], m[2][r]}, out);
    out[3] = shift[r];
  }
}

void putAlone(const SkinBlocks& blocks, std::span<const vec4> palette, SkinTables& out) {
  out.alone.resize(kMatrix * blocks.lists.size());
  for (std::size_t l = 0; l < blocks.lists.size(); ++l) {
    const EntryList& list = blocks.lists[l];
    if (list.count != 1) continue;
    const vec4* rows = &palette[blocks.rowsPerEntry * blocks.entries[list.first]];
    putMotion(rows[0], rows[1], &out.alone[kMatrix * l]);
  }
}

constexpr std::size_t kShiftRow = 4; // the joint's own shift in bones blending and splines

// The matrices of fused_row that rotate about an axis a through a center: r A is r x a.
void putRotations(const MatrixRows& whole, const vec3& a, const vec3& center, float* out) {
  using namespace fused_row;
  for (const vec4& row : {whole.x, whole.y, whole.z}) {
    const vec3 sine = glm::cross(vec3(row), a);
    const vec3 cosine = glm::cross(sine, a);
    putRow(vec3(row), row.w, out + kWhole);
    putRow(sine, -glm::dot(sine, center), out + kSine);
    putRow(cosine, -glm::dot(cosine, center), out + kCosine);
    out += 4;
  }
}

void putFused(const vec4* from, float* out) {
  using namespace fused_row;
  putRotations(parentMatrix(from), vec3(from[3]), vec3(from[1]), out);
  out[kHalfAngle] = 0.5f * from[1].w;
  put(vec3(from[kShiftRow]), out + kShift);
}

// The matrix of transformNormal() and the square that its result has to exceed.
void putNormalMatrix(const MatrixRows& from, bool stretched, float* matrix, float& least) {
  vec3 x(from.x), y(from.y), z(from.z);
  least = 1e-30f;
  if (stretched) {
    const float xx = glm::dot(x, x);
    const float yy = glm::dot(y, y);
    const float zz = glm::dot(z, z);
    const float sign = mirrors(from) ? -1.0f : 1.0f;
    const vec3 yz = sign * glm::cross(y, z);
    const vec3 zx = sign * glm::cross(z, x);
    const vec3 xy = sign * glm::cross(x, y);
    x = yz;
    y = zx;
    z = xy;
    least = std::max(least, 1e-12f * (xx * yy + yy * zz + zz * xx));
  }
  put(x, matrix);
  put(y, matrix + 3);
  put(z, matrix + 6);
}

void putFraction(const vec4* from, bool stretched, float* out) {
  using namespace fraction_row;
  const MatrixRows matrix = parentMatrix(from);
  std::copy_n(&matrix.x.x, kMatrix, out + kMatrixRows);
  putNormalMatrix(matrix, stretched, out + kNormal, out[kLeast]);
  put(vec3(from[1]), out + kCenter);
  put(vec3(from[3]), out + kAxis);
  put(vec3(from[kShiftRow]), out + kShift);
  const vec4& s = from[5]; // S11 S22 S12 S02
  put({from[4].w - 1.0f, s.x - 1.0f, s.y - 1.0f}, out + kStretch);
  put({from[3].w, s.z, s.w}, out + kStretch + 3);
  out[kHalfAngle] = 0.5f * from[1].w;
}

void putCenter(const vec4* from, bool stretched, float* out) {
  using namespace center_row;
  std::copy_n(&from[0].x, 4, out + kQuaternion);
  putRows(glm::mat3_cast(asQuat(from[0])), vec3(from[1]), out + kMotion);
  if (stretched) std::copy_n(&from[2].x, kMatrix, out + kStretch);
}

mat3 boneStretch(const vec4* rows) {
  const vec4& s = rows[4]; // S00 S11 S22 S12
  return {s.x, rows[3].w, rows[5].x, rows[3].w, s.y, s.w, rows[5].x, s.w, s.z};
}

// A vertex x at the share e of the bone goes to a' + R (x - a) + e l R d, R rotating by 1 - e of
// the twist about the direction d less, and l what the bone is longer: with the fraction e - 1, a
// sum of matrices as of fractions, to which l R d is added once and once more by the fraction.
void putBone(const vec4* from, bool stretched, bool whole, float* out) {
  const mat3 rotation = glm::mat3_cast(asQuat(from[0]));
  const vec3 start(from[2]);
  const vec3 longer = from[2].w * (rotation * vec3(from[3]));
  const vec3 moved = vec3(from[1]) - rotation * start + longer;
  const mat3 rows = glm::transpose(rotation);
  putRotations({vec4(rows[0], moved.x), vec4(rows[1], moved.y), vec4(rows[2], moved.z)},
               vec3(from[3]), start, out);
  out[fused_row::kHalfAngle] = 0.5f * from[1].w;
  put(longer, out + fused_row::kShift);
  if (!whole) return;
  using namespace bone_row;
  const mat3 stretch = stretched ? boneStretch(from) : mat3(1.0f);
  float* row = out + kRotation;
  for (int r = 0; r < 3; ++r, row += 3)
    put(rows[r], row);
  put(start, out + kStart);
  put(vec3(from[1]), out + kPosed);
  put(vec3(from[3]), out + kAxis);
  putRows(stretch, vec3(0.0f), out + kStretch);
  put(from[2].w * (stretch * vec3(from[3])), out + kLonger);
  out[kHalfAngle] = 0.5f * from[1].w;
}

void putSpline(const vec4* from, bool stretched, bool freeSpline, float* out) {
  using namespace spline_row;
  const vec3 n(from[3]);
  put(vec3(from[0]), out + kStart);
  put(vec3(from[1]), out + kD12);
  put(vec3(from[2]), out + kD23);
  put(n, out + kN);
  put(glm::cross(n, vec3(from[1])), out + kAcross12);
  put(glm::cross(n, vec3(from[2])), out + kAcross23);
  out[kRoll] = from[0].w;
  out[kSine] = std::sin(from[0].w);
  out[kCosine] = std::cos(from[0].w);
  out[kTwist] = from[1].w;
  out[kScale] = stretched ? from[5].x : from[2].w; // K's, where the entry is rigid
  out[kA] = from[4].w;
  out[kB] = from[3].w;
  put(freeSpline ? vec3(0.0f) : vec3(from[kShiftRow]), out + kShift);
  const std::array<float, 6> near{from[5].x, from[5].y, from[5].z, from[5].w, from[7].x, from[7].y};
  const std::array<float, 6> far{from[6].x, from[6].y, from[6].z, from[6].w, from[7].z, from[7].w};
  for (std::size_t i = 0; i < near.size(); ++i) {
    out[kNear + i] = near[i];
    out[kChange + i] = far[i] - near[i];
  }
}

bool isIdentity(const mat3& m) {
  float largest = 0.0f;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r)
      largest = std::max(largest, std::abs(m[c][r] - (c == r ? 1.0f : 0.0f)));
  return largest <= kScaleNoise;
}

// Takes three rows of an affine map.
bool isIdentity(const vec4* rows) {
  return isIdentity(linearPart(rows)) && vec3(rows[0].w, rows[1].w, rows[2].w) == vec3(0.0f);
}

// The scale that an entry gives its vertices; 0: it stretches them. For fractions it is read
// from their table.
float rigidScale(const SkinBlocks& blocks, const vec4* rows, std::size_t entry,
                 const SkinTables& tables) {
  const bool stretched = tables.stretched;
  switch (blocks.kernel) {
  case SkinKernel::dualQuaternions:
  case SkinKernel::centers:
    return !stretched || isIdentity(rows + 2) ? 1.0f : 0.0f;
  case SkinKernel::smoothed:
    return !stretched || isIdentity(rows + 3) ? 1.0f : 0.0f;
  case SkinKernel::bones:
    return !stretched || isIdentity(boneStretch(rows)) ? 1.0f : 0.0f;
  case SkinKernel::fractions: {
    const vec4& s = rows[5];
    const mat3 stretch(rows[4].w, rows[3].w, s.w, rows[3].w, s.x, s.z, s.w, s.z, s.y);
    if (stretched && !isIdentity(stretch)) return 0.0f;
    const float* table = tables.own.data() + tables.stride * entry + fused_row::kWhole;
    const auto row = [&](std::size_t i) { return glm::make_vec3(table + 4 * i); };
    return evenScale(glm::transpose(mat3(row(0), row(1), row(2))));
  }
  case SkinKernel::arcs:
  case SkinKernel::beziers: {
    if (!stretched) return 1.0f;
    const float scale = rows[5].x;
    const mat3 start(rows[5].x, rows[5].w, rows[7].y, rows[5].w, rows[5].y, rows[7].x, rows[7].y,
                     rows[7].x, rows[5].z);
    const mat3 end(rows[6].x, rows[6].w, rows[7].w, rows[6].w, rows[6].y, rows[7].z, rows[7].w,
                   rows[7].z, rows[6].z);
    return scale > 0.0f && isIdentity(start / scale) && isIdentity(end / scale) ? scale : 0.0f;
  }
  default:
    return stretched ? 0.0f : 1.0f;
  }
}

// Lists whose entries are rigid. Those of fractions must have one scale, as their matrices are
// added up and normals only then made unit.
void findRigidLists(const SkinBlocks& blocks, std::span<const vec4> palette, SkinTables& out) {
  out.scales.resize(blocks.entryCount);
  for (const std::uint32_t entry : blocks.used)
    out.scales[entry] = rigidScale(blocks, &palette[blocks.rowsPerEntry * entry], entry, out);
  out.allRigid = std::ranges::all_of(blocks.used,
                                     [&](std::uint32_t entry) { return out.scales[entry] > 0.0f; });
  out.rigid.assign(blocks.lists.size(), 1);
  for (std::size_t l = 0; l < blocks.lists.size(); ++l) {
    const auto entries =
        std::span(blocks.entries).subspan(blocks.lists[l].first, blocks.lists[l].count);
    const float first = out.scales[entries[0]];
    for (const std::uint32_t entry : entries) {
      const float scale = out.scales[entry];
      const bool other =
          blocks.kernel == SkinKernel::fractions && std::abs(scale - first) > kScaleNoise * first;
      if (!(scale > 0.0f) || other) out.rigid[l] = 0;
    }
  }
}

bool jointsShift(const SkinBlocks& blocks, std::span<const vec4> palette) {
  switch (blocks.kernel) {
  case SkinKernel::bones:
    return true;
  case SkinKernel::fractions:
  case SkinKernel::arcs:
  case SkinKernel::beziers:
    return !blocks.freeSplines && std::ranges::any_of(blocks.used, [&](std::uint32_t entry) {
      return vec3(palette[blocks.rowsPerEntry * entry + kShiftRow]) != vec3(0.0f);
    });
  default:
    return false;
  }
}

// The point of a line is a bones-blending joint's centre; splines know their own.
void putTwists(const SkinBlocks& blocks, std::span<const vec4> palette, std::vector<float>& out) {
  using namespace twist_row;
  out.resize(blocks.twistRow != 0 ? kCount * blocks.entryCount : 0);
  for (std::size_t e = 0; blocks.twistRow != 0 && e < blocks.entryCount; ++e) {
    const vec4* rows = &palette[blocks.rowsPerEntry * e];
    float* to = out.data() + kCount * e;
    put(vec3(rows[blocks.twistRow]), to + kAxis);
    to[kTwist] = rows[blocks.twistRow].w;
    put(vec3(rows[1]), to + kCenter);
  }
}

template <class Put>
void putAll(const SkinBlocks& blocks, std::span<const vec4> palette, std::size_t count,
            SkinTables& out, const Put& putEntry) {
  out.stride = count;
  out.own.resize(count * blocks.entryCount);
  for (const std::uint32_t e : blocks.used)
    putEntry(&palette[blocks.rowsPerEntry * e], out.own.data() + count * e);
  out.rows = out.own.data();
}

} // namespace

void makeSkinTables(const SkinBlocks& blocks, std::span<const vec4> palette, bool nonUniformScale,
                    SkinTables& out) {
  const bool slots = !blocks.laneEntries.empty();
  out.stretched = nonUniformScale;
  out.shifts = jointsShift(blocks, palette);
  putTwists(blocks, palette, out.twists);
  if (blocks.kernel == SkinKernel::fractions)
    putAll(blocks, palette, fraction_row::kCount, out, putFused);
  findRigidLists(blocks, palette, out);
  switch (blocks.kernel) {
  case SkinKernel::reference:
    break;
  case SkinKernel::dualQuaternions:
    makeSigns(blocks, palette, out);
    putAlone(blocks, palette, out);
    [[fallthrough]];
  case SkinKernel::matrices:
  case SkinKernel::smoothed:
    out.rows = palette.empty() ? nullptr : &palette[0].x;
    out.stride = 4 * blocks.rowsPerEntry;
    break;
  case SkinKernel::fractions:
    if (slots || std::ranges::find(out.rigid, 0) != out.rigid.end())
      putAll(blocks, palette, fraction_row::kCount, out,
             [&](const vec4* from, float* to) { putFraction(from, nonUniformScale, to); });
    break;
  case SkinKernel::centers:
    makeSigns(blocks, palette, out);
    putAll(blocks, palette, center_row::kCount, out,
           [&](const vec4* from, float* to) { putCenter(from, nonUniformScale, to); });
    break;
  case SkinKernel::bones:
    putAll(blocks, palette, bone_row::kCount, out, [&](const vec4* from, float* to) {
      putBone(from, nonUniformScale, nonUniformScale || slots, to);
    });
    break;
  case SkinKernel::arcs:
  case SkinKernel::beziers:
    putAll(blocks, palette, spline_row::kCount, out, [&](const vec4* from, float* to) {
      putSpline(from, nonUniformScale, blocks.freeSplines, to);
    });
    break;
  }
}

} // namespace sinew
