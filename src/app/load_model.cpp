#include "app/load_model.h"

#include "animation/motion.h"
#include "core/error.h"
#include "demo/demo.h"

#include <fmt/format.h>

#include <chrono>
#include <future>
#include <memory>
#include <new>
#include <sys/resource.h>
#include <thread>

namespace sinew {
namespace {

using Clock = std::chrono::steady_clock;

// Bounds the process's data segment while it lives; allocations beyond it throw bad_alloc.
// Sanitizers reserve far more than they use, so there it does nothing.
class MemoryLimit {
 public:
  explicit MemoryLimit([[maybe_unused]] double megabytes) {
#ifndef __SANITIZE_ADDRESS__
    if (getrlimit(RLIMIT_DATA, &before_) != 0) return;
    rlimit limit = before_;
    const auto wanted = static_cast<rlim_t>(megabytes * 1024.0 * 1024.0);
    if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur <= wanted) return;
    limit.rlim_cur = wanted;
    active_ = setrlimit(RLIMIT_DATA, &limit) == 0;
#endif
  }
  ~MemoryLimit() {
    if (active_) setrlimit(RLIMIT_DATA, &before_);
  }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  rlimit before_{};
  bool active_ = false;
};

Error timeLimit(const std::string& name, double seconds) {
  return {ExitCode::limit, fmt::format("{}: not read within {} s; the file may be damaged, or "
                                       "--time-limit too short",
                                       name, seconds)};
}

} // namespace

std::string demoName(const std::string& name) {
  constexpr std::string_view kPrefix = "demo:";
  return name.rfind(kPrefix, 0) == 0 ? name.substr(kPrefix.size()) : std::string();
}

Model readModel(const std::string& name, const std::string& motion,
                const ImportProgress& progress) {
  ImportOptions options;
  options.progress = progress;
  const std::string demo = demoName(name);
  Model model = demo.empty() ? importModel(name, options) : findDemo(demo).make();
  if (motion.empty()) return model;
  options.decodeTextures = false;
  const MotionReport report = applyMotion(model, importModel(motion, options));
  if (!report.unmatched.empty())
    model.warnings.push_back(fmt::format("{} of {} moved joints of {} have no match in the model",
                                         report.unmatched.size(),
                                         report.unmatched.size() + report.matched.size(), motion));
  return model;
}

Model loadModel(const std::string& name, const LoadOptions& options) {
  const MemoryLimit memory(options.megabytes);
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                           std::chrono::duration<double>(options.seconds));
  // A reader that reports progress is cancelled by it; one that hangs is left behind.
  const auto inTime = [deadline, progress = options.progress](float fraction,
                                                              std::string_view what) {
    return Clock::now() < deadline && (!progress || progress(fraction, what));
  };
  std::packaged_task<Model()> task(
      [name, motion = options.motion, inTime] { return readModel(name, motion, inTime); });
  std::future<Model> result = task.get_future();
  std::thread(std::move(task)).detach();
  if (result.wait_until(deadline + std::chrono::seconds(2)) != std::future_status::ready)
    throw timeLimit(name, options.seconds);
  try {
    return result.get();
  } catch (const Cancelled&) {
    if (Clock::now() >= deadline) throw timeLimit(name, options.seconds);
    throw;
  } catch (const std::bad_alloc&) {
    throw Error(ExitCode::limit, fmt::format("{}: needs more than {} MB to read; the file may be "
                                             "damaged",
                                             name, options.megabytes));
  }
}

} // namespace sinew
