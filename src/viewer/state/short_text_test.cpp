#include "viewer/state/short_text.h"

#include <doctest/doctest.h>

#include <random>

namespace sinew {
namespace {

std::size_t characters(const std::string& text) {
  std::size_t count = 0;
  for (const char c : text)
    if ((static_cast<unsigned char>(c) & 0xc0u) != 0x80u) ++count;
  return count;
}

Fits upTo(std::size_t count) {
  return [count](const std::string& text) { return characters(text) <= count; };
}

} // namespace

TEST_CASE("short text: as many whole characters as fit, whatever they are") {
  std::mt19937 random(1);
  const std::string letters[] = {"a", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\xa6\xb4", " "};
  for (int i = 0; i < 300; ++i) {
    std::string text;
    const std::size_t length = random() % 20;
    for (std::size_t k = 0; k < length; ++k)
      text += letters[random() % 5];
    const std::size_t room = 1 + random() % 20;
    const std::string shown = elided(text, upTo(room));
    CAPTURE(text);
    CAPTURE(room);
    if (length <= room) {
      CHECK(shown == text);
      continue;
    }
    CHECK(characters(shown) == room);
    const std::string start = shown.substr(0, shown.size() - 3);
    CHECK(shown.ends_with("\xe2\x80\xa6"));
    CHECK(text.starts_with(start));
    CHECK((static_cast<unsigned char>(text[start.size()]) & 0xc0u) != 0x80u);
  }
}

TEST_CASE("short text: the longest form in which all fit, and only what differs") {
  const std::vector<std::vector<std::string>> forms{{"Arc-spline 12", "Arc-spline 3"}, {"12", "3"}};
  CHECK(firstThatFits(forms, upTo(13)) == forms[0]);
  CHECK(firstThatFits(forms, upTo(12)) == forms[1]);
  CHECK(firstThatFits(forms, upTo(1)) == std::vector<std::string>{"\xe2\x80\xa6", "3"});
  using Texts = std::vector<std::string>;
  CHECK(withoutCommonStart({"Arc-spline one", "Arc-spline two"}) == Texts{"one", "two"});
  CHECK(withoutCommonStart({"Linear blend", "Linear motion"}) == Texts{"blend", "motion"});
  CHECK(withoutCommonStart({"Bones", "Bones one"}) == Texts{"Bones", "Bones one"});
  CHECK(withoutCommonStart({"one two", "one two"}) == Texts{"two", "two"});
  CHECK(withoutCommonStart({"alone here"}) == Texts{"alone here"});
}

TEST_CASE("short text: lines break between words, and within one only where it is longer") {
  CHECK(wrapped("every 0.1 s", upTo(8)) == "every\n0.1 s");
  CHECK(wrapped("every 0.1 s", upTo(11)) == "every 0.1 s");
  CHECK(wrapped("one two\nthree", upTo(20)) == "one two\nthree");
  CHECK(wrapped("in /a/folder/file.glb", upTo(12)) == "in\n/a/folder/\nfile.glb");
  CHECK(wrapped("abcdefgh ij", upTo(3)) == "abc\ndef\ngh\nij");
  CHECK(wrapped("\xc3\xa4\xc3\xa4", upTo(1)) == "\xc3\xa4\n\xc3\xa4");
  CHECK(wrapped("\xc3\xa4\xc3\xa4", upTo(0)) == "\xc3\xa4\n\xc3\xa4"); // no room at all
  CHECK(wrapped("", upTo(0)).empty());
}

} // namespace sinew
