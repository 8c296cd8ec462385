import { rm } from 'node:fs/promises';

/** After all tests: removes what own-state-folder.mjs has made. */
export default async function removeStateFolder() {
  await rm(process.env.FW_MCP_STATE_DIR, { recursive: true, force: true });
}
