// A sheet to paint on, the same left and right. Header only: used by tests alone.
#pragma once

#include "model/model.h"
#include "rig/rig.h"

#include <algorithm>
#include <cmath>

namespace sinew {

// x from -1 to 1 and z from 0 to 1 in steps of 1/8, in the plane y = 0; the row z = 1/2 is there
// twice, as along a texture seam. Joints: Hips in the middle, Arm.L (x > 0) and Arm.R, and Head.
// Weights mirror each other.
struct PaintSheet {
  static constexpr int kSteps = 8; // a unit

  Model model;
  Rig rig;

  PaintSheet() {
    const auto node = [&](const char* name, std::uint32_t parent, const vec3& at) {
      model.hierarchy.nodes.push_back({name, parent, {}});
      model.hierarchy.nodes.back().rest.translation = at;
    };
    node("Hips", kNoNode, {0, 0, 0});
    node("Arm.L", 0, {0.8f, 0, 0.5f});
    node("Arm.R", 0, {-0.8f, 0, 0.5f});
    node("Head", 0, {0, 0, 1});
    Skin skin;
    for (std::uint32_t n = 0; n < 4; ++n) {
      mat4 jointFromBind(1.0f);
      jointFromBind[3] = vec4(-model.hierarchy.nodes[n].rest.translation, 1.0f);
      skin.joints.push_back({n, jointFromBind});
    }
    model.skins.push_back(skin);
    model.meshes.push_back(sheet());
    model.materials.emplace_back();
    rig = buildRig(model);
  }

  // The vertex at the mirrored position.
  std::uint32_t mirrored(std::uint32_t v) const {
    const std::uint32_t row = 2 * kSteps + 1;
    return v / row * row + (row - 1 - v % row);
  }

 private:
  static Mesh sheet() {
    Mesh mesh;
    mesh.skin = 0;
    const auto columns = static_cast<std::uint32_t>(2 * kSteps + 1);
    std::vector<int> rows;
    for (int z = 0; z <= kSteps; ++z) {
      rows.push_back(z);
      if (2 * z == kSteps) rows.push_back(z); // the seam
    }
    for (const int z : rows)
      for (int x = -kSteps; x <= kSteps; ++x) {
        mesh.positions.emplace_back(static_cast<float>(x) / kSteps, 0.0f,
                                    static_cast<float>(z) / kSteps);
        mesh.normals.emplace_back(0, 1, 0);
        mesh.influences.append(weightsAt(mesh.positions.back()));
      }
    for (std::uint32_t r = 0; r + 1 < rows.size(); ++r) {
      if (rows[r] == rows[r + 1]) continue;
      for (std::uint32_t c = 0; c + 1 < columns; ++c) {
        const std::uint32_t a = r * columns + c, b = a + 1, d = a + columns, e = d + 1;
        if (2 * c < columns - 1) {
          mesh.triangles.push_back({a, d, b});
          mesh.triangles.push_back({b, d, e});
        } else { // the other diagonal: mirrored
          mesh.triangles.push_back({a, d, e});
          mesh.triangles.push_back({a, e, b});
        }
      }
    }
    return mesh;
  }

  static std::vector<Influence> weightsAt(const vec3& p) {
    const float arm = std::max(std::abs(p.x) - 0.25f, 0.0f);
    const float head = 0.2f * p.z;
    std::vector<Influence> out{{0, 1.0f - arm - head}, {p.x > 0 ? 1u : 2u, arm}, {3, head}};
    std::erase_if(out, [](const Influence& i) { return i.weight <= 0.0f; });
    std::sort(out.begin(), out.end(),
              [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
    return out;
  }
};

} // namespace sinew
