#include "core/error.h"
#include "import/import_test_tools.h"
#include "weights/reference_weights.h"
#include "weights/weights_file.h"

#include <doctest/doctest.h>

using namespace sinew;

TEST_CASE("reference weights: the three kinds of file say the same") {
  const test::TempFolder folder;
  const ReferenceWeights lines =
      readReferenceWeights(folder.write("a.txt", "0 1:0.25 0:0.75\n\n2 1:2\n"));
  const ReferenceWeights dmat =
      readReferenceWeights(folder.write("a.dmat", "2 3\n0.75\n0\n0\n0.25 0 1\n"));
  const std::vector<std::string> names{"a", "b"};
  const ReferenceWeights json =
      readReferenceWeights(folder.write("a.json", weightsToJson(names, lines.influences)));
  CHECK(json.names == names);
  for (const ReferenceWeights* file : {&lines, &dmat, &json}) {
    CHECK(file->columns == 2);
    REQUIRE(file->influences.vertexCount() == 3);
    CHECK(getWeight(file->influences.of(0), 0) == doctest::Approx(0.75));
    CHECK(getWeight(file->influences.of(0), 1) == doctest::Approx(0.25));
    CHECK(file->influences.of(0)[0].joint == 0); // by falling weight
    CHECK(file->influences.of(1).empty());
    CHECK(getWeight(file->influences.of(2), 1) == 1.0f);
  }
}

TEST_CASE("reference weights: an invalid file is reported with its line") {
  const test::TempFolder folder;
  const auto catchMessage = [&](const char* name, const char* text) -> std::string {
    try {
      readReferenceWeights(folder.write(name, text));
    } catch (const Error& error) {
      CHECK(error.cause() == ErrorCause::input);
      return error.what();
    }
    return "no error";
  };
  CHECK(test::contains(catchMessage("a.txt", "0 1:1\n1 two:1\n"), "a.txt:2: is not"));
  CHECK(test::contains(catchMessage("a.txt", "0\n"), "a.txt:1: is not"));
  CHECK(test::contains(catchMessage("a.txt", "99999999 0:1\n"), "a.txt:1: is not"));
  CHECK(test::contains(catchMessage("a.dmat", "x"), "does not begin"));
  CHECK(
      test::contains(catchMessage("a.dmat", "33333333044210 0\n"), "does not begin")); // no vertex
  CHECK(test::contains(catchMessage("a.dmat", "1 99999999 1"),
                       "too short for the weights of 1 bone"));
  CHECK(test::contains(catchMessage("a.dmat", "2 2 1 0 1"), "ends among the weights of bone 1"));
  CHECK(test::contains(catchMessage("a.json", "{}"), "is not a weights file"));
  CHECK(
      test::contains(catchMessage("a.json", "{\"joints\":[],\"weights\":[[[0,1]]]}"), "vertex 0"));
}

TEST_CASE("reference weights: vertices are matched by position") {
  const std::vector<vec3> file{{0, 0, 0}, {0, 1, 0}, {0, 1, 1}, {2, 0, 0}};
  CHECK(verticesAt({{0, 1, 1}, {2, 0, 0}, {0, 0, 0}, {2, 1e-7f, 0}}, file, "a.obj") ==
        std::vector<std::uint32_t>{2, 3, 0, 3});
  CHECK_THROWS_AS(verticesAt({{0, 0.5f, 0}}, file, "a.obj"), Error);
}
