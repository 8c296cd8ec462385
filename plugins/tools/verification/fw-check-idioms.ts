import { existsSync } from 'node:fs';
import path from 'node:path';
import { CONFIG_FILE, foldersAbove } from '../../../kernel/fs/index.js';
import { defineTool, Type } from '../../../kernel/index.js';
import { Integer, optionalText, Text, Texts } from '../../../kernel/schema/index.js';
import { Finding } from './idioms/finding.js';
import { projectAt } from './project.js';

const MOST_FINDINGS = 200;

export const fwCheckIdioms = defineTool({
  name: 'fw_check_idioms',
  description: 'Check the conventions of the framework in the sources of a project; each finding has a fix.',
  input: Type.Object({ path: optionalText('project root') }),
  output: Type.Object({
    path: Text,
    findings: Type.Array(Finding),
    count: Integer,
    errors: Integer,
    warnings: Integer,
    files_checked: Integer,
    rules_checked: Texts,
    skipped: Type.Array(Type.Object({ file: Text, reason: Text })),
    notes: Texts,
  }),
  paths: ['path'],
  reach: 'workspace',
  effects: [],
  run: async ({ path: given }, context) => {
    const root = given ?? context.workspace;
    // Imported on demand, because it loads the compiler, which a server does not need to list its tools.
    const { checkIdioms } = await import('./idioms/check-idioms.js');
    const { findings, filesChecked, rules, skipped } = await checkIdioms(root, context);
    // A folder without files to check must be a project; otherwise the call fails.
    if (filesChecked === 0) await projectAt(root, context);
    // A part of a project, such as app/, can be checked by itself.
    const isOfProject = foldersAbove(root).some((folder) => existsSync(path.join(folder, CONFIG_FILE)));
    const errors = findings.filter(({ severity }) => severity === 'error').length;
    const [first] = findings;
    const notes = [
      ...(filesChecked === 0 ? ['no TypeScript files found'] : []),
      ...(isOfProject ? [] : [`there is no ${CONFIG_FILE} here or above: these are not the sources of a project`]),
      ...(findings.length > MOST_FINDINGS ? [`only the first ${MOST_FINDINGS} findings are listed`] : []),
    ];
    return {
      summary: first
        ? `${errors} error(s), ${findings.length - errors} warning(s). First: ${first.file}:${first.line} ${first.message}. ${first.fix} fw_explain_idiom with topic ${first.rule} says why.`
        : isOfProject && filesChecked > 0
          ? `${filesChecked} file(s) follow the conventions. fw_verify_project checks types, lint and tests.`
          : `Nothing of a project was checked: ${notes[0]}.`,
      structured: {
        path: root,
        findings: findings.slice(0, MOST_FINDINGS),
        count: findings.length,
        errors,
        warnings: findings.length - errors,
        files_checked: filesChecked,
        rules_checked: rules,
        skipped,
        notes,
      },
    };
  },
});
