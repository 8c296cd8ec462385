import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fwError } from '../../../../kernel/index.js';
import { VERIFICATION_ERRORS } from '../errors.js';
import { programIn } from './program.js';

/** One program of a script, ready to be started by this Node. */
interface ScriptCommand {
  /** Options of Node itself, before the program. */
  readonly nodeArgs: readonly string[];
  /** Path of an installed program below node_modules; undefined for plain `node`. */
  readonly script?: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Splits a script of package.json into programs and their arguments, the way a shell would for plain words: quotes, `NAME=value` in front,
 * `&&` between programs. Refuses scripts that need a real shell.
 *
 * @throws FwError `FW_TOOLS_SCRIPT`
 */
export async function commandsOf(name: string, text: string, root: string): Promise<readonly ScriptCommand[]> {
  const refuse = (problem: string, expected: string) =>
    fwError(VERIFICATION_ERRORS.FW_TOOLS_SCRIPT, { script: name, problem, expected });
  const commands = [];
  for (const words of segments(text, refuse)) {
    const assigned = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
    const env = Object.fromEntries(words.slice(0, Math.max(assigned, 0)).map(assignment));
    const [program, ...args] = assigned === -1 ? [] : words.slice(assigned);
    if (program === undefined) throw refuse('it names no program', 'a program and its arguments');
    commands.push({ ...(await located(program, args, root, refuse)), env });
  }
  return commands;
}

type Refuse = (problem: string, expected: string) => Error;

function assignment(word: string): [string, string] {
  const at = word.indexOf('=');
  return [word.slice(0, at), word.slice(at + 1)];
}

const WORD = /\s*(?:(&&)|((?:[^\s"'`$\\|&;<>(){}*?#~]|"[^"`$\\]*"|'[^']*')+))/y;

function segments(text: string, refuse: Refuse): readonly (readonly string[])[] {
  const found: string[][] = [[]];
  WORD.lastIndex = 0;
  for (let end = text.trimEnd().length; WORD.lastIndex < end;) {
    const at = WORD.lastIndex;
    const [whole, and, word] = WORD.exec(text) ?? [];
    if (whole === undefined)
      throw refuse(`it has "${text.slice(at).trim().slice(0, 20)}", which only a shell understands`, 'plain words');
    if (and) found.push([]);
    else if (word !== undefined) found.at(-1)?.push(word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
  }
  return found;
}

async function located(
  program: string,
  args: readonly string[],
  root: string,
  refuse: Refuse,
): Promise<Omit<ScriptCommand, 'env'>> {
  if (program === 'node') return { nodeArgs: [], args };
  const script = await binOf(program, root);
  if (script === undefined)
    throw refuse(`${program} is not a package of this project that can be run`, 'node, or a program in node_modules');
  return { nodeArgs: [], script, args };
}

// The file of a program, as the package of the same name declares it.
async function binOf(program: string, root: string): Promise<string | undefined> {
  const manifest = programIn(root, `${program}/package.json`);
  if (!/^(@[\w.-]+\/)?[\w.-]+$/.test(program) || manifest === undefined) return undefined;
  const { bin } = JSON.parse(await readFile(manifest, 'utf8')) as { bin?: string | Record<string, string> };
  const file = typeof bin === 'string' ? bin : bin?.[program];
  return file === undefined ? undefined : path.posix.join(program, file);
}
