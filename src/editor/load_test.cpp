#include "app/workbench.h"
#include "editor/load.h"

#include <doctest/doctest.h>

namespace sinew {

TEST_CASE("load: a message falls into file, reason and remedy") {
  MessageParts parts = partsOf(inputError("/a: b/c.x", "is empty", "export it again").what());
  CHECK(parts.what.find("is empty") != std::string::npos);
  CHECK(parts.remedy == "export it again");
  parts = partsOf(inputError("c.x", "no such file").what());
  CHECK(parts.file == "c.x");
  CHECK(parts.what == "no such file");
  CHECK(parts.remedy.empty());
  parts = partsOf("odd");
  CHECK(parts.what == "odd");
  CHECK(parts.file.empty());
}

TEST_CASE("load: a model is subdivided where the pose it opens in is bent") {
  const auto load = [](float bent, float time) {
    Settings settings;
    settings.clip = "elbow-bend";
    settings.time = time;
    Sidecars sidecars;
    sidecars.subdivide.bent = bent;
    return loadForSession("demo:arm", "", {}, UpAxis::automatic, sidecars,
                          settings)([](auto&&...) { return true; })
        .bench;
  };
  const std::size_t own = vertexCount(load(0.0f, 2.0f).model);
  const Workbench bent = load(20.0f, 2.0f);
  CHECK(vertexCount(bent.model) > own);
  CHECK(insertedVertexCount(bent.model) == vertexCount(bent.model) - own);
  const Workbench straight = load(20.0f, 0.0f);
  CHECK(vertexCount(straight.model) == own);
  CHECK(straight.model.warnings.back().find("bends the skin nowhere") != std::string::npos);
}

} // namespace sinew
