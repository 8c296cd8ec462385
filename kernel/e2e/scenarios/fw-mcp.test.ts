import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runProcess, startProcess } from '../../process/index.js';
import { freePort } from '../../testing/free-port.js';
import { PATIENCE_MS } from '../../testing/patience.js';

const BIN = path.resolve(import.meta.dirname, '../../../dist/plugins/mcp/bin/fw-mcp.js');

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-mcp-')));
  await mkdir(path.join(folder, 'generated'));
  const route = { block: 'b', method: 'GET', path: '/a', handler: 'h', blocking: false, middleware: 0 };
  await writeFile(path.join(folder, 'generated/routes.json'), JSON.stringify([route]));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const run = (args: readonly string[], input = '') =>
  runProcess({
    command: process.execPath,
    args: [BIN, ...args],
    cwd: folder,
    stdin: input,
    timeoutMs: PATIENCE_MS,
    maxOutputBytes: 1_000_000,
  });

const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;

describe('fw-mcp', () => {
  test('does not start without a mode: exits 1 and says which there are [MCP-MODE-09]', async () => {
    const ended = await run([]);
    expect(ended).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ended.stderr).toMatch(/no default. Got none. Expected --mode generator .* or --mode app-runtime/);
  });

  test('serves the official client over stdio, without a port or a token [MCP-AUTH-STDIO-01] [MCP-FLAG-PORT-02] [MCP-OVERVIEW-03]', async () => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [BIN, '--mode', 'generator'],
        cwd: folder,
        stderr: 'pipe',
      }),
    );
    expect(client.getServerVersion()).toEqual({ name: 'fw', version: expect.stringMatching(/^v\d+\.\d+\.\d+$/) });
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['fw_features', 'fw_routes']));
    expect(await client.callTool({ name: 'fw_routes' })).toMatchObject({ structuredContent: { count: 1 } });
    expect(await client.callTool({ name: 'fw_features' })).toMatchObject({
      structuredContent: { count: expect.any(Number) },
    });
    await client.close();
  });

  test('writes nothing but protocol to standard output, and ends with its input', async () => {
    const ended = await run(
      ['--mode', 'app-runtime', '--log'],
      line({ id: 1, method: 'tools/list' }) + line({ id: 2, method: 'tools/call', params: { name: 'fw_features' } }),
    );
    expect(ended.exitCode).toBe(0);
    const answers = ended.stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as { id: number; result: { tools: unknown[] } });
    expect(answers.map(({ id }) => id)).toEqual([1, 2]);
    expect(answers[0]?.result.tools).toHaveLength(16);
    expect(ended.stderr).toMatch(/^fw-mcp: tool fw_features ok \S+\n$/);
  });

  test.each(['generator', 'app-runtime'])(
    'says at its start that a write was interrupted, and changes nothing (%s)',
    async (mode) => {
      const project = await mkdtemp(path.join(folder, 'project-'));
      const journal = path.join(project, '.fw/journal/00112233445566aa.begun');
      await mkdir(path.dirname(journal), { recursive: true });
      await writeFile(journal, '');
      const ended = await run(['--mode', mode, '--workspace', project]);
      expect(ended).toMatchObject({ exitCode: 0, stdout: '' });
      expect(ended.stderr).toMatch(/^fw-mcp: \S+00112233445566aa\.begun says that a write was interrupted, .*\n$/);
      expect(await readdir(path.dirname(journal))).toEqual([path.basename(journal)]);
    },
  );

  test('serves the network on loopback until a signal ends it, and shows a generated token once [MCP-AUTH-NETWORK-04] [MCP-FLAG-PORT-01]', async () => {
    const port = String(await freePort());
    const args = [BIN, '--mode', 'generator', '--port', port];
    const server = await startProcess({ command: process.execPath, args, cwd: folder });
    try {
      await server.waitForLine(/workspace: paths are confined to/, { timeoutMs: PATIENCE_MS });
      const banner = server.recentLines().join('\n');
      expect(banner).toContain(`control endpoint http://127.0.0.1:${port}/mcp`);
      const [token] = /[0-9a-f]{64}/.exec(banner) as RegExpExecArray;
      expect(banner.split(token)).toHaveLength(2);
      const features = (headers: Record<string, string>) => fetch(`http://127.0.0.1:${port}/mcp/features`, { headers });
      expect((await features({})).status).toBe(401);
      expect((await features({ Authorization: `Bearer ${token}` })).status).toBe(200);
      expect(server.recentLines().join('\n')).toBe(banner);
    } finally {
      expect(await server.stop()).toMatchObject({ exitCode: 0 });
    }
  });

  test('says which address is taken, and exits 1', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const { port } = holder.address() as AddressInfo;
    const ended = await run(['--mode', 'generator', '--port', String(port)]);
    holder.close();
    expect(ended).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ended.stderr).toContain(`127.0.0.1:${port} is already in use`);
  });
});
