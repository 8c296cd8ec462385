import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Tiktoken } from 'js-tiktoken/lite';
import ranks from 'js-tiktoken/ranks/o200k_base';
import { TOOL_CATEGORIES } from '../../../kernel/index.js';
import { RecordingLogger } from '../../../kernel/testing/index.js';
import { newScope, unscopedScope } from '../scope/scope.js';
import { loadBuiltInTools } from '../testing/load-built-in-tools.js';
import { NOWHERE } from '../testing/fixture-plane.js';
import { ControlPlane } from '../protocol/control-plane.js';
import { servedTools } from './served-tool.js';
import { gatherTools, type ToolSet } from './tool-set.js';

// What a model pays for the tools before it calls one. The file is committed; a list that grows by more than 5 % fails, and
// FW_UPDATE_BUDGET=1 writes it anew, for a reviewer to see.
const FILE = path.join(import.meta.dirname, 'token-budget.json');
const MOST_FOR_ALL = 5_000;
const ALLOWED_GROWTH = 1.05;

const log = new RecordingLogger();
let tools: ToolSet;
beforeAll(async () => {
  await loadBuiltInTools();
  tools = await gatherTools({ root: '/', log });
});
afterAll(() => tools.stop());

function measure(): Record<string, number> {
  const tokenizer = new Tiktoken(ranks);
  const sizeOf = (scope: ReturnType<typeof unscopedScope>) => {
    const common = {
      tools: servedTools(tools.registry),
      mode: 'generator' as const,
      workspaceTools: true,
      paths: NOWHERE,
      log,
    };
    return tokenizer.encode(JSON.stringify(new ControlPlane({ ...common, scope }).list())).length;
  };
  return {
    all: sizeOf(unscopedScope()),
    ...Object.fromEntries(TOOL_CATEGORIES.map((category) => [category, sizeOf(newScope(category))])),
  };
}

describe('the size of tools/list in tokens (o200k_base)', () => {
  test('stays within its budget, in all and for each scope', () => {
    const measured = measure();
    if (process.env['FW_UPDATE_BUDGET']) writeFileSync(FILE, `${JSON.stringify(measured, null, 2)}\n`);
    const committed = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, number>;
    expect(Object.keys(committed)).toEqual(Object.keys(measured));
    for (const [scope, tokens] of Object.entries(measured)) {
      const most = (committed[scope] as number) * ALLOWED_GROWTH;
      if (tokens > most) {
        throw new Error(
          `tools/list for ${scope} has ${tokens} tokens, committed are ${committed[scope]}: shorten descriptions.`,
        );
      }
    }
    expect(measured['all']).toBeLessThanOrEqual(MOST_FOR_ALL);
  });
});
