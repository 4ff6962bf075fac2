// What is seen of a model before anything has been done: its frame, and its bend ranges.
#include "app/settings_view.h"
#include "editor/document/clip_time.h"
#include "editor/document/framing.h"
#include "editor/pose/editing.h"
#include "editor/session_test_support.h"
#include "skinning/methods.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace sinew {

using test::Editor;

TEST_CASE("framing: hands stay in the picture over the whole clip, and the figure fills it") {
  for (const char* model : {"demo:humanoid", "demo:arm", "demo:tentacle"})
    for (const float aspect : {0.6f, 1.0f, 1.6f}) {
      CAPTURE(model);
      CAPTURE(aspect);
      Editor editor;
      editor.open(model);
      Document& document = editor.document;
      float widest = 0.0f, highest = 0.0f;
      for (int i = 0; i < 12; ++i) {
        const double seconds = clipSeconds(document) * static_cast<double>(i) / 12.0;
        evaluate(document.workbench, seconds, Wrap::loop);
        View view;
        view.viewport = {0, 0, static_cast<int>(600.0f * aspect), 600};
        view.camera = makeCamera(document.settings, document.orbit, aspect);
        if (document.follow) view.camera.target += carriedAway(document);
        view.scene = document.orbit.framed;
        const vec2 half(0.5f * static_cast<float>(view.viewport.width), 300.0f);
        for (const vec3& point :
             skinOnCpu(document.workbench, document.workbench.bound[0]).positions) {
          const vec2 at = (vec2(screenFromWorld(view, point)) - half) / half;
          widest = std::max(widest, std::abs(at.x));
          highest = std::max(highest, std::abs(at.y));
        }
      }
      CHECK(widest < 1.0f);
      CHECK(highest < 1.0f);
      CHECK(std::max(widest, highest) > 0.6f);
    }
}

TEST_CASE("bend range: it does something under the methods that say so, and nothing under others") {
  for (const Method& method : methods()) {
    CAPTURE(method.name);
    Editor editor;
    editor.document.settings.methods = {{&method}};
    editor.open("demo:arm");
    Document& document = editor.document;
    document.settings.playing = false;
    editor.rotate("LowerArm", 1.2f);
    selectJoint(document, editor.node("LowerArm"));
    const auto zoned = [&](float reach) {
      JointZone zone{-reach, reach, ParameterSource::zone, {}, ""};
      if (method.perJoint) zone.method = "arc-spline";
      setSelectedZoneEntry(document, zone);
      commitEdit(document, "Zone");
      editor.frame();
      return skinOnCpu(document.workbench, document.workbench.bound[0]).positions;
    };
    const std::vector<vec3> narrow = zoned(0.02f), wide = zoned(0.15f);
    float apart = 0.0f;
    for (std::size_t v = 0; v < narrow.size(); ++v)
      apart = std::max(apart, glm::distance(narrow[v], wide[v]));
    CHECK(usesZones(document) == method.usesZones);
    CHECK((apart > 1e-3f) == method.usesZones);
  }
}

} // namespace sinew
