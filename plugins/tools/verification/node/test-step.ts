import type { RunContext } from '../project.js';
import { erroredStep, factsOf, restOf, type Step, stepOf, testedStep } from '../step.js';
import { runnerOf, runTests, type TestedProject } from './test-runner.js';

const HOW = 'there is no jest, no vitest, and no file named *.test.js for node --test';

/** Tests: jest, vitest or `node --test`, depending on the project. */
export async function testStep(
  project: TestedProject,
  filter: string,
  context: RunContext,
  file?: string,
): Promise<Step> {
  const runner = await runnerOf(project);
  if (!runner) return stepOf('test', 'skipped', HOW);
  const { run, report } = await runTests(runner, project, { filter, file, coverage: false }, context);
  if (run.problem !== undefined) return erroredStep('test', run);
  if (report) return testedStep(run, report, project.root, context);
  const facts = { ...factsOf(run), ...restOf(run.stderr || run.stdout) };
  return stepOf('test', 'errored', `${runner} wrote no report, see unparsed_output`, facts);
}
