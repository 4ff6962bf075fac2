#include "render/renderer.h"

#include "render/draw_batch.h"
#include "view/backdrop.h"

#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

namespace sinew {
namespace {

// As in shaders/common/frame.glsl (std140).
struct Frame {
  mat4 clipFromWorld;
  vec4 eye;
  vec4 light;
  vec4 fieldScale;
};
static_assert(sizeof(Frame) == 7 * sizeof(vec4));
// uniform-array: palette and frame together stay within the constants of a GeForce 7800.
static_assert(sizeof(Frame) / sizeof(vec4) + kUniformArrayRows <= 256);

mat3 worldFromCamera(const View& view) {
  return glm::transpose(mat3(viewFromWorld(view.camera)));
}

// From the space of Light::picture.
mat3 worldFromPicture(const View& view) {
  const vec3& towards = view.light.direction;
  const float yaw = std::atan2(towards.x, towards.z);
  const mat3 turned(glm::rotate(mat4(1.0f), yaw, vec3(0.0f, 1.0f, 0.0f)));
  return view.light.headlight ? worldFromCamera(view) * turned : turned;
}

// The eye as the shader takes it; parallel rays come from very far away.
vec3 shadedFrom(const Camera& camera) {
  if (camera.projection == Projection::perspective) return eyePosition(camera);
  constexpr float kFar = 1e4f;
  return camera.target + kFar * camera.distance * towardsEye(camera, camera.target);
}

vec3 towardsLight(const View& view) {
  vec3 light = view.light.direction;
  if (view.light.studio && view.light.studio->key == vec3(0.0f))
    light = worldFromPicture(view) * view.light.studio->softLights[0].towards;
  else if (!view.light.studio && view.light.picture)
    light = worldFromPicture(view) * mainDirection(*view.light.picture);
  else if (view.light.headlight)
    light = worldFromCamera(view) * light;
  const float length = glm::length(light);
  return length > 0.0f ? light / length : vec3(0.0f, 1.0f, 0.0f);
}

Frame makeFrame(const View& view, const vec3& light, const mat4& clip) {
  const float normalLength = 0.015f * view.scene.size();
  const float range = view.fieldRange.y - view.fieldRange.x;
  return {clip, vec4(shadedFrom(view.camera), normalLength), vec4(light, view.light.intensity),
          vec4(view.fieldRange.x, range != 0.0f ? 1.0f / range : 0.0f, 0.0f, 0.0f)};
}

// As in shaders/mesh.frag: the coefficients, and the rows of pictureFromWorld.
std::array<vec4, 12> packPictureLight(const View& view) {
  std::array<vec4, 12> out{};
  const auto& coefficients =
      (view.light.studio ? view.light.studio->around : *view.light.picture).coefficients;
  for (std::size_t i = 0; i < coefficients.size(); ++i)
    out[i] = vec4(coefficients[i], 0.0f);
  const mat3 world = worldFromPicture(view);
  for (int axis = 0; axis < 3; ++axis)
    out[coefficients.size() + static_cast<std::size_t>(axis)] = vec4(world[axis], 0.0f);
  return out;
}

// As in shaders/common/physical.glsl.
std::array<vec4, 7> packLamps(const View& view, const vec3& light) {
  const Studio& studio = *view.light.studio;
  // A spherical Gaussian of sharpness s has an irradiance over pi of 2 / s times its radiance.
  std::array<vec4, 7> out{vec4(light, studio.keySharpness),
                          vec4(0.5f * studio.keySharpness * studio.key, 0.0f)};
  const mat3 world = worldFromPicture(view);
  for (std::size_t i = 0; i < studio.softLights.size(); ++i) {
    const SoftLight& soft = studio.softLights[i];
    out[2 * i + 2] = vec4(world * soft.towards, soft.sharpness);
    out[2 * i + 3] = vec4(soft.radiance, 0.0f);
  }
  out[6] = vec4(studio.key, 0.0f);
  return out;
}

void resetState() {
  glDisable(GL_BLEND);
  glDisable(GL_CULL_FACE);
  glCullFace(GL_BACK);
  glFrontFace(GL_CCW);
  glDisable(GL_STENCIL_TEST);
  glDisable(GL_FRAMEBUFFER_SRGB); // the shader writes sRGB itself
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

void drawElements(const GpuMesh& mesh, const MeshBatch& batch, int instances) {
  const std::size_t indexSize = mesh.shortIndices() ? 2 : 4;
  const GLenum type = mesh.shortIndices() ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT;
  // OpenGL takes offsets as pointers. NOLINTNEXTLINE(performance-no-int-to-ptr)
  const auto* offset = reinterpret_cast<const void*>(batch.firstIndex * indexSize);
  const auto count = static_cast<GLsizei>(batch.indexCount);
  const auto base = static_cast<GLint>(mesh.firstDrawn(batch));
  if (instances == 1)
    glDrawElementsBaseVertex(GL_TRIANGLES, count, type, offset, base);
  else
    glDrawElementsInstancedBaseVertex(GL_TRIANGLES, count, type, offset, instances, base);
}

// The texture of a mesh; 0 where there is none to draw.
GLuint nameIn(const std::vector<Texture2D>& textures, const std::optional<std::uint32_t>& texture) {
  return texture && *texture < textures.size() ? textures[*texture].name() : 0;
}

void bindTexture(unsigned unit, GLuint name) {
  glActiveTexture(GL_TEXTURE0 + unit);
  glBindTexture(GL_TEXTURE_2D, name);
}

} // namespace

Renderer::Renderer() : overlayVertices_(VertexArray::make()) {}

void Renderer::clear(const Viewport& area, const vec3& color) {
  glViewport(area.x, area.y, area.width, area.height);
  glScissor(area.x, area.y, area.width, area.height);
  glEnable(GL_SCISSOR_TEST); // clearing ignores the viewport
  glDepthMask(GL_TRUE);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glClearColor(color.x, color.y, color.z, 1.0f);
  glClearDepth(1.0);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

void Renderer::begin(const View& view) {
  view_ = view;
  resetState();
  clear(view.viewport, view.background);
  if (view.light.picture || view.light.studio) pictureLight_ = packPictureLight(view);
  towardsLight_ = towardsLight(view);
  if (view.light.studio) softLights_ = packLamps(view, towardsLight_);
  shadow_ = nullptr;
  uploadFrame(clipFromWorld(view));
  if (view.studio) {
    Overlay studio;
    studio.behind = true;
    addStudio(studio, view);
    draw(studio);
  }
  if (!view.show.grid) return;
  Overlay grid;
  addGrid(grid, view.scene, groundHeight(view.scene));
  draw(grid);
}

void Renderer::uploadFrame(const mat4& clipFromWorld) {
  const Frame frame = makeFrame(view_, towardsLight_, clipFromWorld);
  frame_.replace(std::as_bytes(std::span(&frame, 1)));
  glBindBufferBase(GL_UNIFORM_BUFFER, kFrameBlock, frame_.name());
}

bool Renderer::useShadow(const ShadowMap& map) {
  shadow_ = map.isAimedAt(towardsLight_, view_.scene) ? &map : nullptr;
  return shadow_ != nullptr;
}

void Renderer::castShadow(const GpuMesh& mesh, ShadowMap& map) {
  GLint bound = 0;
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
  map.prepare();
  map.aim(towardsLight_, view_.scene);
  map.bindFramebuffer();
  glViewport(0, 0, ShadowMap::kSide, ShadowMap::kSide);
  glDisable(GL_SCISSOR_TEST);
  glDepthMask(GL_TRUE);
  glClear(GL_DEPTH_BUFFER_BIT);
  uploadFrame(map.clipFromWorld());
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(1.5f, 2.0f);
  DrawCount ignored;
  const std::vector<std::size_t> blended = blendedBatches(mesh); // these let light through
  for (std::size_t b = 0; b < mesh.layout().batches.size(); ++b)
    if (std::ranges::find(blended, b) == blended.end())
      drawBatch(mesh, b, Pass::wireframe, ignored);
  glDisable(GL_POLYGON_OFFSET_FILL);
  uploadFrame(clipFromWorld(view_));
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(bound));
  const Viewport& area = view_.viewport;
  glViewport(area.x, area.y, area.width, area.height);
  glEnable(GL_SCISSOR_TEST);
  shadow_ = &map;
}

void Renderer::drawGroundShadow(float ground) {
  constexpr float kFlattest = 0.15f; // a lower light casts shadows beyond all bounds
  if (shadow_ == nullptr || view_.scene.empty() || towardsLight_.y < kFlattest ||
      shadedFrom(view_.camera).y < ground)
    return;
  Bounds covered;
  for (int i = 0; i < 8; ++i) {
    const Bounds& scene = view_.scene;
    const vec3 corner((i & 1) != 0 ? scene.max.x : scene.min.x, (i & 2) != 0 ? scene.max.y : ground,
                      (i & 4) != 0 ? scene.max.z : scene.min.z);
    covered.include(corner - towardsLight_ * ((corner.y - ground) / towardsLight_.y));
  }
  const vec3 &low = covered.min, &high = covered.max;
  const std::array corners{vec3(low.x, ground, low.z), vec3(high.x, ground, low.z),
                           vec3(low.x, ground, high.z), vec3(high.x, ground, high.z)};
  const Program& program = programs_.ground();
  program.use();
  Program::set(program.uniform("shadowFromWorld"), shadow_->shadowFromWorld());
  Program::set(program.uniform("darkness"), 0.38f);
  shadow_->bindTexture(kShadowUnit);
  overlayBuffer_.replace(std::as_bytes(std::span(corners)));
  overlayVertices_.detach(3);
  overlayVertices_.attach(overlayBuffer_, {.location = 0, .components = 3, .stride = sizeof(vec3)});
  glBindVertexArray(overlayVertices_.name());
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, static_cast<GLsizei>(corners.size()));
  glDisable(GL_BLEND);
  glEnable(GL_DEPTH_TEST);
}

void Renderer::setPhysical(const GpuMesh& mesh, const Material& material,
                           const SkinnedProgram& program, const SurfaceVariant& surface) const {
  constexpr vec2 kClay(0.0f, 0.75f); // under colours that stand for something else
  const bool bare = surface.field || !view_.show.textures;
  Program::set(program.metalRough, bare ? kClay : vec2(material.metallic, material.roughness));
  Program::set(program.emissiveGlow,
               vec4(bare ? vec3(0.0f) : material.emissive, material.occlusionStrength));
  Program::set(program.softLights, softLights_);
  Program::set(program.pictureLight, pictureLight_);
  const GpuMaterials& all = mesh.materials();
  if (surface.surfaceMap)
    bindTexture(kSurfaceTextureUnit, nameIn(all.numberTextures, material.surfaceTexture));
  if (surface.occlusionMap)
    bindTexture(kOcclusionTextureUnit, nameIn(all.numberTextures, material.occlusionTexture));
  if (surface.emissiveMap)
    bindTexture(kEmissiveTextureUnit, nameIn(all.textures, material.emissiveTexture));
  if (!surface.shadowed) return;
  Program::set(program.shadowFromWorld, shadow_->shadowFromWorld());
  shadow_->bindTexture(kShadowUnit);
}

const SkinnedProgram& Renderer::useSurface(const GpuMesh& mesh, const MeshBatch& batch) {
  const Material& material = mesh.materials().materials[batch.material];
  ProgramKey key{Pass::surface, mesh.skinShader(batch), mesh.nonUniformScale()};
  key.surface.unlit = !view_.show.shaded;
  key.surface.field = view_.show.field;
  key.surface.flat = view_.show.shaded && !view_.show.field && material.flat;
  const GpuMaterials& all = mesh.materials();
  key.surface.physical = view_.show.shaded && view_.light.studio.has_value();
  key.surface.pictureLight =
      view_.show.shaded && !key.surface.physical && view_.light.picture.has_value();
  key.surface.shadowed = key.surface.physical && view_.show.shadows && shadow_ != nullptr;
  key.surface.occlusion = key.surface.physical && view_.show.occlusion && !view_.show.field;
  if (view_.show.field) {
    key.surface.fieldIsColor = mesh.fieldIsColor();
    key.surface.colorBlindSafe = view_.fieldColors == FieldColors::colorBlindSafe;
  } else if (view_.show.textures) {
    key.surface.textured = material.texture.has_value();
    key.surface.normalMap = view_.show.shaded && mesh.hasTangents() &&
                            nameIn(all.numberTextures, material.normalTexture) != 0;
    if (key.surface.physical) {
      key.surface.surfaceMap = nameIn(all.numberTextures, material.surfaceTexture) != 0;
      key.surface.occlusionMap = nameIn(all.numberTextures, material.occlusionTexture) != 0;
      key.surface.emissiveMap = nameIn(all.textures, material.emissiveTexture) != 0;
    }
    key.surface.alphaMask = material.alphaMode == AlphaMode::mask;
    key.surface.alphaBlend = material.alphaMode == AlphaMode::blend;
    key.surface.vertexColors = mesh.hasColors();
  }
  const SkinnedProgram& program = programs_.skinned(key);
  program.program.use();
  if (view_.show.cullBackFaces && !material.doubleSided)
    glEnable(GL_CULL_FACE);
  else
    glDisable(GL_CULL_FACE);
  Program::set(program.baseColor, view_.show.textures ? material.baseColor : vec4(0.62f));
  Program::set(program.gloss, vec2(material.specular, material.shininess));
  Program::set(program.alphaCutoff, material.alphaCutoff);
  if (key.surface.pictureLight) Program::set(program.pictureLight, pictureLight_);
  if (key.surface.normalMap) {
    Program::set(program.normalScale, material.normalScale);
    bindTexture(kNormalTextureUnit, nameIn(all.numberTextures, material.normalTexture));
  }
  if (material.texture) bindTexture(kBaseTextureUnit, nameIn(all.textures, material.texture));
  if (key.surface.physical) setPhysical(mesh, material, program, key.surface);
  return program;
}

void Renderer::drawBatch(const GpuMesh& mesh, std::size_t b, Pass pass, DrawCount& count,
                         const vec4& lineColor) {
  const MeshBatch& batch = mesh.layout().batches[b];
  if (batch.indexCount == 0) return;
  const SkinnedProgram& program =
      pass == Pass::surface
          ? useSurface(mesh, batch)
          : programs_.skinned({pass, mesh.skinShader(batch), mesh.nonUniformScale()});
  if (pass != Pass::surface) {
    program.program.use();
    Program::set(program.lineColor, lineColor);
  }
  forEachDraw(mesh, b, program, [&](const DrawCall& call) {
    const int instances = call.instances;
    if (pass == Pass::normals)
      glDrawArraysInstanced(GL_POINTS, static_cast<GLint>(mesh.firstDrawn(batch)),
                            static_cast<GLsizei>(batch.vertexCount), instances);
    else
      drawElements(mesh, batch, instances);
    ++count.draws;
    count.triangles += batch.indexCount / 3 * static_cast<std::size_t>(instances);
    count.vertices += batch.vertexCount * static_cast<std::size_t>(instances);
  });
}

void Renderer::drawLines(const GpuMesh& mesh, Pass pass, const vec4& color) {
  DrawCount ignored;
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
  glEnable(GL_POLYGON_OFFSET_LINE); // a little towards the eye, clear of the surface
  glPolygonOffset(-1.0f, -1.0f);
  for (std::size_t b = 0; b < mesh.layout().batches.size(); ++b)
    drawBatch(mesh, b, pass, ignored, color);
  glDisable(GL_POLYGON_OFFSET_LINE);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  glDisable(GL_BLEND);
}

// Those that let through what is behind them, from back to front.
std::vector<std::size_t> Renderer::blendedBatches(const GpuMesh& mesh) const {
  std::vector<std::size_t> out;
  if (view_.show.field || !view_.show.textures) return out;
  for (std::size_t b = 0; b < mesh.layout().batches.size(); ++b)
    if (mesh.materials().materials[mesh.layout().batches[b].material].alphaMode == AlphaMode::blend)
      out.push_back(b);
  const vec3 eye = shadedFrom(view_.camera);
  std::ranges::stable_sort(out, std::greater(),
                           [&](std::size_t b) { return glm::distance(eye, mesh.getPosition(b)); });
  return out;
}

DrawCount Renderer::draw(const GpuMesh& mesh) {
  DrawCount count;
  if (view_.show.vertexOnly) glEnable(GL_RASTERIZER_DISCARD);
  const std::vector<std::size_t> blended = blendedBatches(mesh);
  for (std::size_t b = 0; b < mesh.layout().batches.size(); ++b)
    if (std::ranges::find(blended, b) == blended.end()) drawBatch(mesh, b, Pass::surface, count);
  if (!blended.empty()) {
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
    for (const std::size_t b : blended)
      drawBatch(mesh, b, Pass::surface, count);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
  }
  glDisable(GL_RASTERIZER_DISCARD);
  glDisable(GL_CULL_FACE);
  if (view_.show.vertexOnly) return count;
  if (view_.show.wireframe) drawLines(mesh, Pass::wireframe, {0.03f, 0.04f, 0.06f, 0.55f});
  if (view_.show.normals) drawLines(mesh, Pass::normals, {0.35f, 0.75f, 1.0f, 0.9f});
  return count;
}

void Renderer::drawDepth(const GpuMesh& mesh) {
  DrawCount ignored;
  if (view_.show.vertexOnly) glEnable(GL_RASTERIZER_DISCARD);
  glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
  // A little behind, as another program may round positions otherwise.
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(1.0f, 1.0f);
  for (std::size_t b = 0; b < mesh.layout().batches.size(); ++b)
    drawBatch(mesh, b, Pass::wireframe, ignored);
  glDisable(GL_POLYGON_OFFSET_FILL);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glDisable(GL_RASTERIZER_DISCARD);
}

void Renderer::drawSilhouette(const GpuMesh& mesh, const vec4& color) {
  DrawCount ignored;
  const auto all = [&] {
    for (std::size_t b = 0; b < mesh.layout().batches.size(); ++b)
      drawBatch(mesh, b, Pass::wireframe, ignored, color);
  };
  glClear(GL_DEPTH_BUFFER_BIT);
  glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
  all(); // the nearest depth alone
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  all();
  glDisable(GL_BLEND);
  glClear(GL_DEPTH_BUFFER_BIT);
}

void Renderer::draw(const Overlay& overlay) {
  if (overlay.behind) glDisable(GL_DEPTH_TEST);    // nor is depth written
  if (overlay.onTop) glClear(GL_DEPTH_BUFFER_BIT); // within itself an overlay still hides itself
  programs_.overlay().use();
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  const auto drawList = [&](const std::vector<OverlayVertex>& list, GLenum primitive) {
    if (list.empty()) return;
    overlayBuffer_.replace(std::as_bytes(std::span(list)));
    overlayVertices_.attach(overlayBuffer_, {.location = 0,
                                             .components = 3,
                                             .offset = offsetof(OverlayVertex, position),
                                             .stride = sizeof(OverlayVertex)});
    overlayVertices_.attach(overlayBuffer_, {.location = 3,
                                             .components = 4,
                                             .type = GL_UNSIGNED_BYTE,
                                             .normalized = true,
                                             .offset = offsetof(OverlayVertex, color),
                                             .stride = sizeof(OverlayVertex)});
    glBindVertexArray(overlayVertices_.name());
    glDrawArrays(primitive, 0, static_cast<GLsizei>(list.size()));
  };
  drawList(overlay.triangles, GL_TRIANGLES);
  drawList(overlay.lines, GL_LINES);
  glDisable(GL_BLEND);
  glEnable(GL_DEPTH_TEST);
}

} // namespace sinew
