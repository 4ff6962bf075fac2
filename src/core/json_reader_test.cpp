#include "core/json_reader.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

using namespace sinew;

namespace {

constexpr std::array<std::string_view, 2> kShapes{"capsule", "box"};

// What a read of `key` in {"sinew": "toy", "key": VALUE} throws; empty where it throws nothing.
template <class Read>
std::string problemWith(const std::string& value, const Read& readValue) {
  const Json json = parseJson(R"({"sinew": "toy", "key": )" + value + "}", "f.json");
  try {
    JsonObject object = readDocument(json, "f.json", "toy", "not a toy");
    readValue(object.at("key"));
    object.rejectUnknown();
  } catch (const Error& error) {
    CHECK(error.cause() == ErrorCause::input);
    return error.what();
  }
  return {};
}

template <class T>
std::string problemReading(const std::string& value) {
  return problemWith(value, [](const JsonValue& found) {
    T out{};
    read(found, out);
  });
}

} // namespace

TEST_CASE("JSON reader: a value of another type is refused by name, with what it is") {
  CHECK(problemReading<bool>("true").empty());
  CHECK(problemReading<bool>("1") == "f.json: 'key' is 1; it must be true or false");
  CHECK(problemReading<float>("-2.5").empty());
  CHECK(problemReading<float>("\"2\"") == "f.json: 'key' is \"2\"; it must be a number");
  CHECK(problemReading<float>("1e39") == "f.json: 'key' is 1e+39, which is too large");
  CHECK(problemReading<int>("-7").empty());
  CHECK(problemReading<int>("7.5") == "f.json: 'key' is 7.5; it must be a whole number");
  CHECK(problemReading<int>("3000000000") == "f.json: 'key' is 3000000000, which is too large");
  CHECK(problemReading<std::string>("null") == "f.json: 'key' is null; it must be a text");
  CHECK(problemReading<std::vector<std::string>>("[\"a\", \"b\"]").empty());
  CHECK(problemReading<std::vector<std::string>>("[\"a\", 1]") ==
        "f.json: 'key' is [\"a\",1]; it must be a list of names");
  CHECK(problemReading<vec3>("[1, 2, 3]").empty());
  CHECK(problemReading<vec3>("[1, 2]") == "f.json: 'key' is [1,2]; it must be 3 numbers");
  CHECK(problemReading<vec3>("[1, 2, 1e99]") ==
        "f.json: 'key' is [1,2,1e+99]; it must be 3 finite numbers");
  CHECK(problemReading<quat>("[0, 0, 0.1, 0]") ==
        "f.json: 'key' is [0,0,0.1,0]; it must be a unit quaternion");
  CHECK(problemWith("7", [](const JsonValue& value) { value.number(0.0f, 6.5f); }) ==
        "f.json: 'key' is 7; it goes from 0 to 6.5");
  CHECK(problemWith("\"ball\"", [](const JsonValue& value) { value.word(kShapes); }) ==
        "f.json: 'key' is \"ball\"; one of capsule, box");
  CHECK(problemWith("\"box\"", [](const JsonValue& value) {
          CHECK(value.word(kShapes) == 1);
        }).empty());
}

TEST_CASE("JSON reader: a rotation is normalized") {
  const Json json = parseJson("[0, 0.6, 0, 1]", "f.json");
  const quat q = JsonValue(json, "f.json", "the rotation").rotation();
  CHECK(glm::length(q) == doctest::Approx(1.0f));
  CHECK(q.y / q.w == doctest::Approx(0.6f));
}

TEST_CASE("JSON reader: names go down from the file to the value; unknown keys are refused") {
  const auto problem = [](const std::string& text) -> std::string {
    const Json json = parseJson(text, "f.json");
    try {
      JsonObject file = readDocument(json, "f.json", "toy", "not a toy", "make one");
      for (const JsonValue& body : file.list("bodies", "body")) {
        JsonObject object(body);
        for (const JsonValue& part : object.list("parts", "part"))
          JsonObject(part).at("mass").number();
        object.rejectUnknown();
      }
      if (const auto joints = file.find("joints"))
        for (const auto& [name, joint] : JsonObject(*joints).members("joint"))
          JsonObject(joint).rejectUnknown();
      file.rejectUnknown();
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  CHECK(problem(R"({"sinew": "toy"})").empty());
  CHECK(problem("[]") == "f.json: not a toy; make one");
  CHECK(problem(R"({"sinew": "tool"})") == "f.json: not a toy; make one");
  CHECK(problem(R"({"sinew": "toy", "size": 1})") ==
        "f.json: 'size' is unknown; one of sinew, bodies, joints");
  CHECK(problem(R"({"sinew": "toy", "bodies": 1})") == "f.json: 'bodies' is 1; it must be a list");
  CHECK(problem(R"({"sinew": "toy", "bodies": [{}, 3]})") == "f.json: body 2 is 3, not an object");
  CHECK(problem(R"({"sinew": "toy", "bodies": [{"parts": [{}]}]})") ==
        "f.json: 'mass' of part 1 of body 1 is missing");
  CHECK(problem(R"({"sinew": "toy", "bodies": [{"parts": [{"mass": []}]}]})") ==
        "f.json: 'mass' of part 1 of body 1 is []; it must be a number");
  CHECK(problem(R"({"sinew": "toy", "joints": {"hip": {"x": 1}}})")
            .starts_with("f.json: 'x' of joint 'hip' is unknown"));
}
