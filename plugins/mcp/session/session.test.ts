import { afterEach, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type ClientCapabilities,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import type { Logger, ToolContext } from '../../../kernel/index.js';
import { RecordingLogger } from '../../../kernel/testing/index.js';
import { ControlServer } from '../http/control-server.js';
import type { ControlPlane } from '../protocol/control-plane.js';
import { legacySse, streamable, textOf } from '../testing/clients.js';
import { echoTool, testPlane } from '../testing/fixture-plane.js';
import { stdioPair } from '../testing/stdio-pair.js';

const TOKEN = 'the-token';
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function overHttp(plane: ControlPlane, transportOf: typeof streamable | typeof legacySse): Promise<Transport> {
  const log = new RecordingLogger() as Logger;
  const server = new ControlServer({ plane, host: '127.0.0.1', port: 0, token: TOKEN, allowedOrigins: [], log });
  await server.bind();
  server.serve();
  closing.push(() => server.close());
  return transportOf(server.url, TOKEN);
}

const TRANSPORTS: readonly (readonly [string, (plane: ControlPlane) => Promise<Transport>])[] = [
  ['stdio', (plane) => Promise.resolve(stdioPair(plane))],
  ['Streamable HTTP', (plane) => overHttp(plane, streamable)],
  ['HTTP+SSE', (plane) => overHttp(plane, legacySse)],
];

/** A plane with one tool, `asked`, that does what a test gives it. */
const planeOf = (run: (context: ToolContext) => unknown) =>
  testPlane([
    echoTool('asked', 'fleet', {
      run: async (_, context) => ({ summary: String(await run(context)), structured: { text: '' } }),
    }),
  ]);

type Elicitation = NonNullable<ClientCapabilities['elicitation']>;
type Answer = () => Promise<{ action: 'accept' | 'decline' | 'cancel'; content?: Record<string, boolean> }>;

async function clientOf(transport: Transport, elicitation?: Elicitation, answer?: Answer): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { ...(elicitation && { elicitation }) } });
  if (answer) client.setRequestHandler(ElicitRequestSchema, answer);
  await client.connect(transport);
  closing.push(() => client.close());
  return client;
}

const summaryOf = (result: unknown) => textOf(result).split('\n')[0];

describe.each(TRANSPORTS)('a call over %s', (_, open) => {
  test('says all of its progress before its result', async () => {
    const plane = planeOf(({ progress }) => [1, 2, 3].forEach((done) => progress(done, 3, `step ${done}`)));
    const client = await clientOf(await open(plane));
    const heard: unknown[] = [];
    await client.callTool({ name: 'asked' }, undefined, { onprogress: ({ progress }) => heard.push(progress) });
    expect(heard).toEqual([1, 2, 3]);
  });

  test('tells the client what it logs, from the level on that the client wants, and without the fields', async () => {
    const plane = planeOf(({ log }) => {
      log.debug('fine');
      log.warn({ secret: 'hunter2' }, 'odd');
    });
    const client = await clientOf(await open(plane));
    const heard: unknown[] = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void heard.push(params));
    await client.callTool({ name: 'asked' });
    expect(heard.splice(0)).toEqual([{ level: 'warning', logger: 'asked', data: 'odd' }]);
    await client.setLoggingLevel('debug');
    await client.callTool({ name: 'asked' });
    expect(heard.splice(0)).toEqual([
      { level: 'debug', logger: 'asked', data: 'fine' },
      { level: 'warning', logger: 'asked', data: 'odd' },
      { level: 'info', logger: 'asked', data: expect.stringMatching(/^ok after \d+ ms$/) },
    ]);
    await client.setLoggingLevel('emergency');
    await client.callTool({ name: 'asked' });
    expect(heard).toEqual([]);
  });

  const accepts: Answer = () => Promise.resolve({ action: 'accept', content: { confirm: true } });
  const cannot: Answer = () => Promise.reject(new McpError(-32601, 'no'));
  const breaks: Answer = () => Promise.reject(new McpError(-32603, 'broken'));
  const cases: readonly [string, Elicitation | undefined, Answer | undefined, string][] = [
    ['a yes', {}, accepts, 'yes'],
    ['a yes in the words of 2025-11-25', { form: {}, url: {} }, accepts, 'yes'],
    ['an accepted no', {}, () => Promise.resolve({ action: 'accept', content: { confirm: false } }), 'no'],
    ['a refusal', {}, () => Promise.resolve({ action: 'decline' }), 'no'],
    ['a closed form', {}, () => Promise.resolve({ action: 'cancel' }), 'no'],
    ['no answer because the client broke', {}, breaks, 'no'],
    ['no answer because the client cannot after all', {}, cannot, 'unasked'],
    ['nothing: it cannot ask', undefined, undefined, 'unasked'],
    ['nothing: it asks through addresses only', { url: {} }, undefined, 'unasked'],
  ];

  test.each(cases)('asks, and gets %s', async (_case, elicitation, answer, expected) => {
    const client = await clientOf(await open(planeOf(({ confirm }) => confirm('Really?'))), elicitation, answer);
    expect(summaryOf(await client.callTool({ name: 'asked' }))).toBe(expected);
  });
});

describe('a session', () => {
  test('refuses what is no level of a log', async () => {
    const client = await clientOf(stdioPair(planeOf(() => '')));
    await expect(client.setLoggingLevel('loud' as never)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/one of debug, info, notice, warning, error, critical, alert, emergency/),
    });
  });

  test('ends a question when the call is cancelled', async () => {
    const stop = new AbortController();
    let outcome = '';
    const plane = planeOf(async ({ confirm }) => {
      await confirm('Really?').catch(() => (outcome = 'cancelled'));
    });
    const never: Answer = () => new Promise(() => stop.abort());
    const client = await clientOf(stdioPair(plane), {}, never);
    await expect(client.callTool({ name: 'asked' }, undefined, { signal: stop.signal })).rejects.toThrow();
    await client.ping();
    expect(outcome).toBe('cancelled');
  });
});
