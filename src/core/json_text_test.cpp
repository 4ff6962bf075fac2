#include "core/error.h"
#include "core/json_text.h"

#include <doctest/doctest.h>

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
