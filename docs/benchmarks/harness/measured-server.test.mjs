import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { MeasuredServer } from './measured-server.mjs';

const SERVER = `
import { once } from 'node:events';
import { createServer } from 'node:http';

export async function start(text, { status }) {
  const server = createServer((_request, response) => response.writeHead(status).end(text));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server.address().port;
}
`;

/** @type {(status: number, run: (server: MeasuredServer) => Promise<void>) => Promise<void>} */
async function withServer(status, run) {
  const folder = mkdtempSync(path.join(tmpdir(), 'fw-bench-server-'));
  const module = path.join(folder, 'server.mjs');
  writeFileSync(module, SERVER);
  const server = await MeasuredServer.start(module, 'hello', { status });
  try {
    await run(server);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

const load = {
  requests: [Buffer.from('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')],
  count: 20,
  connections: 2,
};

test('a server gets the arguments of its start, and slices say what a request took', async () => {
  await withServer(200, async (server) => {
    assert.equal(await (await fetch(`http://127.0.0.1:${server.port}/`)).text(), 'hello');
    const slices = await server.slices(load);
    const { cpuUs, wallUs } = await slices.sample();
    slices.end();
    assert.ok(Number(cpuUs) > 0 && Number(wallUs) > 0);
  });
});

test('another answer than 200 ends the slices', async () => {
  await withServer(500, async (server) => {
    await assert.rejects(server.slices(load), /not the answer that was asked for: HTTP\/1.1 500/);
  });
});
