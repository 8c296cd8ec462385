import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Compiler, compilerAbove } from '../compiler/index.js';
import { fwError } from '../errors/index.js';
import { digestOf, fileAbove, writeFileAtomically } from '../fs/index.js';
import { runProcess } from '../process/index.js';
import { buildParts } from './build-parts.js';
import { BUILD_ERRORS } from './errors.js';

/** What became of the check; `skipped` says why there was none. */
export type TypeCheck = { readonly checked: true } | { readonly checked: false; readonly skipped: string };

const TIMEOUT_MS = 30 * 60_000;
const OUTPUT_BYTES = 4 << 20;

/**
 * Checks the types of the files that are built and of all that they import, with the project's own TypeScript and tsconfig.json. Files that
 * only the tsconfig names, such as tests, are left out, except declarations (`.d.ts`).
 *
 * @param files - absolute paths
 * @param signal - ends the compiler
 * @throws FwError `FW_BUILD_TYPES`, `FW_BUILD_NO_TYPESCRIPT`
 */
export async function checkTypes(root: string, files: readonly string[], signal: AbortSignal): Promise<TypeCheck> {
  const settings = await settingsOf(root, files);
  if (settings === undefined) return { checked: false, skipped: 'there is no tsconfig.json' };
  if (files.length === 0) return { checked: false, skipped: 'no TypeScript is built' };
  const compiler = compilerAbove(root);
  if (compiler === undefined) {
    throw fwError(BUILD_ERRORS.FW_BUILD_NO_TYPESCRIPT, { problem: `typescript is not installed in ${root}` });
  }
  const project = await writeProject(root, { settings, files, compiler });
  const [command, ...script] = compiler.command;
  const { exitCode, stdout, stderr, aborted, timedOut } = await runProcess({
    command,
    args: [...script, '-p', project, '--pretty', 'false'],
    cwd: root,
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: OUTPUT_BYTES,
    signal,
  });
  if (exitCode === 0 || aborted) return { checked: true };
  const problems = problemsIn(stdout);
  if (problems !== '' && !timedOut) throw fwError(BUILD_ERRORS.FW_BUILD_TYPES, { problems });
  const problem = timedOut
    ? `the compiler took longer than ${TIMEOUT_MS / 60_000} minutes`
    : `${compiler.folder}: ${stderr}`;
  throw fwError(BUILD_ERRORS.FW_BUILD_NO_TYPESCRIPT, { problem });
}

/**
 * The tsconfig.json that applies to files: the nearest in the folders above. If it has only project references, the reference that includes
 * the files.
 *
 * @param files - absolute paths
 */
export async function settingsOf(root: string, files: readonly string[]): Promise<string | undefined> {
  const config = fileAbove(root, 'tsconfig.json');
  return config === undefined ? undefined : settingsFor(config, files);
}

async function settingsFor(config: string, [sample]: readonly string[]): Promise<string> {
  const text = await readFile(config, 'utf8');
  if (!text.includes('"references"')) return config;
  // Only projects with several tsconfig.json files load this part, because it loads a compiler.
  for (const part of await buildParts()) {
    const found = await part.settingsFor?.(config, sample);
    if (found !== undefined) return found;
  }
  return config;
}

interface CheckedProject {
  /** The tsconfig.json that applies. */
  readonly settings: string;
  readonly files: readonly string[];
  readonly compiler: Compiler;
}

/**
 * Writes a tsconfig.json that extends the project's: it lists the files of the build, has each compiled by itself, and writes no output.
 * Options about output, or about other files, are unset.
 */
async function writeProject(root: string, { settings, files, compiler }: CheckedProject): Promise<string> {
  const unset = ['composite', 'declaration', 'declarationMap', 'declarationDir', 'emitDeclarationOnly', ...newerOptions(compiler)]; // prettier-ignore
  // Below node_modules, because from there the compiler finds the types of installed packages. Several projects may share that folder
  // through a link.
  const folder = path.join(root, 'node_modules', '.cache', 'fw');
  const name = digestOf(Buffer.from(root)).slice(0, 16);
  const content = {
    extends: settings,
    compilerOptions: {
      ...Object.fromEntries(unset.map((option) => [option, null])),
      noEmit: true,
      isolatedModules: true,
      rootDir: path.parse(root).root,
      incremental: true,
      tsBuildInfoFile: path.join(folder, `types-${name}.tsbuildinfo`),
    },
    files,
    include: [`${root}/**/*.d.ts`],
    exclude: [`${root}/**/node_modules`, `${root}/dist`],
    references: [],
  };
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `tsconfig-${name}.json`);
  await writeFileAtomically(file, JSON.stringify(content, null, 2));
  return file;
}

// A compiler refuses an option that it does not know, even one that is set to null. `isolatedDeclarations` came with TypeScript 5.5.
function newerOptions({ version }: Compiler): readonly string[] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 5 || (major === 5 && minor >= 5) ? ['isolatedDeclarations'] : [];
}

const PLACE = /^(.+?)\((\d+),(\d+)\): error /;

// `file:line:column - error TS...`, the form in which the compiler writes for people, and which terminals turn into links.
function problemsIn(output: string): string {
  return output
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.replace(PLACE, '$1:$2:$3 - error '))
    .join('\n');
}
