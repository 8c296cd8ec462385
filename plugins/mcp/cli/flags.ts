import { parseArgs } from 'node:util';
import { fwError } from '../../../kernel/errors/index.js';
import { MCP_ERRORS } from '../errors.js';
import { MODE_PURPOSES, parseMode, type ServerMode } from '../protocol/mode.js';
import { KNOWN_CATEGORIES, parseScope, type Scope, unscopedScope } from '../scope/scope.js';

interface Flag {
  readonly name: string;
  /** Placeholder of the value; a flag without one is a switch. */
  readonly value?: string;
  readonly help: string;
  readonly repeatable?: true;
}

// The one list of flags: parser, help and docs read it.
const FLAGS: readonly Flag[] = [
  { name: 'mode', value: 'generator|app-runtime', help: 'required: kind of server; there is no default' },
  { name: 'port', value: 'port', help: 'serve HTTP on this control port (1 to 65535); without it: stdio' },
  { name: 'host', value: 'address', help: 'address to listen on with --port; default 127.0.0.1' },
  { name: 'token', value: 'token', help: 'bearer token for --port; better in FW_MCP_TOKEN; generated when blank' },
  { name: 'allow-origin', value: 'origin,...', help: 'origins of web pages that may connect, beside loopback' },
  {
    name: 'scope',
    value: 'category,...',
    help: `grant only these categories of tools: ${KNOWN_CATEGORIES.join(', ')}; without it all`,
  },
  {
    name: 'workspace',
    value: 'dir,...',
    help: 'confine paths to these folders; default the current one',
    repeatable: true,
  },
  { name: 'allow-any-path', help: 'do not confine paths; excludes --workspace' },
  {
    name: 'config',
    value: 'file',
    help: 'built configuration (dist/app.config.js, by fw build) whose tools are added to the built-in ones',
  },
  {
    name: 'plugin',
    value: 'module,...',
    help: 'plugins whose tools are added to the built-in ones: fw/tools/workbench, or packages of the current folder',
    repeatable: true,
  },
  { name: 'strict-bind', help: 'refuse an unscoped generator beyond loopback, instead of warning' },
  { name: 'log', help: 'one line on stderr per call and refusal: names of arguments, never values' },
  { name: 'help', help: 'print this and exit' },
];

/** Parsed flags of the command line. */
export interface McpServerFlags {
  readonly mode: ServerMode;
  /** 0 means stdio. */
  readonly port: number;
  readonly host: string;
  /** Blank when one is to be generated. */
  readonly token: string;
  readonly allowedOrigins: readonly string[];
  readonly scope: Scope;
  /** Roots to confine paths to; undefined when they are not confined. */
  readonly workspace: readonly string[] | undefined;
  readonly config: string | undefined;
  /** Modules of plugins whose tools are added. */
  readonly plugins: readonly string[];
  readonly strictBind: boolean;
  readonly log: boolean;
}

/**
 * Reads a command line.
 *
 * @param environment - `FW_MCP_TOKEN` is the default of `--token`
 * @returns the flags, or `help` when they ask for it
 * @throws FwError `FW_MCP_USAGE`, `FW_MCP_MODE`, `FW_MCP_SCOPE`
 */
export function parseFlags(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  cwd: string,
): McpServerFlags | 'help' {
  const given = parsed(args);
  if (given['help']) return 'help';
  const text = (name: string): string => (given[name] as string | undefined) ?? '';
  const workspace = list((given['workspace'] as readonly string[] | undefined) ?? []);
  const anyPath = given['allow-any-path'] === true;
  if (anyPath && given['workspace'] !== undefined) {
    throw usage('--workspace and --allow-any-path exclude each other: paths are confined, or they are not.');
  }
  if (given['workspace'] !== undefined && workspace.length === 0) throw usage('--workspace names no folder.');
  return {
    mode: parseMode(given['mode']),
    port: portOf(given['port'] as string | undefined),
    host: text('host').trim() || '127.0.0.1',
    token: (given['token'] === undefined ? (environment['FW_MCP_TOKEN'] ?? '') : text('token')).trim(),
    allowedOrigins: list([text('allow-origin')]),
    scope: given['scope'] === undefined ? unscopedScope() : parseScope(text('scope')),
    workspace: anyPath ? undefined : workspace.length > 0 ? workspace : [cwd],
    config: text('config') || undefined,
    plugins: list((given['plugin'] as readonly string[] | undefined) ?? []),
    strictBind: given['strict-bind'] === true,
    log: given['log'] === true,
  };
}

/** The arguments with which a client starts the same server over stdio. */
export function clientArguments(
  { mode, scope, config, plugins, workspace, log }: McpServerFlags,
  cwd: string,
): readonly string[] {
  const confined = workspace?.filter((folder) => folder !== cwd) ?? [];
  return [
    `--mode=${mode}`,
    ...(scope.scoped ? [`--scope=${scope.granted.join(',')}`] : []),
    ...(config === undefined ? [] : [`--config=${config}`]),
    ...(plugins.length > 0 ? [`--plugin=${plugins.join(',')}`] : []),
    ...(workspace === undefined ? ['--allow-any-path'] : []),
    ...(confined.length > 0 ? [`--workspace=${confined.join(',')}`] : []),
    ...(log ? ['--log'] : []),
  ];
}

/** The text of `--help`. It never shows a token, whatever the environment holds. */
export function helpText(command: string): string {
  const rows = FLAGS.map(({ name, value, help }) => [`--${name}${value ? ` <${value}>` : ''}`, help] as const);
  const width = Math.max(...rows.map(([flag]) => flag.length));
  return [
    `${command} --mode <kind> [flags]: an MCP server for agents that build, inspect and debug fw projects.`,
    '',
    ...Object.entries(MODE_PURPOSES).map(([mode, purpose]) => `  ${mode.padEnd(12)} ${purpose}`),
    '',
    ...rows.map(([flag, help]) => `  ${flag.padEnd(width)}  ${help}`),
    '',
  ].join('\n');
}

function parsed(args: readonly string[]): Readonly<Record<string, unknown>> {
  const options = Object.fromEntries(
    FLAGS.map(({ name, value, repeatable }) => [
      name,
      { type: value ? ('string' as const) : ('boolean' as const), multiple: repeatable ?? false },
    ]),
  );
  try {
    return parseArgs({ args: args.map(twoDashes), options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw usage(`${(error as Error).message.replace(/\.?\s*To specify a positional.*$/s, '')}.`);
  }
}

// Accepts one dash like two, except for values: a lone "-", a negative number.
function twoDashes(argument: string): string {
  return argument === '-h' ? '--help' : argument.replace(/^-(?=[a-z]{2})/, '--');
}

function portOf(given: string | undefined): number {
  if (given === undefined) return 0;
  const port = /^\d+$/.test(given) ? Number(given) : Number.NaN;
  if (port <= 65_535) return port;
  throw usage(`--port is ${JSON.stringify(given)}; expected a number from 1 to 65535 (0 or no --port: stdio).`);
}

function list(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => text.split(',')).flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));
}

function usage(problem: string) {
  return fwError(MCP_ERRORS.FW_MCP_USAGE, { problem });
}
