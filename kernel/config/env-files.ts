import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { fwError } from '../errors/index.js';
import type { Profile } from './profile.js';
import { CONFIG_ERRORS } from './errors.js';

/** Variables that are read before the `.env` files, so that these cannot set them. */
const TOO_LATE = ['FW_PROFILE', 'NODE_ENV', 'NODE_OPTIONS'];

/** Names that other tools give the profiles, and so their files. */
const ELSEWHERE: Readonly<Partial<Record<Profile, string>>> = { dev: 'development', prod: 'production' };

/** POSIX names, and the dots and hyphens that some platforms put into them. */
const NAME = /^[A-Za-z_][\w.-]*$/;

/** Up to Node 24 the parser drops this name silently. */
const PROTOTYPE = /^\s*(?:export\s+)?__proto__\s*=/m;

/** What was read from the `.env` files of a project. */
export interface EnvFiles {
  readonly profile: Profile;
  /** The files that exist, the one with precedence first. */
  readonly files: readonly string[];
  /** The variables that they name. */
  readonly names: readonly string[];
}

const readFor = new Map<string, EnvFiles>();

/**
 * Copies the variables of a project's `.env` files into `process.env`, once per folder. Variables that are set already stay; of the files
 * the first in this order wins: `.env.<profile>.local`, `.env.local` (not in the profile test, whose result must not depend on the
 * machine), `.env.<profile>`, `.env`. They are read by Node's own parser (https://nodejs.org/api/util.html#utilparseenvcontent).
 *
 * @param root - the project folder
 * @throws FwError `FW_CONFIG_ENV_FILE` for a file that cannot be read, is no list of variables, or sets a variable that a file cannot set
 */
export function loadEnvFiles(root: string, profile: Profile): EnvFiles {
  const known = readFor.get(root);
  if (known) return known;
  const found = foundFiles(root, profile);
  for (const { variables } of found)
    for (const [name, value] of Object.entries(variables))
      if (!Object.hasOwn(process.env, name)) process.env[name] = value;
  const names = found.flatMap(({ variables }) => Object.keys(variables));
  const read = { profile, files: found.map(({ file }) => file), names };
  readFor.set(root, read);
  warnOfOthers(root, profile);
  return read;
}

/**
 * What the `.env` files of a project say together, without setting any of it.
 *
 * @throws FwError `FW_CONFIG_ENV_FILE`
 */
export function variablesOfEnvFiles(root: string, profile: Profile): Readonly<Record<string, string>> {
  const found = foundFiles(root, profile).map(({ variables }) => variables);
  return Object.assign({}, ...found.reverse()) as Record<string, string>;
}

interface FoundFile {
  readonly file: string;
  readonly variables: Readonly<Record<string, string>>;
}

// The one with precedence first.
function foundFiles(root: string, profile: Profile): readonly FoundFile[] {
  const own = [`.env.${profile}.local`, ...(profile === 'test' ? [] : ['.env.local']), `.env.${profile}`, '.env'];
  return own.flatMap((file) => {
    const variables = variablesIn(root, file);
    return variables === undefined ? [] : [{ file, variables }];
  });
}

/** The `.env` files of the configuration that was loaded last; undefined before one was loaded. */
export const latestEnvFiles = (): EnvFiles | undefined => [...readFor.values()].at(-1);

// All files are read before any variable is set, so that a mistake in one changes nothing.
function variablesIn(root: string, file: string): Readonly<Record<string, string>> | undefined {
  const text = textOf(path.join(root, file), file);
  if (text === undefined) return undefined;
  const odd = oddLine(text);
  if (odd !== undefined) throw wrong(file, `has a line that is not NAME=value: ${JSON.stringify(odd)}`);
  if (PROTOTYPE.test(text)) throw wrong(file, 'sets __proto__, which is no name of a variable in JavaScript');
  const variables = parseEnv(text) as Record<string, string>;
  for (const name of Object.keys(variables)) {
    if (!NAME.test(name)) throw wrong(file, `has a line that is not NAME=value: ${JSON.stringify(name)}`);
    if (TOO_LATE.includes(name)) throw wrong(file, `sets ${name}, which is read before the file is`);
  }
  return variables;
}

// Later releases of Node ignore a malformed line silently. A quoted value may span several lines.
function oddLine(text: string): string | undefined {
  if (/["'`]/.test(text)) return undefined;
  return text.split(/\r?\n/).find((line) => !/^\s*(?:#.*|(?:export\s+)?[^\s=]+\s*=.*)?$/.test(line));
}

// Only a warning, because the file may belong to a bundler that uses the same folder.
function warnOfOthers(root: string, profile: Profile): void {
  const name = ELSEWHERE[profile];
  for (const file of name === undefined ? [] : [`.env.${name}`, `.env.${name}.local`]) {
    if (!existsSync(path.join(root, file))) continue;
    const { code, message } = fwError(CONFIG_ERRORS.FW_CONFIG_ENV_FILE_NAME, { file, expected: `.env.${profile}` });
    process.emitWarning(message, { code });
  }
}

function textOf(absolute: string, file: string): string | undefined {
  try {
    // Editors of Windows begin a file with a byte order mark, which is no part of the first name.
    return readFileSync(absolute, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw wrong(file, `cannot be read: ${message}`, error);
  }
}

function wrong(file: string, problem: string, cause?: unknown): Error {
  return fwError(CONFIG_ERRORS.FW_CONFIG_ENV_FILE, { file, problem }, { cause });
}
