import { createLogger } from '../../../kernel/index.js';
import { gatherTools } from './tool-set.js';
import { toolFacts } from './served-tool.js';

/** The module `#prepared-tools` of a build: facts about the built-in tools, so that a start need not load them. */
export default async function emitPreparedTools(): Promise<string> {
  const log = createLogger({ name: 'build', destination: process.stderr, level: 'warn' });
  const tools = await gatherTools({ root: process.cwd(), log });
  try {
    const facts = tools.registry.tools().map(toolFacts);
    return `export const preparedTools = ${JSON.stringify(facts)};\n`;
  } finally {
    await tools.stop();
  }
}
