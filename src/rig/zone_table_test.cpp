#include "core/error.h"
#include "demo/demo.h"
#include "demo/rigging.h"
#include "rig/zone_table.h"

#include <doctest/doctest.h>

using namespace sinew;

TEST_CASE("zone table: through JSON unchanged, every part optional") {
  const Model model = findDemo("arm").make();
  ZoneTable table;
  table["UpperArm"] = {-0.125f, {}, {}};
  table["LowerArm"] = {-0.1f, 0.0625f, ParameterSource::zone};
  table["Hand"] = {{}, {}, ParameterSource::weights};
  const Model whole = findDemo("humanoid").make();
  ZoneTable curved;
  curved["Head"].curve = BlendCurve{BlendCurve::Kind::smooth};
  curved["Neck"] = {
      {}, 0.5f, {}, BlendCurve{BlendCurve::Kind::drawn, {{0.25f, 0.125f}, {0.5f, 0.75f}}}};
  curved["Hips"] = {{}, {}, {}, BlendCurve{}, "dqs"};
  curved["LeftHand"].twist = TwistRange{TwistRange::Kind::bone};
  curved["LeftUpperArm"].twist = TwistRange{TwistRange::Kind::given, -0.25f, 0.125f};
  curved["RightHand"].twist = TwistRange{};
  CHECK(zonesFromJson(whole, zonesToJson(curved), "memory") == curved);
  CHECK(zonesFromJson(model, zonesToJson(table), "memory") == table);
  CHECK(zonesFromJson(model, R"({"sinew":"zones"})", "memory").empty());
  CHECK(zonesFromJson(model, R"({"sinew":"zones","joints":{"Hand":{}}})", "memory")
            .at("Hand")
            .empty());
}

TEST_CASE("zone table: what it does not say is fitted") {
  const Model model = findDemo("arm").make();
  const Rig rig = buildRig(model);
  CHECK(rigZones({}, model.hierarchy, rig).zones.empty());
  CHECK(rigZones({}, model.hierarchy, rig).sources.empty());
  const std::uint32_t elbow = jointNamed(model, "LowerArm");
  ZoneTable table;
  table["LowerArm"].min = -0.125f;
  const RigZones zones = rigZones(table, model.hierarchy, rig);
  std::vector<Zone> expected = zonesFromWeights(rig, boneAxes(rig));
  expected[elbow].min = -0.125f;
  CHECK(zones.zones == expected);
  CHECK(zones.sources.empty());
  table["LowerArm"] = {{}, {}, ParameterSource::zone};
  CHECK(rigZones(table, model.hierarchy, rig).zones.empty());
  CHECK(rigZones(table, model.hierarchy, rig).sources[elbow] == ParameterSource::zone);
  CHECK_FALSE(rigZones(table, model.hierarchy, rig).sources[elbow + 1].has_value());
  CHECK(rigZones(table, model.hierarchy, rig).twists.empty());
  table["LowerArm"].twist = TwistRange{TwistRange::Kind::bone};
  CHECK(rigZones(table, model.hierarchy, rig).twists[elbow] == table["LowerArm"].twist);
  CHECK_FALSE(rigZones(table, model.hierarchy, rig).twists[elbow + 1].has_value());
}

TEST_CASE("zone table: nonsense is refused with file, joint and key") {
  const Model model = findDemo("arm").make();
  const auto message = [&](const std::string& joints) -> std::string {
    try {
      zonesFromJson(model, joints, "z.json");
    } catch (const Error& error) {
      CHECK(error.cause() == ErrorCause::input);
      return error.what();
    }
    return "accepted";
  };
  const auto ofHand = [&](const std::string& hand) {
    return message(R"({"sinew":"zones","joints":{"Hand":)" + hand + "}}");
  };
  CHECK(message("{").find("z.json: not valid JSON") == 0);
  CHECK(message("[]").find("z.json: not a zones file") == 0);
  CHECK(message(R"({"sinew":"pose","nodes":{}})").find("not a zones file") != std::string::npos);
  CHECK(message(R"({"sinew":"zones","joint":{}})").find("'joint' is unknown") != std::string::npos);
  CHECK(message(R"({"sinew":"zones","joints":[]})").find("'joints'") != std::string::npos);
  CHECK(message(R"({"sinew":"zones","joints":{"Nose":{}}})").find("no joint 'Nose'") !=
        std::string::npos);
  CHECK(ofHand("7").find("joint 'Hand' is 7") != std::string::npos);
  CHECK(ofHand(R"({"min":0.1})").find("'min' of joint 'Hand' is 0.1") != std::string::npos);
  CHECK(ofHand(R"({"min":0})").find("below 0") != std::string::npos);
  CHECK(ofHand(R"({"max":-1})").find("'max' of joint 'Hand' is -1; it must be a number above 0") !=
        std::string::npos);
  CHECK(ofHand(R"({"max":1e99})").find("'max'") != std::string::npos);
  CHECK(ofHand(R"({"max":"1"})").find("'max'") != std::string::npos);
  CHECK(ofHand(R"({"source":"bones"})").find("'source' of joint 'Hand' is \"bones\"") !=
        std::string::npos);
  CHECK(ofHand(R"({"mni":-1})").find("'mni' of joint 'Hand' is unknown") != std::string::npos);
  CHECK(ofHand(R"({"curve":"round"})").find("'curve' of joint 'Hand' is \"round\"") !=
        std::string::npos);
  CHECK(ofHand(R"({"curve":[[0.5,0.5],[0.25,0.75]]})")
            .find("fraction 0.25 is not between 0.5 and 1") != std::string::npos);
  CHECK(ofHand(R"({"curve":[[0.5]]})").find("points") != std::string::npos);
  CHECK(ofHand(R"({"curve":[[0.5,1e99]]})").find("factor") != std::string::npos);
  for (const char* twist : {"\"limb\"", "7", "[-1]", "[-1,0,1]", "[0,0]", "[0.1,1]", "[-1,-0.5]",
                            "[0,1e99]", "[\"a\",1]"})
    CHECK(ofHand(std::string("{\"twist\":") + twist + "}").find("'twist' of joint 'Hand' is ") !=
          std::string::npos);
  CHECK(ofHand(R"({"method":7})").find("'method' of joint 'Hand' is 7") != std::string::npos);
}

TEST_CASE("zone table: one joint in words, over what the table has") {
  Model model = findDemo("arm").make();
  model.hierarchy.nodes[jointNamed(model, "Hand")].name = "rig:hand"; // names have colons
  ZoneTable table;
  table["LowerArm"] = {-0.1f, 0.2f, ParameterSource::zone};
  readZoneText(model, "LowerArm:max=0.25:curve=0.25/0.125+0.5/0.75", table);
  readZoneText(model, "rig:hand:curve=smooth:method=dqs:source=weights:min=-1e-2", table);
  CHECK(table.at("LowerArm") ==
        JointZone{-0.1f, 0.25f, ParameterSource::zone,
                  BlendCurve{BlendCurve::Kind::drawn, {{0.25f, 0.125f}, {0.5f, 0.75f}}}});
  CHECK(
      table.at("rig:hand") ==
      JointZone{-0.01f, {}, ParameterSource::weights, BlendCurve{BlendCurve::Kind::smooth}, "dqs"});
  readZoneText(model, "LowerArm:twist=bone", table);
  CHECK(table.at("LowerArm").twist == TwistRange{TwistRange::Kind::bone});
  readZoneText(model, "LowerArm:twist=-0.25/0", table);
  CHECK(table.at("LowerArm").twist == TwistRange{TwistRange::Kind::given, -0.25f, 0.0f});
  CHECK(toString(*table.at("LowerArm").twist) == "-0.25/0");
  const ZoneTable before = table;
  for (const char* text :
       {"", "LowerArm", "LowerArm:twist=limb", "LowerArm:twist=0.1/0.2", "LowerArm:", ":max=1",
        "Nose:max=1", "LowerArm:max", "LowerArm:max=", "LowerArm:max=-1",
        "LowerArm:max=1:", "LowerArm:mix=1", "LowerArm:curve=0.5/", "LowerArm:curve=/0.5",
        "LowerArm:curve=0.5/0.5+", "LowerArm:curve=0.5/nan", "LowerArm:source=bones"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(readZoneText(model, text, table), Error);
    CHECK(table == before);
  }
}
