#include "core/base64.h"

#include <doctest/doctest.h>

using namespace sinew;

TEST_CASE("base64: RFC 4648's own examples, and bytes that are no letters") {
  CHECK(base64("") == "");
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foo") == "Zm9v");
  CHECK(base64("foob") == "Zm9vYg==");
  CHECK(base64("fooba") == "Zm9vYmE=");
  CHECK(base64("foobar") == "Zm9vYmFy");
  CHECK(base64(std::string_view("\xff\x00\xfe\xfb", 4)) == "/wD++w==");
}
