import { access, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SignJWT } from 'jose';
import { type RunningProcess, startProcess } from '../../process/index.js';
import { INSTALL_MS, installedFramework, installProject } from './installed-framework.js';
import { until } from '../../testing/until.js';
import { PATIENCE_MS } from '../../testing/patience.js';

const STEP_MS = 240_000;
const SECRET = 'a secret of this test: 0123456789abcdef';

/** What a tool call answers, its text aside. */
interface Answer {
  readonly isError?: boolean;
  readonly structuredContent: Record<string, unknown>;
  readonly text: string;
}

let folder: string;
let shop: string;
let client: Client;
let service: RunningProcess | undefined;

/** Calls a tool; its whole answer is shown when it failed. */
async function call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { isError, structuredContent, text } = await answerOf(name, args);
  if (isError) throw new Error(`${name}: ${text}`);
  return structuredContent;
}

async function answerOf(name: string, args: Record<string, unknown>): Promise<Answer> {
  const options = { timeout: STEP_MS };
  const { content, ...rest } = await client.callTool({ name, arguments: args }, undefined, options);
  return { ...(rest as unknown as Answer), text: (content as { text: string }[]).map(({ text }) => text).join('\n') };
}

const start = async (): Promise<string> => {
  const env = { PORT: '0', JWT_ACCESS_SECRET: SECRET };
  service = await startProcess({ command: 'npm', args: ['start'], cwd: shop, env });
  const [, url = ''] = await service.waitForLine(/Application +(http:\/\/127\.0\.0\.1:\d+)/, {
    timeoutMs: PATIENCE_MS,
  });
  return url;
};

const stop = async (): Promise<void> => {
  await service?.stop({ graceMs: 10_000 });
  service = undefined;
};

const token = () =>
  new SignJWT({ sub: 'ada' })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('5m')
    .sign(new TextEncoder().encode(SECRET));

async function post(url: string, body: unknown, bearer?: string) {
  const headers = { 'Content-Type': 'application/json', ...(bearer && { Authorization: `Bearer ${bearer}` }) };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const isThere = (file: string) => access(path.join(shop, file)).then(() => true, () => false); // prettier-ignore
const config = () => readFile(path.join(shop, 'app.config.ts'), 'utf8');

/** What the refactoring stages: one more model behind the others, and a feature. */
async function stageRefactoring(): Promise<string> {
  const { id } = await call('fw_begin_change_set', { project_path: shop });
  const invoice = { kind: 'resource', name: 'Invoice', fields: ['number:string:required,unique', 'order:Order'] };
  await call('fw_stage_call', { change_set: id, tool: 'fw_generate', arguments: invoice });
  const staged = await call('fw_stage_call', { change_set: id, tool: 'fw_add', arguments: { feature: 'compression' } });
  expect(staged).toMatchObject({ staged_count: 2, applied_to_project: false });
  return String(id);
}

describe('an agent with nothing but the tools of fw-mcp, in an empty folder', () => {
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-agent-')));
    const framework = await installedFramework();
    shop = path.join(folder, 'shop');
    client = new Client({ name: 'agent', version: '1' });
    const command = { command: 'npx', args: ['--no', '--', 'fw-mcp', '--mode', 'generator', '--workspace', folder] };
    await client.connect(new StdioClientTransport({ ...command, cwd: framework, stderr: 'pipe' }));
  }, INSTALL_MS);

  afterAll(async () => {
    await stop();
    await client?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test(
    'plans a project without writing, and makes it at a path that is not there yet [MCP-OP-NEW-01] [MCP-CATEGORY-GENERATION]',
    async () => {
      expect(await call('fw_plan_project', { name: 'shop' })).toMatchObject({ valid: true, wrote_to_disk: false });
      expect(await readdir(folder)).toEqual([]);
      const made = await call('fw_new', { name: 'shop' });
      expect(made).toMatchObject({ path: shop, template: 'api', framework: 'packed' });
      expect(await isThere('app.config.ts')).toBe(true);
      expect(await answerOf('fw_new', { name: 'shop' })).toMatchObject({ isError: true });
      expect(await answerOf('fw_new', { name: 'shop', dir: path.dirname(folder) })).toMatchObject({ isError: true });
      await installProject(shop);
    },
    INSTALL_MS,
  );

  test(
    'generates two related models with documented routes, a token for writes, and tracing [MCP-CATEGORY-GENERATION]',
    async () => {
      const generate = (name: string, fields: string[]) =>
        call('fw_generate', { kind: 'resource', name, fields, dir: shop });
      const customer = await generate('Customer', ['name:string', 'email:string:email,unique']);
      expect(customer).toMatchObject({ problems: [], generated: expect.arrayContaining(['generated/customer.ts']) });
      await generate('Order', ['number:string:required,max=20', 'status:string:oneof=open paid', 'customer:Customer']);
      const jwt = { feature: 'jwt', flags: { methods: 'POST,PUT,PATCH,DELETE' }, dir: shop };
      expect(await call('fw_add', jwt)).toMatchObject({ feature: 'jwt', result: 'created', problems: [] });
      const fleet = { feature: 'tracing', flags: { aggregator: true }, dir: shop };
      expect(await call('fw_add', fleet)).toMatchObject({ feature: 'fleet', result: 'created' });
      expect(await call('fw_explain_project', { path: shop })).toMatchObject({
        features: expect.arrayContaining([
          expect.objectContaining({ name: 'jwt' }),
          expect.objectContaining({ name: 'fleet' }),
        ]),
        models: expect.arrayContaining([
          expect.objectContaining({
            name: 'Order',
            relations: [expect.objectContaining({ name: 'customer', model: 'Customer' })],
          }),
        ]),
      });
      const { routes } = await call('fw_routes', { dir: shop });
      const listed = (routes as { method: string; path: string }[]).map((each) => `${each.method} ${each.path}`);
      expect(listed).toEqual(
        expect.arrayContaining([
          'GET /api/orders',
          'GET /api/orders/:id',
          'POST /api/orders',
          'PUT /api/orders/:id',
          'DELETE /api/orders/:id',
        ]),
      );
    },
    STEP_MS,
  );

  test('verifies it: types, lint and tests are green', () => expectVerified(), STEP_MS);

  test(
    'starts it: writes ask for a token, relations hold, the API is documented, and requests are traced',
    async () => {
      const url = await start();
      const bearer = await token();
      const ada = { name: 'Ada', email: 'ada@example.com' };
      expect(await post(`${url}/api/customers`, ada)).toMatchObject({ status: 401 });
      const { status, body: customer } = await post(`${url}/api/customers`, ada, bearer);
      expect([status, customer]).toEqual([201, { id: expect.any(Number), ...ada }]);
      const order = { number: 'A-1', status: 'open', customerId: customer['id'] };
      expect(await post(`${url}/api/orders`, order, bearer)).toMatchObject({ status: 201, body: order });
      expect(await post(`${url}/api/orders`, { ...order, customerId: 99 }, bearer)).toMatchObject({ status: 422 });
      expect(await (await fetch(`${url}/api/orders`)).json()).toMatchObject({ total: 1 });

      const document = await call('fw_query_openapi', { service_url: url });
      expect(JSON.stringify(document)).toContain('/api/orders/{id}');
      // Spans are sent in batches: they are there after a while.
      await until(async () => {
        const { traces } = await call('fw_get_traces', { aggregator_url: url, service: 'shop', limit: 50 });
        return JSON.stringify(traces).includes('/api/orders');
      }, 'trace of the orders');
      await stop();
    },
    STEP_MS,
  );

  test(
    'refactors it: a change set that is discarded leaves no trace',
    async () => {
      const before = await config();
      const id = await stageRefactoring();
      expect([await config(), await isThere('app/models/invoice.ts')]).toEqual([before, false]);
      const dropped = await call('fw_discard_change_set', { change_set: id });
      expect(dropped).toMatchObject({ files_written: 0, discarded: expect.any(Array) });
      expect([await config(), await isThere('app/models/invoice.ts')]).toEqual([before, false]);
      expect(await answerOf('fw_commit_change_set', { change_set: id })).toMatchObject({ isError: true });
    },
    STEP_MS,
  );

  test(
    'writes nothing when somebody has edited a file meanwhile, and everything once it was staged on the new state',
    async () => {
      const stale = await stageRefactoring();
      const edited = (await config()).replace('/** The application.', '// Edited by a person.\n/** The application.');
      await writeFile(path.join(shop, 'app.config.ts'), edited);
      expect(await answerOf('fw_commit_change_set', { change_set: stale })).toMatchObject({
        isError: true,
        structuredContent: { applied: [], conflicts: [expect.objectContaining({ path: 'app.config.ts' })] },
      });
      expect([await config(), await isThere('app/models/invoice.ts')]).toEqual([edited, false]);
      await call('fw_discard_change_set', { change_set: stale });

      const id = await stageRefactoring();
      const committed = await call('fw_commit_change_set', { change_set: id });
      expect(committed).toMatchObject({ conflicts: [], problems: [] });
      const applied = (committed['applied'] as { path: string }[]).map((each) => each.path);
      expect(applied).toEqual(
        expect.arrayContaining(['app.config.ts', 'app/models/invoice.ts', 'app/models/order.ts']),
      );
      const after = await config();
      expect(after).toContain('// Edited by a person.\n/** The application.');
      expect(after).toContain(`import('fw/middleware/compression')`);
      const { entries } = await call('fw_get_change_history', { project_path: shop });
      expect(entries).toMatchObject([{ tool: 'fw_add' }, { tool: 'fw_generate' }]);
    },
    STEP_MS,
  );

  test(
    'ends with green tests and a service that has the new routes and the old rows',
    async () => {
      await expectVerified();
      const url = await start();
      expect(await (await fetch(`${url}/api/orders`)).json()).toMatchObject({ total: 1 });
      const invoice = { number: 'R-1', orderId: 1 };
      expect(await post(`${url}/api/invoices`, invoice, await token())).toMatchObject({ status: 201, body: invoice });
      await stop();
    },
    STEP_MS,
  );
});

async function expectVerified(): Promise<void> {
  const verified = await call('fw_verify_project', { path: shop });
  expect(verified).toMatchObject({
    ok: true,
    kind: 'node',
    counts: { build_errors: 0, vet_findings: 0, test_failures: 0, idiom_errors: 0 },
    tests_skipped: false,
  });
}
