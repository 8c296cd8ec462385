import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { partsOf, runContainer } from './run-container.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fw-container-'));
});
afterEach(() => rm(folder, { recursive: true }));

const environment = {
  FW_MCP_TOKEN: 'control-token',
  FW_APP_MCP_TOKEN: 'app-token',
  FW_SERVICE_ENV: JSON.stringify({ GREETING: 'a\nb', PORT: '1' }),
  FLEET_AGGREGATOR_ENV: JSON.stringify({ FLEET_PASSWORD: 'viewer' }),
};
const said: string[] = [];
const surroundings = (rest: object = {}) => ({
  ...{ environment, workspace: folder, fw: path.join(folder, 'fw.cjs'), fwMcp: path.join(folder, 'fw-mcp.cjs') },
  ...{ say: (line: string) => said.push(line), ...rest },
});

// Each notes how it was called and how it ended; the application ends the whole when it is told to.
const program = (name: string, rest: string) => `
  const { appendFileSync, writeFileSync } = require('fs');
  const note = (text) => appendFileSync(${JSON.stringify(path.join(folder, 'ends'))}, text + '\\n');
  const kind = ${JSON.stringify(name)} + (process.argv[3] ?? '');
  writeFileSync(${JSON.stringify(folder)} + '/' + kind.replace(/[^a-z-]/g, ''), JSON.stringify({ args: process.argv.slice(2), env: process.env }));
  process.on('SIGTERM', () => { note(kind); process.exit(0); });
  ${rest}`;

describe('the processes of a container', () => {
  test('do not start without a token for the control address', async () => {
    said.length = 0;
    expect(await runContainer(surroundings({ environment: { ...environment, FW_MCP_TOKEN: ' ' } }))).toBe(1);
    expect(said.join()).toContain('FW_MCP_TOKEN is not set');
  });

  test('are the control address and the application, and an aggregator and an endpoint only when they are asked for', () => {
    const { FW_MCP_TOKEN } = environment;
    const parts = partsOf(surroundings({ environment: { FW_MCP_TOKEN } })) as unknown as {
      name: string;
      env: object;
    }[];
    expect(parts.map(({ name }) => name)).toEqual(['fw-mcp', 'the application']);
    expect(parts[1]?.env).toEqual({ NODE_ENV: 'production', HOST: '0.0.0.0', PORT: '3000' });
  });

  test('get the variables that are their own, and end together when one ends', async () => {
    said.length = 0;
    const waits = 'setInterval(() => {}, 1000);';
    // The application ends once the others have noted how they were called.
    const ends = `const { existsSync } = require('fs');
      if (process.argv[3]) { ${waits} } else setInterval(() => {
        if (existsSync(${JSON.stringify(path.join(folder, 'fw-mcp--mode').replace('--mode', 'generator'))}) && existsSync(${JSON.stringify(path.join(folder, 'fwaggregator'))})) process.exit(3);
      }, 20);`;
    await writeFile(path.join(folder, 'fw-mcp.cjs'), program('fw-mcp', waits));
    await writeFile(path.join(folder, 'fw.cjs'), program('fw', ends));
    expect(await runContainer(surroundings())).toBe(3);
    expect(said).toEqual(['the application ended (exit code 3); the container ends with it']);
    const read = async (name: string) =>
      JSON.parse(await readFile(path.join(folder, name), 'utf8')) as { args: string[]; env: Record<string, string> };
    const control = await read('fw-mcpgenerator');
    expect(control.args).toEqual(['--mode', 'generator', '--port', '2000', '--host', '0.0.0.0', '--workspace', folder]);
    expect(control.env).toMatchObject({ FW_MCP_TOKEN: 'control-token' });
    expect(control.env).not.toHaveProperty('GREETING');
    const application = await read('fw');
    expect(application.args).toEqual(['start']);
    expect(application.env).toMatchObject({
      ...{ GREETING: 'a\nb', PORT: '3000', HOST: '0.0.0.0', NODE_ENV: 'production' },
      ...{ FW_MCP_TOKEN: 'app-token', FW_APP_MCP_PORT: '2100', FW_APP_MCP_HOST: '0.0.0.0' },
    });
    expect(JSON.stringify(application.env)).not.toMatch(/control-token|viewer/);
    const aggregator = await read('fwaggregator');
    expect(aggregator.args).toEqual(['start', 'aggregator']);
    expect(aggregator.env).toMatchObject({ FLEET_PASSWORD: 'viewer', FLEET_PORT: '9000', FLEET_HOST: '0.0.0.0' });
    // Those that report to the aggregator end first.
    expect((await readFile(path.join(folder, 'ends'), 'utf8')).trim().split('\n')).toEqual([
      'fw-mcpgenerator',
      'fwaggregator',
    ]);
  });
});
