import { existsSync } from 'node:fs';
import path from 'node:path';
import { compilerAbove } from '../../../../kernel/compiler/index.js';
import type { Diagnostic, ParsedOutput } from '../diagnostics.js';
import type { RunContext } from '../project.js';
import { diagnosedStep, erroredStep, factsOf, restOf, type Step, stepOf } from '../step.js';
import { runNode } from './program.js';

const TIMEOUT_MS = 120_000;

/** Types: `tsc --noEmit`. A project without tsconfig.json is plain JavaScript: there is nothing to check. */
export async function typesStep(root: string, context: RunContext): Promise<Step> {
  if (!existsSync(path.join(root, 'tsconfig.json')))
    return stepOf('build', 'skipped', 'there is no tsconfig.json: the project is plain JavaScript');
  const args = ['--noEmit', '--pretty', 'false', '-p', 'tsconfig.json'];
  const script = compilerAbove(root)?.script ?? 'typescript/bin/tsc';
  const run = await runNode({ root, script, args, timeoutMs: TIMEOUT_MS }, context);
  if (run.problem !== undefined) return erroredStep('build', run);
  const { diagnostics, rest } = parseTsc(run.stdout);
  const green = run.exitCode === 0;
  return diagnosedStep(
    'build',
    {
      status: green ? 'passed' : 'failed',
      summary: green ? 'types are right' : `${diagnostics.length} type error(s)`,
      ...factsOf(run),
      diagnostics: [...diagnostics],
      ...restOf(rest),
    },
    root,
    context,
  );
}

const ERROR = /^(?:(.+?)\((\d+),(\d+)\): )?error (TS\d+): (.*)$/;

/**
 * Reads what `tsc --pretty false` prints; lines that are indented belong to the message before them. A message without a position is about
 * the configuration.
 */
function parseTsc(output: string): ParsedOutput {
  const diagnostics: Diagnostic[] = [];
  const rest: string[] = [];
  for (const line of output.split(/\r?\n/)) {
    const [found, file = 'tsconfig.json', row = '1', column, code = '', message = ''] = ERROR.exec(line) ?? [];
    const last = diagnostics.at(-1);
    if (found !== undefined)
      diagnostics.push({
        file: file.replaceAll('\\', '/'),
        line: Number(row),
        ...(column !== undefined && { column: Number(column) }),
        code,
        message,
      });
    else if (last && /^\s+\S/.test(line)) last.message += ` ${line.trim()}`;
    else if (line.trim() !== '') rest.push(line);
  }
  return { diagnostics, rest: rest.join('\n') };
}
