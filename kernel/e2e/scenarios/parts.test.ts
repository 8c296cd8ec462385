import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import config from '../../../app.config.js';
import { loadBuiltInTools } from '../../../plugins/mcp/testing/load-built-in-tools.js';
import { Address, HttpServer } from '../../contracts/index.js';
import { type RunningProcess, startProcess } from '../../process/index.js';
import { freePort } from '../../testing/free-port.js';
import { anyOptions } from '../../../plugins/orm/contract/any-database.js';
import { bootConfig } from '../../testing/boot-config.js';
import type { BootedTestApp } from '../../testing/index.js';
import { PATIENCE_MS } from '../../testing/patience.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const FW_MCP = path.join(ROOT, 'dist/plugins/mcp/bin/fw-mcp.js');
const TOKEN = 'a-token-for-the-parts';

describe('the whole service', () => {
  let app: BootedTestApp;
  let control: RunningProcess;
  let addresses: Record<'control' | 'app' | 'appMcp' | 'aggregator', string>;

  beforeAll(async () => {
    await loadBuiltInTools();
    app = await bootConfig(config, { root: ROOT, overrides: { orm: await anyOptions() } });
    const args = [FW_MCP, '--mode', 'generator', '--port', String(await freePort())];
    control = await startProcess({ command: process.execPath, args, cwd: ROOT, env: { FW_MCP_TOKEN: TOKEN } });
    const [controlURL] = await control.waitForLine(/http:\/\/127\.0\.0\.1:\d+/, { timeoutMs: PATIENCE_MS });
    const named = (label: string) => {
      return (
        app.services
          .all(Address)
          .find((each) => each.label === label)
          ?.url() ?? `no address "${label}"`
      );
    };
    addresses = {
      control: controlURL,
      app: app.services.get(HttpServer).url,
      appMcp: named('MCP (agents)').replace(/\/mcp$/, ''),
      aggregator: named('Fleet aggregator'),
    };
  });
  afterAll(async () => {
    await control?.stop();
    await app?.stop();
  });

  test('has five parts, each of them plugins: control plane, HTTP middleware, Fleet, API reference, ORM [FW-PARTS-01]', () => {
    const ready = app.report().plugins.filter(({ state }) => state === 'ready');
    const ofCategory = (category: string) => ready.filter((plugin) => plugin.category === category).length;
    expect({
      mcp: ofCategory('mcp'),
      middleware: ofCategory('middleware'),
      fleet: ofCategory('fleet'),
      docs: ofCategory('docs'),
      orm: ofCategory('orm'),
    }).toEqual({
      mcp: 1,
      middleware: expect.any(Number),
      // Tracer, aggregator, and the tools that read it.
      fleet: 3,
      docs: 1,
      orm: 1,
    });
    expect(ofCategory('middleware')).toBeGreaterThanOrEqual(8);
  });

  test('has four kinds of address, and none answers for another [FW-ADDRESSES-01]', async () => {
    const { control: controlURL, app: appURL, appMcp, aggregator } = addresses;
    expect(new Set([controlURL, appURL, appMcp].map((url) => new URL(url).port)).size).toBe(3);

    expect((await fetch(`${appURL}/api/products`)).status).toBe(200);
    expect((await fetch(`${aggregator}/api/topology`)).status).toBe(200);
    for (const mcp of [controlURL, appMcp]) {
      const misdirected = await fetch(`${mcp}/api/products`, { headers: { authorization: `Bearer ${TOKEN}` } });
      expect(misdirected.status).toBeGreaterThanOrEqual(400);
      expect(misdirected.headers.get('content-type')).toMatch(/^application\/json/);
      expect(await misdirected.json()).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } });
    }
    const initialize = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} });
    const asked = await fetch(`${appURL}/mcp`, { method: 'POST', body: initialize });
    expect([404, 405]).toContain(asked.status);
  });
});
