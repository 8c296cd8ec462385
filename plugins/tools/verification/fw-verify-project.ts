import { defineTool, Type } from '../../../kernel/index.js';
import { optional, optionalText, YesNo } from '../../../kernel/schema/index.js';
import { firstFindings } from './first-findings.js';
import { Verification, verdict, verifyProject } from './verify-project.js';

export const fwVerifyProject = defineTool({
  name: 'fw_verify_project',
  description:
    'Check a project in child processes: types, lint, tests (jest, vitest, node --test), conventions; or go build, vet, test.',
  input: Type.Object({
    path: optionalText('project root'),
    skip_tests: optional(YesNo),
    test_filter: optionalText('regular expression over test names'),
    detail: optional(Type.Boolean({ description: 'every finding' })),
  }),
  output: Verification,
  paths: ['path'],
  texts: ['test_filter'],
  reach: 'workspace',
  effects: ['runs-project-code'],
  run: async ({ path, skip_tests: skipTests = false, test_filter: testFilter = '', detail = false }, context) => {
    const whole = await verifyProject({ root: path ?? context.workspace, skipTests, testFilter }, context);
    const structured = detail ? whole : { ...whole, steps: firstFindings(whole.steps) };
    const next = structured.ok
      ? 'fw_get_test_coverage shows what no test runs.'
      : 'Correct it and verify again; test_filter runs some of the tests only.';
    return { summary: `${verdict(structured)} ${next}`, structured };
  },
});
