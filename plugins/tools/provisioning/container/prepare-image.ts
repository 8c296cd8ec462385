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
import { createRequire } from 'node:module';
import path from 'node:path';
import { runProcess } from '../../../../kernel/process/index.js';

// Runs once in the build of an image, as root: sees to it that native code fits the image's Node, and that process 1 of a
// container collects orphans.

const WORKSPACE = '/workspace';
const INIT = '/init';

// A shell waits for every child that it has, also for those it inherits as process 1; Node only for its own.
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

// An image without a shell has no orphans to speak of either: nothing in it but Node starts programs.
function writeInit(): void {
  rmSync(INIT, { force: true });
  if (isExecutable('/bin/sh')) return writeFileSync(INIT, SHELL_INIT, { mode: 0o755 });
  const env = ['/usr/bin/env', '/bin/env'].find(isExecutable);
  if (env) return symlinkSync(env, INIT);
  writeFileSync(INIT, `#!${process.execPath}\nawait import(process.argv[3]);\n`, { mode: 0o755 });
}

async function prepareNative(): Promise<void> {
  const require = createRequire(path.join(WORKSPACE, 'package.json'));
  const { dependencies } = JSON.parse(readFileSync(path.join(WORKSPACE, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  if (!('better-sqlite3' in dependencies)) return;
  if (opensDatabase(require)) return;
  const made = await runProcess({
    command: 'npm',
    args: ['rebuild', 'better-sqlite3', '--foreground-scripts'],
    cwd: WORKSPACE,
    timeoutMs: 10 * 60_000,
    maxOutputBytes: 1_000_000,
  }).catch((error: Error) => ({ exitCode: 1, stderr: error.message }));
  process.stderr.write(`${made.stderr}\n`);
  if (made.exitCode === 0 && opensDatabase(require)) return;
  process.stderr.write(
    'better-sqlite3 cannot be compiled in this image: use a base image with npm and a compiler, or with the Node of this machine.\n',
  );
  process.exit(1);
}

function opensDatabase(require: NodeJS.Require): boolean {
  try {
    const Database = require('better-sqlite3') as new (file: string) => { close(): void };
    new Database(':memory:').close();
    return true;
  } catch (error) {
    process.stderr.write(`better-sqlite3 as copied does not load here: ${(error as Error).message}\n`);
    return false;
  }
}

await prepareNative();
writeInit();
if (existsSync(WORKSPACE)) chownSync(WORKSPACE, 1000, 1000);
