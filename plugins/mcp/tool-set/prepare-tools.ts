import { createLogger } from '../../../kernel/index.js';
import { gatherTools } from './tool-set.js';
import { toolFacts } from './served-tool.js';

/** The module `#prepared-tools` of a build: what is known about the built-in tools, so that a start need not load them. */
export async function emitPreparedTools(): Promise<string> {
  const log = createLogger({ name: 'build', destination: process.stderr, level: 'warn' });
  const tools = await gatherTools({ builtIn: true, root: process.cwd(), log });
  try {
    const facts = tools.registry.tools().map(({ tool }) => toolFacts(tool));
    return `export const preparedTools = ${JSON.stringify(facts)};\n`;
  } finally {
    await tools.stop();
  }
}
