import { setTimeout as delay } from 'node:timers/promises';
import { isFwError } from '../errors/index.js';
import { FS_ERRORS } from './errors.js';

const TRIES = 10;
const PAUSE_MS = 50;

/**
 * Does work that reads files and writes them through a change set of its own, and repeats it whenever another process has changed them in
 * between. For files that are made from sources, such as `generated/`, which `fw dev` and a command beside it both bring up to date.
 *
 * @throws FwError `FW_CHANGESET_CONFLICT` if that never ends, and what the work throws
 */
export async function againOnConflict<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === TRIES || !isConflict(error)) throw error;
      await delay(PAUSE_MS);
    }
  }
}

const isConflict = (error: unknown): boolean => isFwError(error) && error.code === FS_ERRORS.FW_CHANGESET_CONFLICT.code;
