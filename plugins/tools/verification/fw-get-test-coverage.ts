import { defineTool, pageOf, Type } from '../../../kernel/index.js';
import { Integer, optional, optionalText, Text, Texts, YesNo } from '../../../kernel/schema/index.js';
import { byFolder, FileCoverage, PackageCoverage, percentOf } from './coverage/file-coverage.js';
import { measuredCoverage, recordedCoverage } from './coverage/measure.js';
import { TestFailure } from './diagnostics.js';
import { projectAt } from './project.js';

/** Characters of the lists in an answer that nobody has limited. */
const MOST = { files: 2_200, packages: 800, failures: 1_200 };
const LEAST = 5;

export const fwGetTestCoverage = defineTool({
  name: 'fw_get_test_coverage',
  description: 'Run the tests of a project and tell which lines none of them runs, least covered files first.',
  input: Type.Object({
    path: optionalText('project root'),
    existing: optional(Type.Boolean({ description: 'read the last report instead of running tests' })),
    limit: optional(Type.Integer({ minimum: 1 })),
  }),
  output: Type.Object({
    path: Text,
    source: Type.String({ description: 'the command that measured it, or the report that was read' }),
    total_percent: optional(Type.Number({ description: 'mean of the packages' })),
    weighted_percent: optional(Type.Number({ description: 'of all statements' })),
    packages: Type.Array(PackageCoverage),
    untested_packages: Type.Array(Text, { description: 'nothing in them runs' }),
    least_covered: Texts,
    files: Type.Array(FileCoverage, { description: 'least covered first' }),
    tests_passed: optional(YesNo),
    failures: Type.Array(TestFailure),
    duration_ms: Integer,
    notes: Texts,
  }),
  paths: ['path'],
  reach: 'workspace',
  effects: ['runs-project-code'],
  run: async ({ path, existing = false, limit }, context) => {
    const from = performance.now();
    const root = path ?? context.workspace;
    const project = await projectAt(root, context);
    context.progress(0, 1, existing ? 'reading the report' : 'running tests');
    const { files, source, tests, notes } = await (existing ? recordedCoverage : measuredCoverage)(project, context);
    context.progress(1, 1, 'done');
    const sorted = [...files].sort((a, b) => a.percent - b.percent || (a.file < b.file ? -1 : 1));
    const packages = [...byFolder(files)];
    const sum = (of: 'statements' | 'covered') => files.reduce((total, file) => total + file[of], 0);
    const weighted = percentOf(sum('covered'), sum('statements'));
    const mean = packages.reduce((total, { percent }) => total + percent, 0) / packages.length;
    const gapped = sorted.filter(({ percent }) => percent < 100);
    const shown = pageOf(limit === undefined ? gapped : sorted, limit, 'files: pass limit', MOST.files);
    const folders = pageOf(packages, undefined, 'folders', MOST.packages);
    const failures = pageOf(tests?.failures ?? [], undefined, 'failures: fw_verify_project lists them', MOST.failures);
    const [first] = sorted;
    const gaps = first?.uncovered.map(({ from, to }) => (from === to ? from : `${from}-${to}`)).join(', ');
    const told =
      files.length === 0
        ? 'No file of the project was measured: its tests load none.'
        : `${weighted} % of the statements run in ${files.length} file(s).${first && first.percent < 100 ? ` Least: ${first.file} (${first.percent} %), lines ${gaps} do not; write a test for them.` : ''}`;
    return {
      summary: tests?.passed === false ? `${told} The tests fail: call fw_verify_project.` : told,
      structured: {
        path: root,
        source,
        ...(files.length > 0 && { total_percent: Math.round(mean * 100) / 100, weighted_percent: weighted }),
        packages: folders.shown,
        untested_packages: packages
          .filter(({ covered, statements }) => covered === 0 && statements > 0)
          .map((each) => each.package),
        least_covered: gapped.slice(0, LEAST).map(({ file }) => file),
        files: shown.shown,
        tests_passed: tests?.passed,
        failures: failures.shown,
        duration_ms: Math.round(performance.now() - from),
        notes: [
          ...notes,
          ...(gapped.length < files.length && limit === undefined
            ? [`${files.length - gapped.length} file(s) are covered whole; limit lists them`]
            : []),
          ...[shown, folders, failures].flatMap((each) => each.notes),
        ],
      },
    };
  },
});
