#include "core/error.h"
#include "core/json_text.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace sinew;

namespace {

std::string parseProblem(const std::string& text) {
  try {
    parseJson(text, "a.json", "make another");
  } catch (const Error& error) {
    CHECK(error.cause() == ErrorCause::input);
    return error.what();
  }
  return {};
}

std::string nested(std::size_t depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

} // namespace

TEST_CASE("JSON: what is wrong is one line with its place") {
  CHECK(parseProblem(R"({"a": [1, "[[{\"", {"b": null}]})").empty());
  CHECK(parseProblem("") == "a.json: not valid JSON at line 1, column 1; make another");
  CHECK(parseProblem("{\n \"a\": ?}") ==
        "a.json: not valid JSON at line 2, column 7; make another");
  CHECK(parseProblem("{\n \"a\":\n  -1e999}") ==
        "a.json: line 3, column 3: the number -1e999 is too large; make another");
  CHECK(parseProblem("[1" + std::string(5000, '0') + "]").size() < 150);
  CHECK(parseProblem(nested(64)).empty());
  CHECK(parseProblem("[\n" + nested(100000)) ==
        "a.json: line 2, column 64: more than 64 brackets within one another; make another");
  CHECK(parseProblem(R"(")" + std::string(1000, '[') + R"(")").empty());
}

TEST_CASE("JSON: a value in a message is short") {
  CHECK(shown(parseJson("[1, null]", "a")) == "[1,null]");
  const std::string text = shown(std::string(29, 'x') + "\u00e4\u00e4" + std::string(1000, 'y'));
  CHECK(text.size() <= 60);
  CHECK(text.ends_with("..."));
  for (std::size_t x = 20; x < 60; ++x) { // never within a character
    const std::string cut =
        shown(std::string(x, 'x') + "\u00e4\u00e4\u00e4" + std::string(60, 'y'));
    CHECK(cut.find("\xc3...") == std::string::npos);
  }
}

TEST_CASE("JSON: objects of many keys are read in linear time, and of equal keys the last counts") {
  std::string text = "{";
  for (int i = 0; i < 300'000; ++i)
    text += fmt::format("\"joint {}\": {{\"a\": {}}}, ", i, i);
  text += R"("joint 7": [1, {"b": null}, "c", -2, 0.5, true], "joint 0": 3})";
  const nlohmann::ordered_json json = parseJson(text, "a.json");
  CHECK(json.size() == 300'000);
  CHECK(json["joint 7"].dump() == R"([1,{"b":null},"c",-2,0.5,true])");
  CHECK(json.begin().key() == "joint 0");
  CHECK(json.begin().value() == 3);
  CHECK(json["joint 299999"]["a"] == 299'999);
}

TEST_CASE("JSON: a document reads as the library's own reader reads it") {
  for (const char* text :
       {"{}", "[]", "1", "null", "\"a\\u00e4\"", R"({"a": {"b": [[], {}, [1]]}, "c": "d", "a": 2})",
        "[1e3, -0.0, 18446744073709551615, -9223372036854775808]"}) {
    CAPTURE(text);
    const nlohmann::ordered_json json = parseJson(text, "a.json");
    CHECK(json.dump() == nlohmann::ordered_json::parse(text).dump());
  }
}
