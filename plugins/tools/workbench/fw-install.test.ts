import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { fwInstall } from './fw-install.js';

const asked: string[] = [];
const proxy = createServer().on('connect', ({ url = '' }, socket) => {
  asked.push(url);
  socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
});
const before = process.env['HTTPS_PROXY'];
let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'fw-install-'));
  await writeFile(path.join(root, 'package.json'), '{ "name": "tiny", "private": true }');
  await writeFile(path.join(root, '.npmrc'), 'registry=https://registry.invalid/\nfetch-retries=0\n');
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  process.env['HTTPS_PROXY'] = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterEach(async () => {
  if (before === undefined) delete process.env['HTTPS_PROXY'];
  else process.env['HTTPS_PROXY'] = before;
  proxy.close();
  await rm(root, { recursive: true });
});

test('an installation goes through the proxy of the network', async () => {
  const context = { workspace: root, permit() {}, progress() {}, signal: new AbortController().signal } as never;
  await expect(fwInstall.run({ packages: ['picocolors'] }, context)).rejects.toThrow('npm install');
  expect(asked).toContain('registry.invalid:443');
});
