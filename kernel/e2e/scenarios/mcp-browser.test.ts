import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ControlServer } from '../../../plugins/mcp/http/control-server.js';
import { echoTool, testPlane } from '../../../plugins/mcp/testing/fixture-plane.js';
import type { Logger } from '../../index.js';
import { describeWithBrowser, findBrowser, launchBrowser } from '../../testing/browser.js';
import { RecordingLogger } from '../../testing/index.js';

const TOKEN = 'a-token-for-pages';

// What a page does with the official client; `window.run` is what the test calls.
const PAGE_SOURCE = `
  import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
  window.run = async (url, token) => {
    const client = new Client({ name: 'page', version: '1.0.0' }, { capabilities: { elicitation: {} } });
    client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { confirm: true } }));
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { Authorization: 'Bearer ' + token } },
    });
    await client.connect(transport);
    const progress = [];
    const { content } = await client.callTool({ name: 'asked' }, { onprogress: (step) => progress.push(step.progress) });
    const result = { session: transport.sessionId, text: content[0].text, progress };
    await transport.terminateSession();
    await client.close();
    return result;
  };
`;

let page: Server;
let control: ControlServer;
const portOf = (server: Server) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: PAGE_SOURCE, resolveDir: import.meta.dirname },
    bundle: true,
    format: 'iife',
    write: false,
    logLevel: 'silent',
  });
  const script = outputFiles[0]?.text ?? '';
  page = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.writeHead(200, { 'Content-Type': isScript ? 'text/javascript' : 'text/html' });
    response.end(isScript ? script : '<!doctype html><script src="/page.js"></script>');
  });
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  const asked = echoTool('asked', 'fleet', {
    run: async (_, { confirm, progress }) => {
      progress(1, 2, 'asking');
      return { summary: await confirm('Really?'), structured: { text: '' } };
    },
  });
  control = new ControlServer({
    plane: testPlane([asked]),
    host: '127.0.0.1',
    port: 0,
    token: TOKEN,
    allowedOrigins: [`http://localhost:${portOf(page)}`],
    log: new RecordingLogger() as Logger,
  });
  await control.bind();
  control.serve();
});

afterAll(async () => {
  await control.close();
  page.closeAllConnections();
  await new Promise((resolve) => page.close(resolve));
});

describeWithBrowser(await findBrowser(), 'a page of another origin [MCP-AUTH-NETWORK-03]', (executablePath) => {
  const run = async (origin: string) => {
    const browser = await launchBrowser(executablePath);
    try {
      const tab = await browser.newPage();
      await tab.goto(origin);
      const call = `window.run(${JSON.stringify(`${control.url}/mcp`)}, ${JSON.stringify(TOKEN)})`;
      return await tab.evaluate<unknown>(call);
    } finally {
      await browser.close();
    }
  };

  test('connects with the official client when its origin is listed, and is asked, told and answered', async () => {
    expect(await run(`http://localhost:${portOf(page)}`)).toEqual({
      session: expect.stringMatching(/^[0-9a-f]{32}$/),
      text: expect.stringMatching(/^yes\n/),
      progress: [1],
    });
    expect(control.sessions.size).toBe(0);
  });

  test('gets nothing when only another name of its machine is listed', async () => {
    await expect(run(`http://127.0.0.1:${portOf(page)}`)).rejects.toThrow(/Failed to fetch/);
    expect(control.sessions.size).toBe(0);
  });
});
