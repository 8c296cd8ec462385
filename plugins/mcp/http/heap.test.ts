import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Logger } from '../../../kernel/index.js';
import { RecordingLogger } from '../../../kernel/testing/index.js';
import { connected, streamable } from '../testing/clients.js';
import { testPlane } from '../testing/fixture-plane.js';
import { ControlServer } from './control-server.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

let server: ControlServer;
let client: Client;
beforeAll(async () => {
  const log = new RecordingLogger() as Logger;
  server = new ControlServer({ plane: testPlane(), host: '127.0.0.1', port: 0, token: 't', allowedOrigins: [], log });
  await server.bind();
  server.serve();
  client = await connected(streamable(server.url, 't'));
});
afterAll(async () => {
  await client.close();
  await server.close();
});

async function calls(count: number): Promise<void> {
  const call = () => client.callTool({ name: 'echo_fleet', arguments: { text: 'x' } });
  for (let made = 0; made < count; made += 16) await Promise.all(Array.from({ length: 16 }, call));
}

// Twice, with a turn of the event loop between: sockets and timers let go of what they held in a later turn.
async function heapBytes(): Promise<number> {
  collectGarbage();
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

test('a session holds nothing of the calls that it has answered, five thousand of them', async () => {
  await calls(1_600);
  const before = await heapBytes();
  await calls(5_000);
  expect(server.sessions.size).toBe(1);
  // An entry per call, as the SDK keeps one in its mode of JSON answers, would be thirty-five megabytes. What is left are some
  // megabytes of compiled code and whatever else the process did meanwhile.
  expect((await heapBytes()) - before).toBeLessThan(15_000_000);
}, 600_000);
