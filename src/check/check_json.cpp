#include "check/check_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace sinew {
namespace {

using CheckJson = nlohmann::ordered_json;

CheckJson number(double value) {
  return std::isfinite(value) ? CheckJson(value) : CheckJson();
}

CheckJson shapeJson(const JointShape& shape) {
  return {{"cross_section", number(shape.section)},
          {"volume", number(shape.volume)},
          {"folded", number(shape.folded)},
          {"crossings_per_triangle", number(shape.crossing)}};
}

} // namespace

nlohmann::ordered_json faultJson(const Model& model, const JointFault& fault) {
  const CheckMoment& moment = fault.moments.front();
  CheckJson out{{"joint", fault.name},
                {"name", fault.phrase},
                {"clip", moment.clip ? CheckJson(model.clips[*moment.clip].name) : CheckJson()},
                {"time", moment.clip ? CheckJson(moment.at) : CheckJson()},
                {"degrees", moment.clip ? CheckJson() : CheckJson(moment.at)},
                {"kind", fault.kind->name},
                {"sentence", describeFault(model, fault)},
                {"damage_percent", number(100.0 * fault.kind->damage(fault.shape))},
                {"severity", number(fault.severity)},
                {"twist_degrees", number(fault.shape.twist)},
                {"figures", shapeJson(fault.shape)}};
  CheckJson methods = CheckJson::array();
  for (const MethodShape& each : fault.methods)
    methods.push_back({{"method", each.method->name},
                       {"severity", number(each.severity)},
                       {"figures", shapeJson(each.shape)}});
  out["methods"] = methods;
  out["best"] = fault.best ? CheckJson(fault.methods[*fault.best].method->name) : CheckJson();
  return out;
}

nlohmann::ordered_json repairJson(const JointRepair& repair) {
  return {{"kind", repair.kind},
          {"text", repair.text},
          {"severity", number(repair.severity)},
          {"worsened", repair.worsened.empty() ? CheckJson() : CheckJson(repair.worsened)},
          {"figures", shapeJson(repair.shape)}};
}

std::string bestText(const JointFault& fault) {
  if (!fault.best) return {};
  const MethodShape& best = fault.methods[*fault.best];
  return fmt::format("best by {}: {}{}", best.method->title, figureText(*fault.kind, best.shape),
                     best.severity < 1.0 ? "" : ", still a fault");
}

std::string checkText(const Model& model, const Check& check) {
  std::string text;
  for (const JointFault& fault : check.joints) {
    if (fault.severity < 1.0) continue;
    const std::string best = bestText(fault);
    text += describeFault(model, fault) + (best.empty() ? "" : "\n    " + best) + "\n";
  }
  if (faultCount(check) == 0 && !check.joints.empty()) text += unbrokenText(model, check) + "\n";
  return text +
         fmt::format("{}; {}; {:.2f} s\n", countText(check), describeScope(check), check.seconds);
}

} // namespace sinew
