// Headless contexts through EGL: which displays there are, in which order they are tried.
#include "gl/context.h"

#include "core/error.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <fmt/format.h>

#include <array>
#include <cassert>
#include <string_view>
#include <utility>

namespace sinew {

struct HeadlessContext::Egl {
  ContextKind kind = ContextKind::surfaceless;
  std::string device;
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;

  // The display is not terminated: EGL gives everyone who asks for a device the same one, and
  // terminating it would end the contexts others have on it.
  ~Egl() {
    if (context == EGL_NO_CONTEXT) return;
    if (eglGetCurrentContext() == context)
      eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display, context);
  }
};

namespace {

// A display that might work, before it is tried.
struct Candidate {
  ContextKind kind = ContextKind::surfaceless;
  std::string device;
  bool software = false;
  EGLDisplay display = EGL_NO_DISPLAY;
};

bool contains(const char* list, std::string_view word) {
  return list != nullptr && std::string_view(list).find(word) != std::string_view::npos;
}

template <class Function>
Function eglFunction(const char* name) {
  return reinterpret_cast<Function>(eglGetProcAddress(name));
}

std::string eglProblem(std::string_view what) {
  return fmt::format("{} (EGL error 0x{:x})", what, eglGetError());
}

void addDevices(std::vector<Candidate>& out) {
  const auto queryDevices = eglFunction<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
  const auto deviceString = eglFunction<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
  const auto getPlatformDisplay =
      eglFunction<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
  if (queryDevices == nullptr || deviceString == nullptr || getPlatformDisplay == nullptr) return;
  std::array<EGLDeviceEXT, 16> devices{};
  EGLint count = 0;
  if (queryDevices(static_cast<EGLint>(devices.size()), devices.data(), &count) == EGL_FALSE)
    return;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const char* extensions = deviceString(devices[i], EGL_EXTENSIONS);
    Candidate candidate;
    candidate.kind = ContextKind::device;
    candidate.software = contains(extensions, "EGL_MESA_device_software");
    const char* file = contains(extensions, "EGL_EXT_device_drm")
                           ? deviceString(devices[i], EGL_DRM_DEVICE_FILE_EXT)
                           : nullptr;
    candidate.device = fmt::format("device {}", i);
    if (candidate.software) candidate.device += " (software)";
    if (file != nullptr) candidate.device += fmt::format(" ({})", file);
    candidate.display = getPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr);
    out.push_back(candidate);
  }
}

// The candidates in the order of trying: hardware devices, surfaceless, software devices.
std::vector<Candidate> findCandidates() {
  const char* client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  std::vector<Candidate> devices;
  if (contains(client, "EGL_EXT_platform_device")) addDevices(devices);
  std::vector<Candidate> out;
  for (const Candidate& device : devices)
    if (!device.software) out.push_back(device);
  const auto getPlatformDisplay =
      eglFunction<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
  if (getPlatformDisplay != nullptr && contains(client, "EGL_MESA_platform_surfaceless"))
    out.push_back({.kind = ContextKind::surfaceless,
                   .device = "default",
                   .display = getPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr)});
  for (const Candidate& device : devices)
    if (device.software) out.push_back(device);
  return out;
}

// Throws graphicsError with the reason.
EGLContext createContext(EGLDisplay display) {
  if (display == EGL_NO_DISPLAY) throw graphicsError(eglProblem("there is no such display"));
  if (eglInitialize(display, nullptr, nullptr) == EGL_FALSE)
    throw graphicsError(eglProblem("the display cannot be initialised"));
  const char* extensions = eglQueryString(display, EGL_EXTENSIONS);
  if (!contains(extensions, "EGL_KHR_surfaceless_context"))
    throw graphicsError("contexts without a surface are not supported");
  if (eglBindAPI(EGL_OPENGL_API) == EGL_FALSE)
    throw graphicsError(eglProblem("there is no desktop OpenGL"));

  // Any surface type: none will be made.
  const std::array<EGLint, 5> wanted{EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                                     EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (eglChooseConfig(display, wanted.data(), &config, 1, &count) == EGL_FALSE || count == 0)
    throw graphicsError(eglProblem("there is no configuration for OpenGL"));
#ifndef NDEBUG
  constexpr EGLint kFlags = EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR;
#else
  constexpr EGLint kFlags = 0;
#endif
  const std::array<EGLint, 9> version{EGL_CONTEXT_MAJOR_VERSION_KHR,
                                      3,
                                      EGL_CONTEXT_MINOR_VERSION_KHR,
                                      3,
                                      EGL_CONTEXT_OPENGL_PROFILE_MASK_KHR,
                                      EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT_KHR,
                                      EGL_CONTEXT_FLAGS_KHR,
                                      kFlags,
                                      EGL_NONE};
  EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version.data());
  if (context == EGL_NO_CONTEXT)
    throw graphicsError(eglProblem("OpenGL 3.3 core is not supported"));
  return context;
}

constexpr const char* kRemedy =
    "install Mesa's drivers (libegl1, libgl1-mesa-dri); 'sinew doctor' shows what there is";

} // namespace

std::string toString(ContextKind kind) {
  return kind == ContextKind::device ? "EGL device" : "EGL surfaceless";
}

std::unique_ptr<HeadlessContext::Egl> HeadlessContext::open(std::optional<ContextKind> only) {
  std::string problems;
  for (const Candidate& candidate : findCandidates()) {
    if (only && candidate.kind != *only) continue;
    try {
      auto egl = std::make_unique<Egl>();
      egl->kind = candidate.kind;
      egl->device = candidate.device;
      egl->display = candidate.display;
      egl->context = createContext(candidate.display);
      return egl;
    } catch (const Error& error) {
      problems += fmt::format("{}{}, {}: {}", problems.empty() ? "" : "; ",
                              toString(candidate.kind), candidate.device, error.what());
    }
  }
  if (problems.empty()) problems = "EGL knows no platform without a display";
  throw graphicsError("no OpenGL context without a display can be made: " + problems, kRemedy);
}

HeadlessContext::HeadlessContext() : egl_(open(std::nullopt)) {
  makeCurrent();
}
HeadlessContext::HeadlessContext(ContextKind kind) : egl_(open(kind)) {
  makeCurrent();
}
HeadlessContext::~HeadlessContext() = default;
HeadlessContext::HeadlessContext(HeadlessContext&&) noexcept = default;
HeadlessContext& HeadlessContext::operator=(HeadlessContext&&) noexcept = default;

ContextKind HeadlessContext::kind() const {
  return egl_->kind;
}

void HeadlessContext::makeCurrent() const {
  if (eglMakeCurrent(egl_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, egl_->context) == EGL_FALSE)
    throw graphicsError(eglProblem("the OpenGL context cannot be made current"));
  loadGl(eglGetProcAddress);
}

std::vector<ContextReport> probeContexts() {
  std::vector<ContextReport> reports;
  for (const Candidate& candidate : findCandidates()) {
    ContextReport report;
    report.kind = candidate.kind;
    report.device = candidate.device;
    try {
      EGLContext context = createContext(candidate.display);
      if (eglMakeCurrent(candidate.display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_FALSE)
        report.problem = eglProblem("the context cannot be made current");
      else {
        loadGl(eglGetProcAddress);
        report.info = glInfo();
        report.works = true;
      }
      eglMakeCurrent(candidate.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
      eglDestroyContext(candidate.display, context);
    } catch (const Error& error) {
      report.problem = error.what();
    }
    reports.push_back(report);
  }
  return reports;
}

} // namespace sinew
