import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ts } from 'ts-morph';
import type { PluginPackage } from './plugin-package.js';
import { type PluginProblem, wrong } from './problem.js';

const HOW = 'Add "types" to the export, in front of "default"; of TypeScript, tsc --declaration writes the file.';

/** Whether `plugin(() => import(...), options)` is typed: the declarations exist, parse, and export a default. */
export async function typeProblems({ root, types, entry }: PluginPackage): Promise<readonly PluginProblem[]> {
  const beside = entry?.replace(/\.([cm]?)js$/, '.d.$1ts');
  const file = types ?? (beside !== undefined && existsSync(beside) ? beside : undefined);
  if (file === undefined) return [wrong('types', 'it has no type declarations: its options are not checked', HOW)];
  const shown = path.relative(root, file);
  if (!existsSync(file)) return [wrong('types', `${shown} does not exist`, HOW)];
  const source = ts.createSourceFile(file, await readFile(file, 'utf8'), ts.ScriptTarget.Latest, true);
  return hasDefault(source)
    ? []
    : [
        wrong(
          'types',
          `${shown} has no default export`,
          'Write declare const plugin: Plugin<Options>, and export it by default.',
        ),
      ];
}

function hasDefault({ statements }: ts.SourceFile): boolean {
  return statements.some((statement) => {
    if (ts.isExportAssignment(statement)) return true;
    if (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause))
      return statement.exportClause.elements.some(({ name }) => name.text === 'default');
    const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
    return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) === true;
  });
}
