import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { globSync } from 'tinyglobby';
import { loadBuiltInTools } from '../../../plugins/mcp/testing/load-built-in-tools.js';
import { type ToolFacts, toolFacts } from '../../../plugins/mcp/tool-set/served-tool.js';
import { gatherTools } from '../../../plugins/mcp/tool-set/tool-set.js';
import { runProcess } from '../../process/index.js';
import { RecordingLogger } from '../../testing/index.js';
import { PATIENCE_MS } from '../../testing/patience.js';

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

test('the plugins of the built-in tools load no compiler: an application that serves many of them would keep it in memory', async () => {
  const modules = globSync('plugins/tools/*/index.js', { cwd: DIST, absolute: true });
  expect(modules).toHaveLength(9);
  const script = `
    for (const module of ${JSON.stringify(modules.map((file) => pathToFileURL(file).href))}) await import(module);
    const { default: loader } = await import('node:module');
    console.log(Object.keys(loader._cache).filter((file) => /node_modules.(typescript|ts-morph)\\b/.test(file)).length);`;
  const args = ['--input-type=module', '-e', script];
  const limits = { timeoutMs: PATIENCE_MS, maxOutputBytes: 10_000 };
  const ended = await runProcess({ command: process.execPath, args, cwd: DIST, ...limits });
  expect(ended).toMatchObject({ exitCode: 0, stdout: '0\n' });
});
