import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { defineErrors, fwError } from '../errors/index.js';
import { environmentHint } from './environment-hint.js';

const ERRORS = defineErrors('hint/test', {
  FW_JWT_HINTED: { message: 'needs {option}', cause: 'a test', remedy: 'none' },
  FW_ORM_HINTED: { message: 'needs {option}', cause: 'a test', remedy: 'none' },
  FW_MCP_PORT_IN_USE_HINTED: { message: '{port} is taken', cause: 'a test', remedy: 'none' },
});
const CONFIG = `import { defineApp, plugin } from 'fw';
const { env } = process;
export default defineApp({ name: 'x', plugins: [
  plugin(() => import('fw/http'), { host: env.HOST ?? '127.0.0.1', port: Number(env.PORT ?? 3000) }, { test: { port: 0 } }),
  plugin(() => import('fw/middleware/jwt'), { accessSecret: process.env.HINTED_SECRET ?? '', protect: ['/api/**'] }),
  plugin(() => import('fw/mcp'), { mode: 'app-runtime', port: Number(process.env.HINTED_MCP_PORT ?? 3100) }),
  plugin(
    () => import('fw/orm'), { driver: 'postgres', url: process.env['HINTED_URL'] ?? '' },
  ),
] });
`;

let root: string;
beforeEach(() => void (root = mkdtempSync(path.join(tmpdir(), 'fw-hint-'))));
afterEach(() => rmSync(root, { recursive: true }));

describe('the variable that an option comes from', () => {
  const secret = fwError(ERRORS.FW_JWT_HINTED, { option: 'accessSecret' });

  test('is named with its state, by the configuration of the plugin that the error is of', async () => {
    writeFileSync(path.join(root, 'app.config.ts'), CONFIG);
    expect(await environmentHint(secret, root)).toBe(
      'app.config.ts takes `accessSecret` from the environment variable HINTED_SECRET, which is not set.',
    );
    expect(await environmentHint(fwError(ERRORS.FW_ORM_HINTED, { option: 'url' }), root)).toContain('HINTED_URL');
    const taken = fwError(ERRORS.FW_MCP_PORT_IN_USE_HINTED, { port: 3100 });
    expect(await environmentHint(taken, root)).toMatch(
      /`port` from the environment variable HINTED_MCP_PORT, .* such as HINTED_MCP_PORT=3101\.$/,
    );
  });

  test('is read from what was built where the source is not there, and of no other error', async () => {
    expect(await environmentHint(secret, root)).toBeUndefined();
    mkdirSync(path.join(root, 'dist'));
    writeFileSync(path.join(root, 'dist/app.config.js'), CONFIG);
    expect(await environmentHint(secret, root)).toContain('HINTED_SECRET');
    expect(await environmentHint(new Error('x'), root)).toBeUndefined();
    expect(await environmentHint(fwError(ERRORS.FW_ORM_HINTED, { option: 'accessSecret' }), root)).toBeUndefined();
  });
});
