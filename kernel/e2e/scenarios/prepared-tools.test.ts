import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { loadBuiltInTools } from '../../../plugins/mcp/testing/load-built-in-tools.js';
import { type ToolFacts, toolFacts } from '../../../plugins/mcp/tool-set/served-tool.js';
import { gatherTools } from '../../../plugins/mcp/tool-set/tool-set.js';
import { RecordingLogger } from '../../testing/index.js';

const DIST = path.resolve(import.meta.dirname, '../../../dist');

describe('the tools that the build writes down', () => {
  test('are those that the plugins bring, word for word', async () => {
    await loadBuiltInTools();
    const tools = await gatherTools({ root: DIST, log: new RecordingLogger() });
    const live = tools.registry.tools().map(toolFacts);
    await tools.stop();
    const { preparedTools } = (await import(pathToFileURL(path.join(DIST, 'prepared-tools.js')).href)) as {
      preparedTools: readonly ToolFacts[];
    };
    expect(preparedTools).toEqual(JSON.parse(JSON.stringify(live)));
  });
});
