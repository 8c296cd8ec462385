import type { CommandOutput } from '../../kernel/contracts/command.js';
import { applyToProject, type GeneratorContext, projectRoot } from '../schematics/index.js';
import type { Telling } from './general-flags.js';

/** Makes changes in a project, or only plans them, and prints what came of it. @returns exit code */
export async function applyAndReport<Result>(
  call: CommandOutput & { readonly cwd: string },
  { dryRun, json }: Telling,
  change: (context: GeneratorContext) => Promise<Result>,
): Promise<number> {
  const log = (line: string) => void (json || call.out(`${line}\n`));
  const applied = await applyToProject(projectRoot(call.cwd), log, change, { dryRun });
  return json ? reportAsJson(applied, dryRun, call) : reportApplied(applied, dryRun, call);
}

interface Applied {
  readonly files: readonly { readonly path: string; readonly change: string }[];
  readonly generated: readonly string[];
  readonly problems: readonly string[];
}

/** Prints the results of code generation after a change, or the changes of a dry run. @returns exit code */
function reportApplied({ files, generated, problems }: Applied, dryRun: boolean, { out, err }: CommandOutput): number {
  const printLine = (line: string) => out(`${line}\n`);
  if (dryRun) {
    for (const { path, change } of files) printLine(`${WOULD[change] ?? change} ${path}`);
    printLine(files.length === 0 ? 'nothing would change' : 'nothing was written: this was a dry run');
  }
  for (const file of generated) printLine(`generated ${file}`);
  for (const problem of problems) err(`${problem}\n`);
  return problems.length === 0 ? 0 : 1;
}

/** The same as JSON, with the problems that code generation found. @returns exit code */
function reportAsJson(
  { result, files, generated, problems }: Applied & { readonly result: unknown },
  dryRun: boolean,
  { out }: CommandOutput,
): number {
  out(`${JSON.stringify({ result, dryRun, files, generated, problems }, null, 2)}\n`);
  return problems.length === 0 ? 0 : 1;
}

const WOULD: Readonly<Record<string, string>> = {
  created: 'would write',
  modified: 'would edit',
  deleted: 'would delete',
};
