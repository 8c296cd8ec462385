import { PassThrough } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { echoTool, ECHOES, testPlane } from '../testing/fixture-plane.js';
import { LineSplitter } from './line-splitter.js';
import { MAX_MESSAGE_BYTES, serveStdio } from './stdio-server.js';

function session(plane = testPlane()) {
  const input = new PassThrough();
  const output = new PassThrough();
  const stop = new AbortController();
  let text = '';
  output.on('data', (chunk) => (text += String(chunk)));
  const ended = serveStdio(plane, { input, output }, stop.signal);
  const send = (message: unknown) =>
    void input.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  const answers = (): Record<string, unknown>[] =>
    text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  return { input, send, stop, ended, answers, finish: async () => (input.end(), await ended, answers()) };
}

const call = (id: number, name: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

describe('serveStdio', () => {
  test('answers handshake, list, ping and calls, one line each, then ends with its input', async () => {
    const { send, finish } = session();
    send({ jsonrpc: '2.0', id: 'a', method: 'initialize', params: {} });
    send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    send({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
    send({ jsonrpc: '2.0', id: 3, method: 'ping' });
    send(call(4, 'echo_fleet', { text: 'hi' }));
    const answers = await finish();
    expect(answers.map(({ id }) => id)).toEqual(['a', 2, 3, 4]);
    expect(answers[0]).toMatchObject({
      jsonrpc: '2.0',
      result: { protocolVersion: '2024-11-05', serverInfo: { name: 'fw' } },
    });
    expect((answers[1] as { result: { tools: unknown[] } }).result.tools).toHaveLength(ECHOES.length);
    expect(answers[2]).toEqual({ jsonrpc: '2.0', id: 3, result: {} });
    expect(answers[3]).toMatchObject({ result: { structuredContent: { text: expect.stringContaining('hi') } } });
  });

  test.each([
    ['{', { id: null, error: { code: -32700 } }],
    ['3', { id: null, error: { code: -32600 } }],
    ['[]', { id: null, error: { code: -32600 } }],
    ['{"jsonrpc":"1.0","id":7,"method":"ping"}', { id: 7, error: { code: -32600 } }],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', { id: null, error: { code: -32600 } }],
    ['{"jsonrpc":"2.0","id":7,"method":""}', { id: 7, error: { code: -32600 } }],
    ['{"jsonrpc":"2.0","id":7,"method":"ping","params":[]}', { id: 7, error: { code: -32600 } }],
    ['{"jsonrpc":"2.0","id":7,"method":"roots/list"}', { id: 7, error: { code: -32601 } }],
    ['{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{}}', { id: 7, error: { code: -32602 } }],
    ['{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"no"}}', { id: 7, error: { code: -32602 } }],
  ])('answers %s with the error that JSON-RPC has for it', async (line, expected) => {
    const { send, finish } = session();
    send(line);
    const answers = await finish();
    expect(answers).toEqual([expect.objectContaining({ ...expected, error: expect.objectContaining(expected.error) })]);
  });

  test('answers a batch with one array in the order of its requests', async () => {
    const { send, finish } = session();
    send([
      call(1, 'echo_fleet'),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      3,
      { jsonrpc: '2.0', id: 2, method: 'ping' },
    ]);
    send([{ jsonrpc: '2.0', method: 'notifications/initialized' }]);
    const [batch, ...rest] = await finish();
    expect(rest).toEqual([]);
    expect(batch).toEqual([
      expect.objectContaining({ id: 1, result: expect.anything() }),
      expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32600 }) }),
      { jsonrpc: '2.0', id: 2, result: {} },
    ]);
  });

  test('refuses an id that is taken, so that each batch is answered whole and by its own requests', async () => {
    const gates = [deferred(), deferred()];
    let calls = 0;
    const slow = echoTool('slow', 'fleet', {
      run: async () => {
        await gates[calls++]?.promise;
        return { summary: '', structured: {} };
      },
    });
    const { send, finish } = session(testPlane([slow]));
    const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
    send([call(1, 'slow'), ping(2), ping(2)]);
    send([call(1, 'slow'), call(3, 'slow')]);
    send(ping(1));
    for (const gate of gates) gate.resolve();
    const taken = (id: number) => ({
      id,
      error: { code: -32600, message: expect.stringMatching(/still to be answered/) },
    });
    const answers = await finish();
    expect(answers).toHaveLength(3);
    expect(answers).toContainEqual(expect.objectContaining(taken(1)));
    const batches = answers.filter(Array.isArray);
    expect(batches).toContainEqual([
      expect.objectContaining({ id: 1, result: expect.anything() }),
      { jsonrpc: '2.0', id: 2, result: {} },
      expect.objectContaining(taken(2)),
    ]);
    expect(batches).toContainEqual([
      expect.objectContaining(taken(1)),
      expect.objectContaining({ id: 3, result: expect.anything() }),
    ]);
  });

  test('skips a line that is too long, says so and goes on', async () => {
    const { send, finish } = session();
    send(`"${'x'.repeat(MAX_MESSAGE_BYTES)}"`);
    send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const [tooLong, pong] = await finish();
    expect(tooLong).toMatchObject({ id: null, error: { code: -32600, message: expect.stringMatching(/too large/) } });
    expect(pong).toMatchObject({ id: 1, result: {} });
  });

  test('cancels the call that the client cancels, answers nothing for it, and still ends', async () => {
    let aborted = false;
    const started = deferred();
    const slow = echoTool('slow', 'fleet', {
      run: async (_, { signal }) => {
        started.resolve();
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        aborted = true;
        return { summary: '', structured: {} };
      },
    });
    const { send, finish } = session(testPlane([slow]));
    send(call(9, 'slow'));
    await started.promise;
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } });
    expect(await finish()).toEqual([]);
    expect(aborted).toBe(true);
  });

  test('ends where its input fails, as does that of a terminal that is gone', async () => {
    const { input, ended } = session();
    input.destroy(new Error('read EIO'));
    await ended;
  });

  test('cancels what runs when it is told to stop', async () => {
    const started = deferred();
    const stopped = deferred();
    const slow = echoTool('slow', 'fleet', {
      run: async (_, { signal }) => {
        started.resolve();
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        stopped.resolve();
        return { summary: '', structured: {} };
      },
    });
    const { send, stop, ended } = session(testPlane([slow]));
    send(call(1, 'slow'));
    await started.promise;
    stop.abort();
    await ended;
    await stopped.promise;
  });
});

describe('LineSplitter', () => {
  test('puts lines together from any chunks, whatever their ends', () => {
    const lines = new LineSplitter(100);
    const text = (chunk: string) =>
      [...lines.push(Buffer.from(chunk))].map((line) => ('text' in line ? line.text : 'BIG'));
    expect([...text('a'), ...text('b\r\nc\n\nd'), ...text('')]).toEqual(['ab\r', 'c', '']);
    expect(lines.end()).toEqual({ text: 'd' });
    expect(lines.end()).toBeUndefined();
  });

  test('keeps a character that is cut by a chunk', () => {
    const lines = new LineSplitter(100);
    const [first, second] = [Buffer.from('é\n').subarray(0, 1), Buffer.from('é\n').subarray(1)];
    expect([...lines.push(first), ...lines.push(second)]).toEqual([{ text: 'é' }]);
  });
});

function deferred() {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}
