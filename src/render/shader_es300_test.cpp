#include "demo/demo.h"
#include "render/further_attributes.h"
#include "render/shader_es300.h"
#include "skinning/methods.h"

#include <doctest/doctest.h>

namespace sinew {

TEST_CASE("GLSL ES 3.00: words and loops that it has otherwise") {
  CHECK(es300Part("uniform samplerBuffer palette;\n") == "uniform sampler2D palette;\n");
  CHECK(es300Part("#define a texelFetch(isamplerBuffer, 1)") ==
        "#define a fetchTexel(isampler2D, 1)");
  CHECK(es300Part("  do {\n    ++i;\n  } while (w[i] > 0.0); // ends\n") ==
        "  for (bool more = true; more;) {\n    ++i;\n    more = w[i] > 0.0; // ends\n  }\n");
  CHECK(es300Part("void mixed() {\n}\n") == "void mixed() {\n}\n");
}

TEST_CASE("GLSL ES 3.00: every method's shader has what ES asks for, and nothing that it lacks") {
  const Rig rig = buildRig(findDemo("arm").make());
  for (const Method& method : methods())
    for (const auto storage : {PaletteStorage::block, PaletteStorage::texture}) {
      CAPTURE(method.name);
      const Binding binding = method.bind(rig, {});
      const std::string text = es300Text(method, binding, {storage});
      CHECK(text.starts_with("#version 300 es\nprecision highp float;\n"));
      for (const char* word : {"samplerBuffer", "do {", "330"})
        CHECK(text.find(word) == std::string::npos);
      const bool fetches = storage == PaletteStorage::texture || !furtherTextures(binding).empty();
      CHECK((text.find("fetchTexel") != std::string::npos) == fetches);
    }
}

} // namespace sinew
