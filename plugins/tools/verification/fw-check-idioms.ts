import { defineTool, Type } from '../../../kernel/index.js';
import { Finding } from './idioms/finding.js';
import { projectAt } from './project.js';

const MOST_FINDINGS = 200;

export const fwCheckIdioms = defineTool({
  name: 'fw_check_idioms',
  description: 'Check the conventions of the framework in the sources of a project; each finding has a fix.',
  input: Type.Object({ path: Type.Optional(Type.String({ description: 'project root' })) }),
  output: Type.Object({
    path: Type.String(),
    findings: Type.Array(Finding),
    count: Type.Integer(),
    errors: Type.Integer(),
    warnings: Type.Integer(),
    files_checked: Type.Integer(),
    rules_checked: Type.Array(Type.String()),
    skipped: Type.Array(Type.Object({ file: Type.String(), reason: Type.String() })),
    notes: Type.Array(Type.String()),
  }),
  paths: ['path'],
  reach: 'workspace',
  effects: [],
  run: async ({ path }, context) => {
    const root = path ?? context.workspace;
    // Imported on demand, because it loads the compiler, which a server does not need to list its tools.
    const { checkIdioms } = await import('./idioms/check-idioms.js');
    const { findings, filesChecked, rules, skipped } = await checkIdioms(root, context);
    // A folder without files to check must be a project; otherwise the call fails.
    if (filesChecked === 0) await projectAt(root, context);
    const errors = findings.filter(({ severity }) => severity === 'error').length;
    const [first] = findings;
    const notes = [
      ...(filesChecked === 0 ? ['no TypeScript files found'] : []),
      ...(findings.length > MOST_FINDINGS ? [`only the first ${MOST_FINDINGS} findings are listed`] : []),
    ];
    return {
      summary: first
        ? `${errors} error(s), ${findings.length - errors} warning(s). First: ${first.file}:${first.line} ${first.message}. ${first.fix} fw_explain_idiom with topic ${first.rule} says why.`
        : `${filesChecked} file(s) follow the conventions. fw_verify_project checks types, lint and tests.`,
      structured: {
        path: root,
        findings: findings.slice(0, MOST_FINDINGS),
        count: findings.length,
        errors,
        warnings: findings.length - errors,
        files_checked: filesChecked,
        rules_checked: [...rules],
        skipped: skipped.map((each) => ({ ...each })),
        notes,
      },
    };
  },
});
