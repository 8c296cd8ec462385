import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningProcess, runProcess, startProcess } from '../../process/index.js';
import { until } from '../../testing/until.js';
import { PATIENCE_MS } from '../../testing/patience.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const FW = path.join(ROOT, 'dist/kernel/bin/fw.js');

let folder: string;

const fw = (...args: string[]) =>
  runProcess({
    command: process.execPath,
    args: [FW, ...args],
    cwd: ROOT,
    timeoutMs: PATIENCE_MS,
    maxOutputBytes: 1_000_000,
  });

interface Shop {
  readonly url: string;
  readonly child: RunningProcess;
}

async function startShop(env: Record<string, string> = {}): Promise<Shop> {
  const child = await startProcess({
    command: process.execPath,
    args: [FW, 'start', '--profile', 'dev'],
    cwd: ROOT,
    env: { PORT: '0', MCP_PORT: '0', SHOP_DATABASE: path.join(folder, 'shop.sqlite'), ...env },
  });
  const [url] = await child.waitForLine(/http:\/\/127\.0\.0\.1:\d+/, { timeoutMs: PATIENCE_MS });
  return { url, child };
}

const send = (url: string, method: string, body: unknown) =>
  fetch(url, {
    method,
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('the reference app', () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'fw-shop-'));
    expect(await fw('build', '--no-check')).toMatchObject({ exitCode: 0 });
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('answers from SQLite, creates an order, and keeps it over a restart', async () => {
    const first = await startShop();
    const products = (await (await fetch(`${first.url}/api/products`)).json()) as {
      id: number;
      sku: string;
      stock: number;
    }[];
    expect(products.map(({ sku }) => sku)).toEqual(['TEA-001', 'TEA-002', 'CUP-001', 'POT-001']);
    const order = { customerId: 1, lines: [{ productId: products[0]?.id, quantity: 2 }] };
    const created = await send(`${first.url}/api/orders`, 'POST', order);
    expect(created.status).toBe(201);
    const body = (await created.json()) as { id: number };
    expect(body).toMatchObject({ customerId: 1, status: 'open', lines: [{ quantity: 2, priceCents: 690 }] });
    expect(await first.child.stop({ graceMs: 10_000 })).toMatchObject({ exitCode: 0 });

    const second = await startShop();
    expect(await (await fetch(`${second.url}/api/orders/${body.id}`)).json()).toEqual(body);
    expect(await (await fetch(`${second.url}/api/products/1`)).json()).toMatchObject({ stock: 118 });
    await second.child.stop();
  });

  test('shows a request as a trace, with a span for each of its statements and no value of them', async () => {
    const { url, child } = await startShop({ SHOP_DATABASE: ':memory:' });
    const order = { customerId: 1, lines: [{ productId: 1, quantity: 77 }] };
    expect((await send(`${url}/api/orders`, 'POST', order)).status).toBe(201);
    interface Span {
      readonly method: string;
      readonly route: string;
      readonly kind?: string;
      readonly children?: readonly Span[];
    }
    const fleet = async (path: string) => (await fetch(`${url}/fleet/api/${path}`)).json();
    let found: { readonly trace_id: string; readonly span_count: number } | undefined;
    await until(async () => {
      const traces = (await fleet('traces?min_services=1')) as (NonNullable<typeof found> & { route: string })[];
      found = traces.find(({ route }) => route === '/api/orders');
      return found !== undefined;
    }, 'trace of the order');
    const { roots } = (await fleet(`traces/${found?.trace_id}`)) as { roots: readonly Span[] };
    expect(roots).toMatchObject([{ method: 'POST', route: '/api/orders' }]);
    const statements = roots[0]?.children ?? [];
    expect(new Set(statements.map(({ kind }) => kind))).toEqual(new Set(['query']));
    expect(statements.map(({ method }) => method)).toEqual(expect.arrayContaining(['SELECT', 'INSERT', 'UPDATE']));
    expect(statements.some(({ route }) => /^INSERT INTO "order_lines" .* VALUES \(\?/.test(route))).toBe(true);
    expect(statements.map(({ route }) => route).join()).not.toContain('77');
    await child.stop();
  });

  test('tells how each subsystem is doing, and which ones there are [DIAG-HTTP-02]', async () => {
    const { url, child } = await startShop({ SHOP_DATABASE: ':memory:' });
    const ask = (subsystem: string) => fetch(`${url}/dashboard/api/diagnostics?subsystem=${subsystem}`);
    for (const subsystem of ['mcp', 'docs', 'fleet', 'orm']) {
      const answer = await ask(subsystem);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ subsystem, status: 'ok', summary: expect.any(String) });
    }
    const unknown = await (await ask('nope')).json();
    expect(unknown).toMatchObject({ registered: expect.arrayContaining(['mcp', 'docs', 'fleet', 'orm']) });
    await child.stop();
  });

  test('answers bad input with one problem+json that lists each field', async () => {
    const { url, child } = await startShop();
    const undecodable = await send(`${url}/api/orders`, 'POST', '{"customerId": ');
    expect(undecodable.status).toBe(400);
    expect(undecodable.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    const invalid = await send(`${url}/api/orders`, 'POST', { customerId: 'x', lines: [{ quantity: 0 }] });
    expect(invalid.status).toBe(422);
    const problem = (await invalid.json()) as {
      errors: { in: string; field: string; rule: string; message: string }[];
    };
    expect(problem).toMatchObject({ status: 422, instance: '/api/orders' });
    expect(problem.errors.map((error) => `${error.in} ${error.field} ${error.rule}`).sort()).toEqual([
      'body customerId type',
      'body lines.0.productId required',
      'body lines.0.quantity minimum',
    ]);
    expect(
      (await send(`${url}/api/orders`, 'POST', { customerId: 1, lines: [{ productId: 4, quantity: 900 }] })).status,
    ).toBe(409);
    expect((await fetch(`${url}/api/orders/999`)).status).toBe(404);
    await child.stop();
  });

  test('rolls an order back as a whole when one of its lines is out of stock', async () => {
    const { url, child } = await startShop({ SHOP_DATABASE: ':memory:' });
    const lines = [{ productId: 1, quantity: 1 }, { productId: 4, quantity: 1000 }]; // prettier-ignore
    expect((await send(`${url}/api/orders`, 'POST', { customerId: 1, lines })).status).toBe(409);
    expect(await (await fetch(`${url}/api/orders`)).json()).toEqual([]);
    expect(await (await fetch(`${url}/api/products/1`)).json()).toMatchObject({ stock: 120 });
    await child.stop();
  });

  test('says which port is in use, what to do, and exits 1', async () => {
    const { url, child } = await startShop({ SHOP_DATABASE: ':memory:' });
    const port = new URL(url).port;
    const second = await runProcess({
      command: process.execPath,
      args: [FW, 'start'],
      cwd: ROOT,
      env: { PORT: port, MCP_PORT: '0', SHOP_DATABASE: ':memory:' },
      timeoutMs: PATIENCE_MS,
      maxOutputBytes: 100_000,
    });
    expect(second.exitCode).toBe(1);
    expect(second.stderr).toContain(`FW_HTTP_PORT_IN_USE: Port ${port} on 127.0.0.1 is in use.`);
    await child.stop();
  });

  test('lists the same routes from the sources as the running server has', async () => {
    const { stdout, exitCode } = await fw('routes', '--json');
    expect(exitCode).toBe(0);
    const listed = (JSON.parse(stdout) as { method: string; path: string }[]).map(
      ({ method, path: at }) => `${method} ${at}`,
    );
    expect(listed).toEqual(expect.arrayContaining(['GET /api/products', 'POST /api/orders', 'GET /api/admin/summary']));
  });
});
