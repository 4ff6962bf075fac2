// Prints what the Khronos glTF validator (npm package gltf-validator) says of each file, a JSON
// array of {file, code, severity (0 error, 1 warning), pointer, message}. Buffers and images beside
// the file are looked at too.
// Usage: node gltf_validate.js FILE...; with --check ends with 0 if the package is there.
const fs = require("fs");
const path = require("path");

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
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
      externalResourceFunction: async (uri) =>
        new Uint8Array(fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(uri)))),
    });
    for (const message of report.issues.messages)
      if (message.severity < 2) found.push({ file, ...message });
  }
  console.log(JSON.stringify(found, null, 1));
}

main();
