// Before all tests: what fw keeps for a user outside every project goes to a folder of this run. Workers and what they start
// inherit the variable, so that nothing is written to the state folder of who runs the tests.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Makes the folder. */
export default async function ownStateFolder() {
  process.env.FW_MCP_STATE_DIR = await mkdtemp(path.join(tmpdir(), 'fw-test-state-'));
}
