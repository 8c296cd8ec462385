import { describe, expect, test } from '@jest/globals';
import { newScope } from '../scope/scope.js';
import { bannerLines, type NetworkFacts } from './banner.js';
import { duration, eventLog } from './event-log.js';
import { clientArguments, helpText, parseFlags } from './flags.js';
import { networkGuide, stdioGuide } from './guide.js';

const parse = (line: string, environment = {}) =>
  parseFlags(line === '' ? [] : line.split(' '), environment, '/here') as Exclude<
    ReturnType<typeof parseFlags>,
    'help'
  >;

describe('parseFlags', () => {
  test('has no default mode [MCP-FLAG-MODE] [MCP-MODE-09]', () => {
    expect(() => parse('')).toThrow(/Got none. Expected --mode generator .* or --mode app-runtime/);
    expect(() => parse('--mode runtime')).toThrow(/Got "runtime"/);
    expect(parse('--mode app-runtime').mode).toBe('app-runtime');
    expect(parse('-mode=generator').mode).toBe('generator');
  });

  test('means stdio, all categories and the current folder when nothing else is said [MCP-FLAG-SCOPE-02] [MCP-FLAG-WORKSPACE-02]', () => {
    expect(parse('--mode generator')).toMatchObject({
      port: 0,
      host: '127.0.0.1',
      token: '',
      allowedOrigins: [],
      scope: { scoped: false },
      workspace: ['/here'],
      config: undefined,
      strictBind: false,
      log: false,
    });
  });

  test('reads lists, several roots and switches [MCP-FLAG-SCOPE-01] [MCP-FLAG-WORKSPACE-01]', () => {
    const line =
      '--mode generator --scope fleet,Runtime --workspace a,b --workspace c --allow-origin x,y --log --strict-bind';
    expect(parse(line)).toMatchObject({
      scope: { granted: ['fleet', 'runtime'] },
      workspace: ['a', 'b', 'c'],
      allowedOrigins: ['x', 'y'],
      log: true,
      strictBind: true,
    });
  });

  test('does not take a workspace and any path together [MCP-FLAG-ANYPATH-01] [MCP-FLAG-ANYPATH-02] [ERR-MCP-WORKSPACE]', () => {
    expect(parse('--mode generator --allow-any-path').workspace).toBeUndefined();
    expect(() => parse('--mode generator --allow-any-path --workspace a')).toThrow(/exclude each other/);
  });

  test.each([
    ['--mode generator --port 70000', /--port is "70000"; expected a number from 1 to 65535/],
    ['--mode generator --port abc', /--port is "abc"/],
    ['--mode generator --speed 9', /Unknown option '--speed'/],
    ['--mode generator extra', /Unexpected argument 'extra'/],
    ['--mode generator --scope nope', /"nope" is not a category/],
    ['--mode generator --workspace ,', /names no folder/],
    ['--mode', /argument missing/],
  ])('refuses "%s"', (line, message) => {
    expect(() => parse(line)).toThrow(message);
  });

  test('takes the token from the environment, and never shows it', () => {
    const environment = { FW_MCP_TOKEN: ' hunter2 ' };
    expect(parse('--mode generator', environment).token).toBe('hunter2');
    expect(parse('--mode generator --token other', environment).token).toBe('other');
    expect(parseFlags(['-h'], environment, '/')).toBe('help');
    expect(helpText('fw-mcp')).not.toContain('hunter2');
    expect(() => parse('--nope', environment)).not.toThrow(/hunter2/);
  });
});

const FACTS: NetworkFacts = {
  command: 'fw-mcp',
  mode: 'generator',
  scope: newScope('fleet'),
  tools: ['a', 'b'],
  roots: ['/work'],
  clientArguments: ['--mode=generator'],
  url: 'http://127.0.0.1:2000',
  host: '127.0.0.1',
  generatedToken: undefined,
};

describe('the banner', () => {
  test('shows a generated token once, and a supplied one never', () => {
    const made = bannerLines({ ...FACTS, generatedToken: 'hunter2' }).join('\n') + networkGuide(FACTS);
    expect(made.split('hunter2')).toHaveLength(2);
    expect(made).toMatch(/^fw-mcp: token, shown this once: hunter2\nfw-mcp: set FW_MCP_TOKEN/);
    expect(bannerLines(FACTS)[0]).toMatch(/^fw-mcp: control endpoint http:\/\/127.0.0.1:2000\/mcp/);
  });

  test('warns of an unscoped generator beyond this machine, and of nothing else without need [MCP-AUTH-SCOPE-02]', () => {
    const warnings = (rest: Partial<NetworkFacts>) =>
      bannerLines({ ...FACTS, ...rest }).filter((line) => line.includes('WARNING'));
    const unscoped = { scoped: false, granted: [], grants: () => true } as never;
    expect(warnings({})).toEqual([]);
    expect(warnings({ host: 'localhost', scope: unscoped })).toEqual([]);
    expect(warnings({ host: '0.0.0.0' })).toEqual([
      expect.stringMatching(/beyond this machine: the token is the only guard/),
    ]);
    expect(warnings({ host: '0.0.0.0', scope: unscoped })).toEqual([
      expect.stringMatching(/beyond this machine/),
      expect.stringMatching(/unscoped and can rewrite the project; grant less with --scope/),
    ]);
    expect(warnings({ host: '0.0.0.0', scope: unscoped, mode: 'app-runtime' })).toHaveLength(1);
    expect(warnings({ roots: undefined })).toEqual([expect.stringMatching(/paths are not confined/)]);
  });

  test('explains the silence of stdio to a person', () => {
    expect(stdioGuide(FACTS)).toMatch(/Silence is normal[\s\S]*tools {6}2\n[\s\S]*"command": "fw-mcp"/);
  });

  test.each([
    ['--mode generator', ['--mode=generator']],
    [
      '--mode app-runtime --scope runtime,fleet --config dist/app.config.js --workspace /here,/there --log --token hunter2',
      ['--mode=app-runtime', '--scope=fleet,runtime', '--config=dist/app.config.js', '--workspace=/there', '--log'],
    ],
    ['--mode generator --allow-any-path', ['--mode=generator', '--allow-any-path']],
  ])('tells a client to start what "%s" started', (line, args) => {
    expect(clientArguments(parse(line), '/here')).toEqual(args);
    expect(parse(args.join(' '))).toMatchObject({ mode: parse(line).mode, config: parse(line).config });
    const guide = stdioGuide({ ...FACTS, clientArguments: args });
    expect(guide).toContain(`| fw-mcp ${args.join(' ')}\n`);
    for (const each of args) expect(guide).toContain(JSON.stringify(each));
  });
});

describe('--log', () => {
  const lines: string[] = [];
  const log = eventLog('fw-mcp', (line) => lines.push(line));

  test('writes one line per event', () => {
    log({ kind: 'call', tool: 'fw_routes', outcome: 'ok', ms: 91.4, argumentNames: ['dir', 'json'] });
    log({ kind: 'call', tool: 'fw_routes', outcome: 'crash', ms: 4210, argumentNames: [] });
    log({ kind: 'unknown', tool: 'x\nfw-mcp: session initialized\u2028' });
    log({ kind: 'refused', tool: 'fw_generate', requires: 'generation' });
    log({ kind: 'rejected', status: 401, reason: 'token', peer: '127.0.0.1:5' });
    log({ kind: 'initialized' });
    expect(lines.join('')).toBe(
      [
        'fw-mcp: tool fw_routes ok 91ms args=dir,json',
        'fw-mcp: tool fw_routes CRASHED 4.21s',
        'fw-mcp: tool xfw-mcp: session initialized unknown',
        'fw-mcp: tool fw_generate refused (needs generation capability)',
        'fw-mcp: refused 401 token from 127.0.0.1:5',
        'fw-mcp: session initialized',
        '',
      ].join('\n'),
    );
    expect(duration(0.4)).toBe('<1ms');
  });
});
