import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Logger } from '../../../kernel/index.js';
import { RecordingLogger } from '../../../kernel/testing/index.js';
import { PATIENCE_MS } from '../../../kernel/testing/patience.js';
import { ControlServer } from '../http/control-server.js';
import { serveStdio } from '../stdio/stdio-server.js';
import { bearer } from '../testing/clients.js';
import { testPlane } from '../testing/fixture-plane.js';

const METHODS = ['initialize', 'ping', 'tools/list', 'tools/call', 'resources/list', 'resources/read', 'resources/templates/list', 'prompts/list', 'prompts/get', 'completion/complete', 'logging/setLevel', 'notifications/initialized', 'notifications/cancelled', 'notifications/progress', 'roots/list', '', '__proto__', 'constructor', 'toString']; // prettier-ignore
const KEYS = ['name', 'arguments', 'text', 'dir', 'cursor', 'uri', 'level', '_meta', 'progressToken', 'protocolVersion', 'capabilities', 'clientInfo', 'requestId', 'ref', 'argument', '__proto__', 'constructor']; // prettier-ignore
const VALUES = ['echo_fleet', 'no_such_tool', '2024-11-05', 'fw://docs/README.md', 'file:///etc/passwd', 'debug', '', '\0', '../..', 'ref/prompt', 7, -1, 1e400, null, true, [], {}]; // prettier-ignore

const odd = fc.oneof(fc.constantFrom<unknown>(...VALUES), fc.jsonValue({ maxDepth: 2 }));
const params = fc.oneof(
  fc.dictionary(fc.constantFrom(...KEYS), odd, { maxKeys: 5 }),
  fc.record({ name: fc.constantFrom('echo_fleet', 'echo_runtime', 'none'), arguments: fc.dictionary(fc.constantFrom(...KEYS), odd) }), // prettier-ignore
  odd,
);
const message = fc.record(
  {
    jsonrpc: fc.constantFrom<unknown>('2.0', '2.0', '2.0', '1.0', 2, null),
    id: fc.oneof(fc.integer(), fc.string({ maxLength: 5 }), fc.constantFrom<unknown>(null, 1.5, {}, [], true)),
    method: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...METHODS) }, { weight: 1, arbitrary: odd }),
    params,
    result: odd,
    error: odd,
  },
  { requiredKeys: [] },
);
const frame = fc.oneof(
  { weight: 6, arbitrary: message.map((value) => JSON.stringify(value)) },
  { weight: 2, arbitrary: fc.array(fc.oneof(message, odd), { maxLength: 4 }).map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 1, arbitrary: fc.constantFrom('{', '[', '[[]]', '""', '\u2028', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', `${'['.repeat(5_000)}${']'.repeat(5_000)}`) }, // prettier-ignore
);

const CODES = [-32700, -32600, -32601, -32602, -32603, -32002, -32000];

/** An answer as JSON-RPC 2.0, section 5, has it: a result or an error, and the id of what it answers. */
function expectResponse(answer: Record<string, unknown>): void {
  expect(answer['jsonrpc']).toBe('2.0');
  if ('method' in answer) return expect(typeof answer['method']).toBe('string');
  expect('result' in answer).not.toBe('error' in answer);
  expect(['string', 'number', 'object']).toContain(typeof answer['id']);
  if ('error' in answer) expect(CODES).toContain((answer['error'] as { readonly code: number }).code);
}

describe('frames that no client would send', () => {
  const PING = 'the last one';

  test('over stdio are answered or passed over, one line each, and the next request is answered', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 5 }), async (frames) => {
        const input = new PassThrough();
        const output = new PassThrough();
        let text = '';
        output.on('data', (chunk) => (text += String(chunk)));
        const ended = serveStdio(testPlane(), { input, output }, new AbortController().signal);
        for (const each of frames) input.write(`${each.replace(/[\r\n]/g, ' ')}\n`);
        input.write(`${JSON.stringify({ jsonrpc: '2.0', id: PING, method: 'ping' })}\n`);
        input.end();
        const late = AbortSignal.timeout(PATIENCE_MS);
        const never = once(late, 'abort').then(() => Promise.reject(new Error(`No end of: ${frames.join(' ')}`)));
        await Promise.race([ended, never]);
        const lines = text.split('\n').filter((line) => line !== '');
        const answers = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
        for (const answer of answers.flat()) expectResponse(answer);
        expect(answers.flat()).toContainEqual({ jsonrpc: '2.0', id: PING, result: {} });
      }),
      { numRuns: 150 },
    );
  });

  describe('over HTTP', () => {
    const log = new RecordingLogger();
    let server: ControlServer;
    beforeAll(async () => {
      server = new ControlServer({ plane: testPlane(), host: '127.0.0.1', port: 0, token: 'token', allowedOrigins: [], log: log as Logger }); // prettier-ignore
      await server.bind();
      server.serve();
    });
    afterAll(() => server.close());

    const types = fc.constantFrom('application/json', 'application/json', 'application/json; charset=utf-8', 'text/plain', ''); // prettier-ignore
    const accepts = fc.constantFrom('application/json, text/event-stream', '*/*', 'application/json', 'text/html');
    const sessions = fc.constantFrom<string | undefined>(undefined, 'none', '../..', 'é'.normalize('NFD').replace(/[^ -~]/g, '?')); // prettier-ignore

    test('are answered below 500', async () => {
      await fc.assert(
        fc.asyncProperty(frame, types, accepts, sessions, async (body, type, accept, session) => {
          const headers = { ...bearer('token'), 'Content-Type': type, Accept: accept, ...(session && { 'Mcp-Session-Id': session }) }; // prettier-ignore
          const response = await fetch(`${server.url}/mcp`, { method: 'POST', headers, body });
          expect(response.status).toBeLessThan(500);
          await response.text();
        }),
        { numRuns: 150 },
      );
      expect(log.messages('error')).toEqual([]);
    });
  });
});
