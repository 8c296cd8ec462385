import { homedir } from 'node:os';
import path from 'node:path';
import { fwError } from '../errors/index.js';
import { FS_ERRORS } from './errors.js';

/**
 * Folder of the state that fw keeps per user, outside of projects: `FW_MCP_STATE_DIR`, else `fw` in the XDG state folder.
 *
 * @throws FwError `FW_STATE_FOLDER` when nothing names one and the user has no home
 */
export function stateFolder(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const given = env['FW_MCP_STATE_DIR']?.trim();
  if (given) return path.resolve(given);
  const xdg = env['XDG_STATE_HOME'];
  return path.join(xdg && path.isAbsolute(xdg) ? xdg : path.join(home(), '.local', 'state'), 'fw');
}

function home(): string {
  try {
    const found = homedir();
    if (path.isAbsolute(found)) return found;
  } catch (cause) {
    throw fwError(FS_ERRORS.FW_STATE_FOLDER, { reason: (cause as Error).message }, { cause });
  }
  throw fwError(FS_ERRORS.FW_STATE_FOLDER, { reason: 'HOME is not an absolute path' });
}
