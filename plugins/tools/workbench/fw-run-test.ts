import { existsSync } from 'node:fs';
import path from 'node:path';
import { defineTool, fwError, Type } from '../../../kernel/index.js';
import { Integer, optional, optionalText, Text } from '../../../kernel/schema/index.js';
import { oncePerCause, runOneTest } from '../verification/index.js';
import { WORKBENCH_ERRORS } from './errors.js';
import { fwOf, runFw } from './project-fw.js';

const CODEGEN_MS = 120_000;
const MOST_FAILURES = 4;
const MOST_DETAIL = 1_000;

export const fwRunTest = defineTool({
  name: 'fw_run_test',
  description: 'Run one test file of the project, or the tests in it whose name matches (jest, vitest, node --test).',
  input: Type.Object({
    path: optionalText('project root'),
    file: Type.String({ description: 'below the project, e.g. tests/orders.test.ts' }),
    name: optionalText('regular expression over test names'),
  }),
  output: Type.Object({
    status: Type.Enum(['passed', 'failed', 'errored', 'skipped']),
    summary: Text,
    failures: Type.Array(
      Type.Object({
        name: Text,
        file: Text,
        line: optional(Integer),
        detail: Text,
        alike: optional(Type.Integer({ description: 'more of the same cause' })),
      }),
    ),
    more_failures: optional(Integer),
    output: optional(Text),
  }),
  paths: ['path'],
  texts: ['file', 'name'],
  reach: 'workspace',
  effects: ['runs-project-code'],
  destructive: false,
  run: async ({ path: given, file, name = '' }, context) => {
    const root = given ?? context.workspace;
    const test = await context.confine(path.resolve(root, file));
    if (!existsSync(test)) throw fwError(WORKBENCH_ERRORS.FW_TOOLS_WORKBENCH_TEST, { path: root, file });
    // Tests of an application run on what is generated from its sources.
    if (existsSync(path.join(root, 'app.config.ts'))) {
      fwOf(root);
      await runFw(root, ['codegen'], CODEGEN_MS, context);
    }
    const step = await runOneTest(root, { file: test, filter: name }, context);
    const failures = oncePerCause(step.failures)
      .slice(0, MOST_FAILURES)
      .map((failure) => ({ ...failure, detail: failure.detail.slice(0, MOST_DETAIL) }));
    const told = failures.reduce((sum, { alike = 0 }) => sum + 1 + alike, 0);
    const more = (step.total_findings ?? step.failures.length) - told;
    return {
      summary: `${step.status}: ${step.summary}`,
      structured: {
        status: step.status,
        summary: step.summary,
        failures,
        more_failures: more > 0 ? more : undefined,
        output: step.unparsed_output?.slice(-MOST_DETAIL),
      },
    };
  },
});
