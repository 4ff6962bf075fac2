// The owners: moved, read back, timed, resized.
#include "core/error.h"
#include "gl/buffer.h"
#include "gl/context.h"
#include "gl/framebuffer.h"
#include "gl/texture.h"
#include "gl/timer.h"
#include "render/offscreen.h"

#include <doctest/doctest.h>

#include <array>

using namespace sinew;

TEST_CASE("a context without a display is OpenGL 3.3 with what the palettes need") {
  const HeadlessContext context;
  const GlInfo info = glInfo();
  CHECK(!info.renderer.empty());
  CHECK(info.limits.uniformBlockBytes >= 16384);
  CHECK(info.limits.vertexUniformComponents >= 1024);
  CHECK(info.limits.textureBufferTexels >= 65536);
  CHECK(info.limits.vertexAttributes >= 16);
  checkGlErrors("limits");
}

TEST_CASE("every kind of context is tried, and at least one works") {
  std::size_t hasRunningTask = 0;
  for (const ContextReport& report : probeContexts()) {
    CAPTURE(toString(report.kind));
    CHECK(report.works == report.problem.empty());
    if (!report.works) continue;
    ++hasRunningTask;
    CHECK(!report.info.version.empty());
    const HeadlessContext context(report.kind);
    CHECK(context.kind() == report.kind);
  }
  CHECK(hasRunningTask > 0);
}

TEST_CASE("two contexts live side by side, and one outlives the other") {
  const HeadlessContext first;
  {
    const HeadlessContext second;
    const Buffer buffer(16, GL_STATIC_DRAW);
    CHECK(buffer.name() != 0);
  }
  first.makeCurrent();
  const Buffer buffer(16, GL_STATIC_DRAW);
  CHECK(buffer.name() != 0);
  checkGlErrors("contexts");
}

TEST_CASE("owners move and never delete twice") {
  const HeadlessContext context;
  Buffer a(64, GL_STATIC_DRAW);
  const GLuint name = a.name();
  Buffer b(std::move(a));
  CHECK(b.name() == name);
  CHECK(glIsBuffer(name) == GL_TRUE);
  b = Buffer();
  CHECK(glIsBuffer(name) == GL_FALSE);
  Buffer& self = b;
  b = std::move(self);
  checkGlErrors("moves");
}

TEST_CASE("a buffer gives back what was put in, also after it was replaced") {
  const HeadlessContext context;
  const std::array<float, 3> first{1, 2, 3};
  const std::array<float, 5> second{5, 6, 7, 8, 9};
  Buffer buffer(std::as_bytes(std::span(first)), GL_STATIC_DRAW);
  buffer.replace(std::as_bytes(std::span(second)));
  std::array<float, 5> back{};
  readBuffer(buffer, std::as_writable_bytes(std::span(back)));
  CHECK(back == second);
}

TEST_CASE("a checkGlErrors names the error and what was being done") {
  const HeadlessContext context;
  glEnable(0x7fffffff);
  CHECK_THROWS_WITH_AS(checkGlErrors("while testing"),
                       doctest::Contains("while testing: OpenGL reports invalid enum"), Error);
  CHECK_NOTHROW(checkGlErrors("afterwards"));
}

TEST_CASE("a framebuffer can be resized, and its samples are averaged") {
  const HeadlessContext context;
  for (const int samples : {1, 4}) {
    CAPTURE(samples);
    Framebuffer framebuffer(32, 16, samples);
    for (const auto& [width, height] : {std::pair{32, 16}, {200, 100}, {7, 5}}) {
      framebuffer.resize(width, height);
      framebuffer.bind();
      CHECK(framebuffer.width() == width);
      glDisable(GL_SCISSOR_TEST);
      glClearColor(0.2f, 0.4f, 0.6f, 1.0f);
      glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
      const Image image = readImage(framebuffer);
      REQUIRE(image.width == static_cast<std::uint32_t>(width));
      REQUIRE(image.height == static_cast<std::uint32_t>(height));
      CHECK(image.rgba[0] == 51);
      CHECK(image.rgba[image.rgba.size() - 2] == 153);
    }
  }
  checkGlErrors("framebuffers");
}

TEST_CASE("sizes and samples beyond the driver are refused with what is possible") {
  const HeadlessContext context;
  CHECK_THROWS_WITH_AS(Framebuffer(1 << 20, 4), doctest::Contains("1048576x4"), Error);
  CHECK_THROWS_WITH_AS(Framebuffer(0, 4), doctest::Contains("0x4"), Error);
  CHECK_THROWS_WITH_AS(Framebuffer(4, 4, 1000), doctest::Contains("1000 samples"), Error);
  CHECK_THROWS_AS(Texture2D(Image{}), Error);
  checkGlErrors("limits");
}

TEST_CASE("a timer measures without waiting, and a full ring drops the oldest") {
  const HeadlessContext context;
  Framebuffer framebuffer(64, 64);
  framebuffer.bind();
  GpuTimer timer;
  CHECK(!timer.poll());
  CHECK(!timer.wait());
  for (int i = 0; i < 20; ++i) {
    timer.begin();
    glClear(GL_COLOR_BUFFER_BIT);
    timer.end();
  }
  int count = 0;
  while (const auto milliseconds = timer.wait()) {
    CHECK(*milliseconds >= 0.0);
    CHECK(*milliseconds < 1000.0);
    ++count;
  }
  CHECK(count == 8);
  checkGlErrors("timers");
}
