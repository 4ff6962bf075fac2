#include "core/error.h"
#include "core/text.h"

#include <doctest/doctest.h>

using namespace sinew;

TEST_CASE("errors carry their cause and are one line") {
  const Error error = inputError("a.x", "line one\nline two", "split it");
  CHECK(error.cause() == ErrorCause::input);
  CHECK(std::string(error.what()) == "a.x: line one line two; split it");
  CHECK(usageError("no").cause() == ErrorCause::usage);
  CHECK(graphicsError("no").cause() == ErrorCause::graphics);
}

TEST_CASE("a long message is cut between characters and loses no others") {
  std::string letters;
  for (int i = 0; i < 3000; ++i)
    letters += "\xc3\xa9"; // two bytes each
  const std::string message = inputError("x", letters).what();
  CHECK(message.size() > 1990);
  CHECK(message.size() < 2010);
  CHECK(message.ends_with("\xc3\xa9..."));
  CHECK(inputError("y", letters.substr(0, 100)).what() == "y: " + letters.substr(0, 100));
}

TEST_CASE("the beginning of a text ends between characters") {
  const std::string_view text = "a\xe2\x82\xac"
                                "b"; // a, euro, b
  CHECK(utf8Prefix(text, 9) == text);
  CHECK(utf8Prefix(text, 4) == text.substr(0, 4));
  for (const std::size_t bytes : {1u, 2u, 3u})
    CHECK(utf8Prefix(text, bytes) == "a");
  CHECK(utf8Prefix(text, 0).empty());
  // No UTF-8: nothing but continuations.
  CHECK(utf8Prefix(std::string(10, '\x80'), 7).size() == 7);
}
