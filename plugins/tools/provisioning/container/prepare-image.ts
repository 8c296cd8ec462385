#!/usr/bin/env node
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { type CompiledDriver, compiledDrivers } from '../../../../codegen/schematics/new/compiled-drivers.js';
import { runProcess } from '../../../../kernel/process/index.js';

// Runs once during the build of an image, as root: makes native code fit the image's Node, and makes process 1 of a container reap orphaned
// processes.

const WORKSPACE = '/workspace';
const INIT = '/init';

// As process 1, a shell reaps every child, also inherited ones; Node reaps only its own.
const SHELL_INIT = `#!/bin/sh
"$@" &
child=$!
trap 'kill -TERM "$child" 2>/dev/null' TERM INT HUP
code=0
while kill -0 "$child" 2>/dev/null; do
  wait "$child"
  code=$?
done
exit "$code"
`;

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

// An image without a shell has practically no orphans: only Node starts programs in it.
function writeInit(): void {
  rmSync(INIT, { force: true });
  if (isExecutable('/bin/sh')) return writeFileSync(INIT, SHELL_INIT, { mode: 0o755 });
  const env = ['/usr/bin/env', '/bin/env'].find(isExecutable);
  if (env) return symlinkSync(env, INIT);
  writeFileSync(INIT, `#!${process.execPath}\nawait import(process.argv[3]);\n`, { mode: 0o755 });
}

async function prepareNative(): Promise<void> {
  const { dependencies } = JSON.parse(readFileSync(path.join(WORKSPACE, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const driver of await compiledDrivers(WORKSPACE)) {
    const version = dependencies[driver.package];
    if (version !== undefined) await prepareDriver(driver, version);
  }
}

async function prepareDriver(driver: CompiledDriver, version: string): Promise<void> {
  if (await isLoaded(driver)) return;
  const { package: name } = driver;
  const made = await inWorkspace('npm', ['rebuild', name, '--foreground-scripts'], 10 * 60_000);
  process.stderr.write(`${made.stderr}\n`);
  if (made.exitCode === 0 && (await isLoaded(driver))) return;
  process.stderr.write(
    `${name} ${version} does not work with Node ${process.versions.node} of this image. Use a base image with the Node of the machine that provisions, or one with npm and a compiler.\n`,
  );
  process.exit(1);
}

// In a separate process, because a driver for a newer Node terminates the process silently.
async function isLoaded({ package: name, trial }: CompiledDriver): Promise<boolean> {
  const { exitCode, signal, stderr } = await inWorkspace(process.execPath, ['-e', trial], 60_000);
  if (exitCode === 0) return true;
  process.stderr.write(`${name} as copied does not load here: ${stderr.trim() || `ended by ${String(signal)}`}\n`);
  return false;
}

function inWorkspace(command: string, args: readonly string[], timeoutMs: number) {
  const request = { command, args, cwd: WORKSPACE, timeoutMs, maxOutputBytes: 1_000_000 };
  return runProcess(request).catch((error: Error) => ({ exitCode: 1, signal: null, stderr: error.message }));
}

await prepareNative();
writeInit();
if (existsSync(WORKSPACE)) chownSync(WORKSPACE, 1000, 1000);
