import { definePlugin, ToolContribution } from '../../../kernel/index.js';
import { fwCheckIdioms } from './fw-check-idioms.js';
import { fwGetTestCoverage } from './fw-get-test-coverage.js';
import { fwRunBenchmarks } from './fw-run-benchmarks.js';
import { fwVerifyProject } from './fw-verify-project.js';

export default definePlugin({
  id: 'tools/verification',
  category: 'verification',
  description:
    'Tools that run the compiler, the linter, the tests and the benchmarks of a project, or read its sources.',
  needs: ['tools/knowledge'],
  register: ({ contribute }) => {
    for (const tool of [fwVerifyProject, fwCheckIdioms, fwRunBenchmarks, fwGetTestCoverage])
      contribute(ToolContribution, () => tool);
  },
});
