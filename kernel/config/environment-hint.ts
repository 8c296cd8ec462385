import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isFwError } from '../errors/index.js';
import { BUILT_CONFIG } from './load-config.js';

const HIGHEST_PORT = 65_535;

/**
 * A sentence that names the environment variable from which `app.config.ts` takes the option of an error; undefined if it takes none. The
 * variable is found in the text of the configuration, because a plugin gets only the value.
 *
 * @param root - folder of the application
 */
export async function environmentHint(error: unknown, root: string): Promise<string | undefined> {
  if (!isFwError(error)) return undefined;
  const option = typeof error.details['option'] === 'string' ? error.details['option'] : 'port';
  if (option === 'port' && !/PORT_IN_USE/.test(error.code)) return undefined;
  const found = variablesOf(await configText(root), option).filter(({ module }) => isOf(error.code, module));
  const [variable, ...others] = new Set(found.map(({ name }) => name));
  if (variable === undefined || others.length > 0) return undefined;
  const state =
    process.env[variable] === undefined ? 'is not set' : process.env[variable] === '' ? 'is empty' : 'is set';
  const { port } = error.details;
  // The application of another project has the same port unless one of them has another.
  const instead = typeof port === 'number' && port > 0 && port < HIGHEST_PORT ? ` Set it to another port here or in .env, such as ${variable}=${port + 1}.` : ''; // prettier-ignore
  return `app.config.ts takes \`${option}\` from the environment variable ${variable}, which ${state}.${option === 'port' ? instead : ''}`;
}

// Without the source, the built file serves as well: it has the same expressions.
async function configText(root: string): Promise<string> {
  for (const file of ['app.config.ts', BUILT_CONFIG]) {
    const text = await readFile(path.join(root, file), 'utf8').catch(() => '');
    if (text !== '') return text;
  }
  return '';
}

interface Variable {
  /** Module of the plugin whose option it is. */
  readonly module: string;
  readonly name: string;
}

function variablesOf(text: string, option: string): readonly Variable[] {
  return text.split(/\bplugin\(/).flatMap((entry) => {
    const module = /import\(\s*['"`]([^'"`]+)/.exec(entry)?.[1];
    const value = new RegExp(`\\b${option}:([^,}]*)`).exec(entry)?.[1] ?? '';
    const name = /\benv\.([A-Za-z_]\w*)/.exec(value)?.[1] ?? /\benv\[['"]([^'"]+)['"]\]/.exec(value)?.[1];
    return module === undefined || name === undefined ? [] : [{ module, name }];
  });
}

/** Whether an error is one of a plugin: `FW_JWT_SECRET_MISSING` of `fw/middleware/jwt`. */
const isOf = (code: string, module: string): boolean =>
  module
    .split(/[/-]/)
    .slice(1)
    .some((word) => code.split('_').includes(word.toUpperCase()));
