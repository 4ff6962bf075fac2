// Prints what the Khronos glTF validator (npm package gltf-validator) says of each file, a JSON
// array of {file, code, severity (0 error, 1 warning), pointer, message}.
// Usage: node gltf_validate.js FILE...; with --check ends with 0 if the package is there.
const fs = require("fs");

let validator;
try {
  validator = require("gltf-validator");
} catch (error) {
  console.error("gltf-validator is not installed: npm install gltf-validator, or set NODE_PATH");
  process.exit(1);
}

async function main() {
  const found = [];
  for (const file of process.argv.slice(2).filter((word) => word !== "--check")) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)));
    for (const message of report.issues.messages)
      if (message.severity < 2) found.push({ file, ...message });
  }
  console.log(JSON.stringify(found, null, 1));
}

main();
