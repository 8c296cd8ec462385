import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { forgetGroup } from './live-groups.js';
import { type ChildRequest, spawnChild } from './spawn-child.js';

/**
 * Starts a child that goes on when this process ends. Nothing stops it, so it has to end by itself.
 *
 * @param output - absolute path of the file that gets what it prints; it is replaced
 * @returns the id of the process
 * @throws FwError as `startProcess`
 */
export async function leaveRunning(request: ChildRequest, output: string): Promise<number> {
  await mkdir(path.dirname(output), { recursive: true });
  const file = await open(output, 'w', 0o600);
  try {
    const { child, pid } = await spawnChild(request, ['ignore', file.fd, file.fd]);
    forgetGroup(pid);
    child.unref();
    return pid;
  } finally {
    await file.close();
  }
}
