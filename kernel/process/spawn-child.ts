import type { ChildProcess, StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fwError } from '../errors/index.js';
import { cleanEnvironment, type EnvironmentRequest } from './clean-environment.js';
import { PROCESS_ERRORS } from './errors.js';
import { findCommand, isPath, searchedFolders } from './find-command.js';
import { rememberGroup } from './live-groups.js';

/** What every child needs. There is no option for a shell. */
export interface ChildRequest extends EnvironmentRequest {
  /** A name that is searched on the child's PATH, or a path. */
  readonly command: string;
  /** Handed over one by one, as they are: shell syntax in them means nothing. */
  readonly args: readonly string[];
  /** Working directory. */
  readonly cwd: string;
}

/** How a child ended: by itself with a code, or by a signal. */
export interface ProcessExit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A child that has started. */
export interface SpawnedChild {
  readonly child: ChildProcess;
  readonly pid: number;
  /** The child itself has ended and was reaped; its own children may still run. */
  readonly exited: Promise<ProcessExit>;
  /** The child has ended and nobody holds its output pipes any more. */
  readonly closed: Promise<void>;
}

/**
 * Starts a child as the leader of a process group of its own.
 *
 * @throws FwError `FW_PROCESS_NOT_FOUND`, `FW_PROCESS_DIRECTORY`, `FW_PROCESS_ARGUMENT`, `FW_PROCESS_SPAWN`
 */
export async function spawnChild(request: ChildRequest, stdio: StdioOptions): Promise<SpawnedChild> {
  checkArguments(request);
  const env = cleanEnvironment(request);
  const path = await locate(request, env);
  // Loaded lazily: an application that never starts a child does not need the module.
  const { spawn } = await import('node:child_process');
  try {
    return await started(
      spawn(path, [...request.args], {
        cwd: request.cwd,
        env,
        stdio,
        shell: false,
        windowsHide: true,
        // In a group of its own the child can be ended together with everything that it started.
        detached: process.platform !== 'win32',
      }),
    );
  } catch (cause) {
    const reason = (cause as Error).message;
    throw fwError(PROCESS_ERRORS.FW_PROCESS_SPAWN, { command: request.command, reason }, { cause });
  }
}

async function started(child: ChildProcess): Promise<SpawnedChild> {
  // The listeners are added at once: the child may end before a caller gets to add its own.
  const exited = new Promise<ProcessExit>((done) => {
    child.once('exit', (exitCode, signal) => done({ exitCode, signal }));
  });
  const closed = new Promise<void>((done) => child.once('close', () => done()));
  await once(child, 'spawn');
  const pid = child.pid as number;
  rememberGroup(pid);
  return { child, pid, exited, closed };
}

// The program is looked up here and not by spawn, because spawn reports ENOENT for a missing directory too, and because with a relative
// PATH entry a project could supply its own `git` or `docker`.
async function locate({ command, cwd }: ChildRequest, env: Record<string, string>): Promise<string> {
  const isDirectory = await stat(cwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isDirectory) throw fwError(PROCESS_ERRORS.FW_PROCESS_DIRECTORY, { command, cwd });
  const found = await findCommand(command, { env, cwd });
  if (found) return found.path;
  if (isPath(command) && (await exists(resolve(cwd, command)))) {
    throw fwError(PROCESS_ERRORS.FW_PROCESS_SPAWN, { command, reason: 'it is there, but is not an executable file' });
  }
  const searched = isPath(command) ? cwd : searchedFolders(env).join(', ') || 'no folder, because PATH is empty';
  throw fwError(PROCESS_ERRORS.FW_PROCESS_NOT_FOUND, { command, searched });
}

async function exists(at: string): Promise<boolean> {
  return stat(at).then(
    () => true,
    () => false,
  );
}

function checkArguments({ command, args, cwd, env = {} }: ChildRequest): void {
  const refuse = (problem: string, expected: string): never => {
    throw fwError(PROCESS_ERRORS.FW_PROCESS_ARGUMENT, { command: String(command), problem, expected });
  };
  if (typeof command !== 'string' || command.trim() === '') refuse('its name is empty', 'a name or a path');
  if (!Array.isArray(args)) refuse('its arguments are not an array', 'one string per argument');
  args.forEach((each, index) => {
    if (typeof each !== 'string') refuse(`argument ${index + 1} is not a string`, 'one string per argument');
  });
  const texts = [command, cwd, ...args, ...Object.entries(env).flat()];
  if (texts.some((text) => text?.includes('\0'))) {
    refuse('its name, directory, an argument or a variable contains a NUL character', 'text without NUL');
  }
}
