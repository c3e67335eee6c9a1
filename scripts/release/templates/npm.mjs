#!/usr/bin/env node
// Starts the PROGRAM of the package for this system in place of this process.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";

const own = `@tool-mapping-protocol/${process.platform}-${process.arch}`;
let program;
try {
  program = join(dirname(createRequire(import.meta.url).resolve(`${own}/package.json`)), "bin", "PROGRAM");
} catch {
  console.error(`PROGRAM: ${own} is not installed. There are packages for Linux and macOS on x64 and arm64; npm leaves them out with --omit=optional.`);
  process.exit(127);
}
const args = process.argv.slice(2);
if (process.execve) {
  process.execve(program, [program, ...args], process.env);
}
const { status, signal, error } = spawnSync(program, args, { stdio: "inherit" });
if (error) {
  console.error(`PROGRAM: ${error.message}`);
}
process.exit(signal ? 128 + constants.signals[signal] : (status ?? 126));
