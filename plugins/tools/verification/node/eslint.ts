import path from 'node:path';
import { parsedJson } from '../../../../kernel/values/index.js';
import { type Diagnostic } from '../diagnostics.js';
import type { RunContext } from '../project.js';
import { diagnosedStep, erroredStep, factsOf, restOf, type Step, stepOf } from '../step.js';
import { programIn, runNode } from './program.js';

const SCRIPT = 'eslint/bin/eslint.js';
const TIMEOUT_MS = 120_000;

/** Lint: `eslint .`, where the project has it. */
export async function lintStep(root: string, context: RunContext): Promise<Step> {
  if (programIn(root, SCRIPT) === undefined)
    return stepOf('vet', 'skipped', 'eslint is not installed in this project; npm install --save-dev eslint adds it');
  const args = ['--format', 'json', '.'];
  const run = await runNode({ root, script: SCRIPT, args, timeoutMs: TIMEOUT_MS }, context);
  if (run.problem !== undefined) return erroredStep('vet', run);
  const found = parseEslint(run.stdout, root);
  if (!found && run.stderr.includes("couldn't find an eslint.config"))
    return stepOf('vet', 'skipped', 'eslint has no configuration here; write an eslint.config.js', factsOf(run));
  if (!found) {
    const facts = { ...factsOf(run), ...restOf(run.stderr || run.stdout) };
    return stepOf('vet', 'errored', 'eslint did not report, see unparsed_output', facts);
  }
  const summary = found.length === 0 ? 'no findings' : `${found.length} finding(s)`;
  const status = found.length === 0 ? 'passed' : 'failed';
  return diagnosedStep('vet', { status, summary, ...factsOf(run), diagnostics: [...found] }, root, context);
}

interface EslintFile {
  readonly filePath: string;
  readonly messages: readonly {
    readonly line?: number;
    readonly column?: number;
    readonly ruleId: string | null;
    readonly message: string;
    readonly severity: number;
  }[];
}

/** Reads what `eslint --format json` prints; warnings are left out. Undefined when it is something else. */
function parseEslint(output: string, root: string): readonly Diagnostic[] | undefined {
  const files = parsedJson(output);
  if (!Array.isArray(files)) return undefined;
  return (files as EslintFile[]).flatMap(({ filePath, messages }) =>
    messages
      .filter(({ severity }) => severity === 2)
      .map(({ line = 1, column, ruleId, message }) => ({
        file: path.relative(root, filePath).split(path.sep).join('/'),
        line,
        ...(column !== undefined && { column }),
        ...(ruleId && { code: ruleId }),
        message,
      })),
  );
}
