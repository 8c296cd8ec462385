// Before all tests: sets fw's state folder to a folder of this run. Workers and their children inherit the variable, so that tests do not
// write to the user's own state folder.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Makes the folder. */
export default async function ownStateFolder() {
  process.env.FW_MCP_STATE_DIR = await mkdtemp(path.join(tmpdir(), 'fw-test-state-'));
}
