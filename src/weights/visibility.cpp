#include "weights/visibility.h"

#include "core/error.h"
#include "weights/triangle_tree.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <cmath>
#include <embree3/rtcore.h>
#include <limits>
#include <numeric>
#include <vector>

namespace sinew {
namespace {

constexpr float kSkin = 1e-5f; // share of the surface's size

struct NearestQuery {
  std::span<const vec3> positions;
  std::span<const Triangle> triangles;
  vec3 point{0.0f};
  float squared = std::numeric_limits<float>::infinity();
  std::uint32_t triangle = 0;
  vec3 corners{1.0f, 0.0f, 0.0f};
};

bool visitTriangle(RTCPointQueryFunctionArguments* arguments) {
  auto& query = *static_cast<NearestQuery*>(arguments->userPtr);
  const Triangle& t = query.triangles[arguments->primID];
  const vec3& a = query.positions[t[0]];
  const vec3& b = query.positions[t[1]];
  const vec3& c = query.positions[t[2]];
  const vec3 corners = closestBarycentric(query.point, a, b, c);
  const vec3 apart = corners.x * a + corners.y * b + corners.z * c - query.point;
  const float squared = glm::dot(apart, apart);
  if (!(squared < query.squared)) return false;
  query.squared = squared;
  query.triangle = arguments->primID;
  query.corners = corners;
  arguments->query->radius = std::sqrt(squared);
  return true; // the search radius has changed
}

} // namespace

struct SurfaceRays::Scene {
  struct Release {
    void operator()(RTCDevice handle) const { rtcReleaseDevice(handle); }
    void operator()(RTCScene handle) const { rtcReleaseScene(handle); }
  };
  std::unique_ptr<std::remove_pointer_t<RTCDevice>, Release> device;
  std::unique_ptr<std::remove_pointer_t<RTCScene>, Release> scene;
  std::vector<vec3> positions;
  std::vector<Triangle> triangles;
  std::vector<std::uint32_t> surfaceTriangle; // index in the surface, per triangle
  float skin = 0.0f;
};

SurfaceRays::SurfaceRays(const WeightSurface& surface)
    : SurfaceRays(surface, [&] {
        std::vector<std::uint32_t> all(surface.triangles.size());
        std::iota(all.begin(), all.end(), 0u);
        return all;
      }()) {}

SurfaceRays::SurfaceRays(const WeightSurface& surface, std::span<const std::uint32_t> triangles)
    : scene_(std::make_unique<Scene>()) {
  Scene& s = *scene_;
  s.positions = surface.positions;
  s.surfaceTriangle.assign(triangles.begin(), triangles.end());
  for (const std::uint32_t t : triangles)
    s.triangles.push_back(surface.triangles[t]);
  s.skin = kSkin * surface.size;
  s.device.reset(rtcNewDevice(nullptr));
  if (!s.device) throw usageError("Embree does not start", "check the installation of libembree");
  s.scene.reset(rtcNewScene(s.device.get()));
  rtcSetSceneFlags(s.scene.get(), RTC_SCENE_FLAG_ROBUST);
  const RTCGeometry geometry = rtcNewGeometry(s.device.get(), RTC_GEOMETRY_TYPE_TRIANGLE);
  // Copied: Embree reads four bytes beyond a shared buffer's last vertex.
  auto* vertices = static_cast<vec3*>(rtcSetNewGeometryBuffer(
      geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, sizeof(vec3), s.positions.size()));
  auto* indices = static_cast<Triangle*>(rtcSetNewGeometryBuffer(
      geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, sizeof(Triangle), s.triangles.size()));
  if (!s.triangles.empty() && (vertices == nullptr || indices == nullptr)) throw std::bad_alloc();
  std::copy(s.positions.begin(), s.positions.end(), vertices);
  std::copy(s.triangles.begin(), s.triangles.end(), indices);
  rtcSetGeometryPointQueryFunction(geometry, visitTriangle);
  rtcCommitGeometry(geometry);
  rtcAttachGeometry(s.scene.get(), geometry);
  rtcReleaseGeometry(geometry);
  rtcCommitScene(s.scene.get());
}

SurfaceRays::~SurfaceRays() = default;
SurfaceRays::SurfaceRays(SurfaceRays&&) noexcept = default;
SurfaceRays& SurfaceRays::operator=(SurfaceRays&&) noexcept = default;

bool SurfaceRays::blocked(const vec3& from, const vec3& to) const {
  const vec3 offset = to - from;
  const float length = glm::length(offset);
  if (!(length > 2.0f * scene_->skin)) return false;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRay ray{from.x,   from.y,   from.z, scene_->skin / length,        offset.x,
             offset.y, offset.z, 0.0f,   1.0f - scene_->skin / length, 0xFFFFFFFFu,
             0,        0};
  rtcOccluded1(scene_->scene.get(), &context, &ray);
  return ray.tfar < 0.0f;
}

std::array<bool, 8> SurfaceRays::blocked(const vec3& from, const std::array<vec3, 8>& to) const {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
  alignas(32) RTCRay8 rays{};
  alignas(32) int valid[8];
  for (int i = 0; i < 8; ++i) {
    const vec3 offset = to[static_cast<std::size_t>(i)] - from;
    const float length = glm::length(offset);
    valid[i] = length > 2.0f * scene_->skin ? -1 : 0;
    rays.org_x[i] = from.x;
    rays.org_y[i] = from.y;
    rays.org_z[i] = from.z;
    rays.dir_x[i] = offset.x;
    rays.dir_y[i] = offset.y;
    rays.dir_z[i] = offset.z;
    rays.tnear[i] = scene_->skin / std::max(length, 1e-30f);
    rays.tfar[i] = 1.0f - rays.tnear[i];
    rays.mask[i] = 0xFFFFFFFFu;
  }
  rtcOccluded8(valid, scene_->scene.get(), &context, &rays);
  std::array<bool, 8> out{};
  for (std::size_t i = 0; i < 8; ++i)
    out[i] = valid[i] != 0 && rays.tfar[i] < 0.0f;
  return out;
}

ClosestPoint SurfaceRays::nearest(const vec3& point) const {
  NearestQuery query{scene_->positions, scene_->triangles, point};
  RTCPointQuery sphere{point.x, point.y, point.z, 0.0f, std::numeric_limits<float>::infinity()};
  RTCPointQueryContext context;
  rtcInitPointQueryContext(&context);
  rtcPointQuery(scene_->scene.get(), &sphere, &context, nullptr, &query);
  const Triangle& t = scene_->triangles[query.triangle];
  return {scene_->surfaceTriangle[query.triangle], query.corners,
          query.corners.x * scene_->positions[t[0]] + query.corners.y * scene_->positions[t[1]] +
              query.corners.z * scene_->positions[t[2]]};
}

} // namespace sinew
