// What tests of FBX files share: reading them, where nodes stand, and stacks of animation.
#pragma once

#include "animation/pose.h"
#include "import/fbx/animation.h"
#include "import/fbx/fbx_test_file.h"
#include "import/import_test_tools.h"

#include <doctest/doctest.h>
#include <glm/gtc/matrix_transform.hpp>

namespace sinew::test {

using glm::dmat4;
using glm::dvec3;

inline Model importFbx(const std::string& bytes) {
  const TempFolder folder;
  return importModel(folder.write("t.fbx", bytes));
}
inline Model importFbx(const FbxText& file) {
  return importFbx(file.text());
}

inline mat4 modelFromNode(const Model& model, const char* name, const Pose& pose) {
  const auto node = findNode(model.hierarchy, name);
  REQUIRE(node);
  return modelFromNodes(model.hierarchy, pose)[*node];
}
inline mat4 getRestMatrix(const Model& model, const char* name) {
  return modelFromNode(model, name, restPose(model.hierarchy));
}

inline double matrixDifference(const mat4& a, const dmat4& b) {
  double largest = 0.0;
  for (int c = 0; c < 4; ++c)
    for (int r = 0; r < 4; ++r)
      largest = std::max(largest, std::abs(a[c][r] - b[c][r]));
  return largest;
}

inline dmat4 rotation(const dvec3& degrees, std::int64_t order = 0) {
  return glm::mat4_cast(fbxRotation(degrees, order));
}
inline dmat4 moved(const dvec3& v) {
  return glm::translate(dmat4(1.0), v);
}
inline dmat4 scaled(const dvec3& v) {
  return glm::scale(dmat4(1.0), v);
}

// A stack 100 with a layer 101 that moves properties, each by curves for x, y and z.
inline void addStack(FbxText& file, double start, double stop) {
  file.object(100, "AnimationStack", "AnimStack::move", "",
              fmt::format("Properties70:  {{\nP: \"LocalStart\", \"KTime\", \"Time\", \"\",{}\nP: "
                          "\"LocalStop\", \"KTime\", \"Time\", \"\",{}\n}}\n",
                          ticks(start), ticks(stop)),
              0);
  file.object(101, "AnimationLayer", "AnimLayer::base", "", "", 100);
}
inline void animate(FbxText& file, int id, int layer, int object, const std::string& property,
                    const std::vector<std::string>& curves, const std::string& defaults = {}) {
  file.object(id, "AnimationCurveNode", "AnimCurveNode::" + property, "",
              "Properties70:  {\n" + defaults + "}\n", layer);
  file.connect(id, object, property);
  const char* axes[] = {"d|X", "d|Y", "d|Z"};
  for (std::size_t i = 0; i < curves.size(); ++i) {
    if (curves[i].empty()) continue;
    const int curveId = id + 1 + static_cast<int>(i);
    file.objects +=
        fmt::format("AnimationCurve: {}, \"AnimCurve::\", \"\" {{\n{}}}\n", curveId, curves[i]);
    file.connect(curveId, id, axes[i]);
  }
}

} // namespace sinew::test
