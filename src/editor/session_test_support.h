// A session as the window drives it, frame by frame, without the window. Header only: used by tests
// alone.
#pragma once

#include "core/file.h"
#include "demo/demo.h"
#include "editor/apply.h"
#include "editor/paint/stroke.h"
#include "editor/session.h"
#include "export/glb.h"
#include "import/import_test_tools.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <chrono>
#include <filesystem>
#include <thread>

namespace sinew::test {

struct Editor {
  Session session = makeSession({}, {});
  Document& document = session.document;

  // Waits until nothing is being read or bound, and shows what has arrived.
  void wait() {
    for (int i = 0; i < 20000; ++i) {
      pollImport(session, 1e-3 * i);
      pollBinding(document, session.bind);
      if (session.imports.pending) acceptImport(session);
      if (!session.imports.importing && !binding(session.bind)) {
        frame();
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    FAIL("the thread does not end");
  }
  void open(const std::string& model) {
    openFile(session, model);
    wait();
  }
  // What there is to upload after a frame.
  MeshChanges frame(float seconds = 1.0f / 60.0f) {
    document.changes = {};
    advanceSession(session, seconds);
    return document.changes;
  }
  std::uint32_t node(const char* name) const {
    return *findNode(document.workbench.model.hierarchy, name);
  }
  bool hasMessage(const std::string& words) const {
    for (const std::string& message : document.notices.messages)
      if (message.find(words) != std::string::npos) return true;
    return false;
  }
  void rotate(const char* joint, float radians) {
    Transform& transform = editedPose(document).parentFromNode[node(joint)];
    transform.rotation = transform.rotation * glm::angleAxis(radians, vec3(0, 0, 1));
    commitEdit(document, "Rotate");
  }
  std::vector<std::string> unsaved() const {
    std::vector<std::string> all;
    for (const UnsavedWork& work : unsavedWork(session))
      all.push_back(work.what);
    return all;
  }
};

// A demo as a file of its own, and the folder as the working one, where files without a place go.
struct InFolder {
  const TempFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  const std::string file = (folder.path / "arm.glb").string();

  explicit InFolder(const char* demo = "arm") {
    writeFile(file, toGlb(findDemo(demo).make()));
    std::filesystem::current_path(folder.path);
  }
  ~InFolder() { std::filesystem::current_path(before); }
};

// A view of the whole model from the front, 640 x 480 pixels.
inline View viewOfModel(const Document& document) {
  View view;
  view.viewport = {0, 0, 640, 480};
  view.scene = posedOutline(document.workbench);
  view.camera = frameOutline(view.scene, view.viewport.aspect(), 0.0f, 0.0f);
  return view;
}

// Where the surface nearest to a joint's middle is seen.
inline vec2 findPixelNear(const View& view, const PaintPick& surface, const vec3& near) {
  vec3 best = surface.posed.front();
  for (const vec3& place : surface.posed)
    if (glm::distance(place, near) < glm::distance(best, near)) best = place;
  return vec2(screenFromWorld(view, 0.5f * (best + near)));
}

// All weights, vertex by vertex.
inline std::vector<float> collectWeights(const Document& document) {
  std::vector<float> all;
  for (const Influence& influence : document.workbench.rig.influences.values)
    all.push_back(influence.weight);
  return all;
}

} // namespace sinew::test
