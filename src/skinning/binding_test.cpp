#include "animation/random_model.h"
#include "core/random.h"
#include "skinning/methods.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace sinew;

TEST_CASE("quantised weights sum to exactly one and stay within a step") {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<float> weights(1 + random.below(20));
    float sum = 0.0f;
    for (float& w : weights)
      sum += w = random.uniform(0.0f, 1.0f) + (seed % 2 ? 0.0f : 1e-6f);
    for (float& w : weights)
      w /= sum;
    std::vector<float> quantised = weights;
    quantizeWeights(quantised);
    long total = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      CHECK(quantised[i] >= 0.0f);
      CHECK(std::abs(quantised[i] - weights[i]) < 1.01f / 65535.0f);
      total += std::lround(quantised[i] * 65535.0f);
    }
    CHECK(total == 65535);
  }
}

TEST_CASE("attributes read back what was written") {
  Attribute bytes{"a", AttributeFormat::uint8x4, true, {}};
  append(bytes, glm::uvec4(0, 1, 254, 255));
  CHECK(readUint(bytes, 0) == glm::uvec4(0, 1, 254, 255));
  Attribute words{"b", AttributeFormat::uint16x4, true, {}};
  append(words, glm::uvec4(7));
  append(words, glm::uvec4(0, 256, 65535, 3));
  CHECK(readUint(words, 1) == glm::uvec4(0, 256, 65535, 3));
  Attribute shares{"c", AttributeFormat::unorm16x4, false, {}};
  append(shares, glm::vec4(0.0f, 1.0f, 0.5f, 0.25f));
  CHECK(std::abs(readFloat(shares, 0).z - 0.5f) < 1.0f / 65535.0f);
  CHECK(readFloat(shares, 0).y == 1.0f);
  Attribute pair{"d", AttributeFormat::float2, false, {}};
  append(pair, glm::vec4(1.5f, -2.5f, 9.0f, 9.0f));
  CHECK(pair.data.size() == 8);
  CHECK(readFloat(pair, 0) == glm::vec4(1.5f, -2.5f, 0.0f, 1.0f));
}

TEST_CASE("a form per count: the cheapest that serves the joints of each vertex") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Rig rig =
        buildRig(randomModel(seed, {.influences = 2 + static_cast<std::uint32_t>(seed)}));
    for (const Method& method : methods()) {
      CAPTURE(method.name);
      const Binding binding = method.bind(rig, {.influences = 12, .formPerCount = true});
      if (binding.forms.empty()) continue;
      REQUIRE(binding.formByVertex.size() == binding.vertexCount);
      CHECK(binding.forms.back().attributes == binding.attributes.size());
      const bool attached = binding.variant.attachments > 0;
      std::size_t groups = 0;
      while (std::ranges::count(binding.attributes, "weights" + std::to_string(groups),
                                &Attribute::name) > 0)
        ++groups;
      for (std::size_t v = 0; v < binding.vertexCount; ++v) {
        std::uint32_t joints = 0;
        for (std::size_t g = 0; g < groups; ++g)
          for (int i = 0; i < 4; ++i)
            if (readFloat(findAttribute(binding, "weights" + std::to_string(g)), v)[i] > 0.0f)
              joints = static_cast<std::uint32_t>(4 * g) + static_cast<std::uint32_t>(i) + 1;
        const auto getCount = [&](const BindingForm& form) {
          return attached ? form.attachments : form.influences;
        };
        const std::size_t form = binding.formByVertex[v];
        CHECK(getCount(binding.forms[form]) >= joints);
        if (form > 0) CHECK(getCount(binding.forms[form - 1]) < joints);
      }
    }
    // Only where it is asked for.
    CHECK(findMethod("arc-spline").bind(rig, {}).forms.empty());
  }
}
