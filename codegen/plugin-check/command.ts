import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { fwError } from '../../kernel/errors/index.js';
import { isObject } from '../../kernel/values/index.js';
import { checkPlugin, type PluginCheck } from './check-plugin.js';
import { PLUGIN_CHECK_ERRORS } from './errors.js';
import { CHECKS } from './problem.js';

/** Options of `fw plugin check`. */
interface PluginCheckCommand {
  /** Folder of the package, relative to the current one. */
  readonly folder: string;
  /** JSON object with options. */
  readonly options: string;
  readonly json: boolean;
  /** Whether to ask npm for the files that it would publish. */
  readonly pack: boolean;
  readonly signal: AbortSignal;
  out(text: string): void;
}

/**
 * `fw plugin check`: checks a plugin's package and prints what is wrong with it.
 * @returns exit code: 0 without errors, 1 otherwise
 * @throws FwError `FW_PLUGIN_CHECK_PACKAGE`, `FW_PLUGIN_CHECK_OPTIONS`
 */
export async function pluginCheckCommand({
  folder,
  options,
  json,
  pack,
  signal,
  out,
}: PluginCheckCommand): Promise<number> {
  const given = path.resolve(folder);
  const root = await realpath(given).catch((cause: unknown) => {
    throw fwError(
      PLUGIN_CHECK_ERRORS.FW_PLUGIN_CHECK_PACKAGE,
      { path: given, problem: 'it does not exist' },
      { cause },
    );
  });
  const check = await checkPlugin({ root, options: optionsIn(options), pack, signal });
  out(json ? `${JSON.stringify(check, null, 2)}\n` : report(check));
  return check.ok ? 0 : 1;
}

function optionsIn(text: string): Readonly<Record<string, unknown>> {
  const refuse = (problem: string, cause?: unknown) =>
    fwError(PLUGIN_CHECK_ERRORS.FW_PLUGIN_CHECK_OPTIONS, { problem }, { cause });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw refuse('it is not JSON', cause);
  }
  if (!isObject(value)) throw refuse('it is not an object');
  return value as Readonly<Record<string, unknown>>;
}

function report({ name, ok, problems, capabilities }: PluginCheck): string {
  const lines = CHECKS.map((check) => {
    const found = problems.filter((problem) => problem.check === check);
    const unknown = capabilities === undefined && (check === 'options' || check === 'capabilities');
    const mark = found.some(({ level }) => level === 'error')
      ? 'FAIL'
      : found.length > 0
        ? 'warn'
        : unknown
          ? 'skip'
          : 'ok  ';
    return [
      `${mark} ${check}`,
      ...found.flatMap(({ message, fix }) => [`       ${message}`, `         | ${fix}`]),
    ].join('\n');
  });
  const brought = capabilities
    ? [
        ...(capabilities.contributions.length > 0 ? [`contributes ${capabilities.contributions.join(', ')}`] : []),
        ...(capabilities.provides.length > 0 ? [`provides ${capabilities.provides.join(', ')}`] : []),
        ...(capabilities.tools.length > 0 ? [`tools ${capabilities.tools.join(', ')}`] : []),
      ]
    : [];
  const errors = problems.filter(({ level }) => level === 'error').length;
  const verdict = ok ? `${name} is ready to be used.` : `${name || 'The package'} has ${errors} error(s).`;
  return `${[...lines, ...brought, verdict].join('\n')}\n`;
}
