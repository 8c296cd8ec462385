import path from 'node:path';
import { type Project, ts } from 'ts-morph';
import { bare, Evaluator, shortened, unresolvedAt, unresolvedOf } from '../evaluator/index.js';
import { moduleResolverOf } from '../program/index.js';
import { folderOf } from './globs.js';
import type { SourceProblem } from './source-problem.js';

/** What code generation takes from `app.config.ts`. */
export interface ProjectConfig {
  /** Globs relative to the configuration. */
  readonly models: readonly string[];
  /** Globs relative to the configuration. */
  readonly routes: readonly string[];
  /** Absolute path of `generated/`. */
  readonly outDir: string;
  /** Absolute paths of the files that were read. */
  readonly files: readonly string[];
  readonly problems: readonly SourceProblem[];
}

/** Where generated code goes when `app.config.ts` does not say. */
const DEFAULT_OUT_DIR = 'generated';
/** Where models are looked for when `app.config.ts` does not say. */
const DEFAULT_MODELS: readonly string[] = ['app/models/**/*.ts'];

/**
 * Reads `models`, `routes` and `generated` of `export default defineApp({ ... })` without running anything.
 *
 * Without `routes`, route modules are looked for beside the models: for `app/models/*.ts` in `app/routes/`, at any depth.
 *
 * @param file - absolute path of `app.config.ts`, part of the project
 */
export function readProjectConfig(project: Project, file: string): ProjectConfig {
  const source = project.getSourceFileOrThrow(file).compilerNode;
  const reader = new ConfigReader(new Evaluator(moduleResolverOf(project)));
  const app = reader.appOf(source);
  const models = (app && reader.globs(app, 'models')) ?? DEFAULT_MODELS;
  const routes = (app && reader.globs(app, 'routes')) ?? models.map(besideModels);
  const outDir = (app && reader.outDir(app)) ?? path.join(path.dirname(file), DEFAULT_OUT_DIR);
  return {
    models,
    routes: [...new Set(routes)],
    outDir,
    files: [file, ...reader.evaluator.takeFiles()],
    problems: reader.problems,
  };
}

// app/models/**/*.ts -> app/routes/**/*.ts
function besideModels(glob: string): string {
  return path.posix.join(path.posix.dirname(folderOf(glob)), 'routes/**/*.ts');
}

class ConfigReader {
  readonly problems: SourceProblem[] = [];

  constructor(readonly evaluator: Evaluator) {}

  appOf(source: ts.SourceFile): ts.ObjectLiteralExpression | undefined {
    const exported = source.statements.find(
      (statement): statement is ts.ExportAssignment => ts.isExportAssignment(statement) && !statement.isExportEquals,
    );
    if (!exported) return this.#refuse(source, 'the configuration has no default export');
    const call = this.#followed(exported.expression);
    if (!ts.isCallExpression(call) || call.expression.getText() !== 'defineApp') {
      return this.#refuse(exported, `the default export is ${shortened(exported.expression)}`);
    }
    const argument = call.arguments[0] && this.#followed(call.arguments[0]);
    if (argument && ts.isObjectLiteralExpression(argument)) return argument;
    return this.#refuse(call, 'defineApp is not given an object literal');
  }

  globs(app: ts.ObjectLiteralExpression, name: string): readonly string[] | undefined {
    const node = this.#member(app, name);
    if (!node) return undefined;
    try {
      const value = this.evaluator.evaluate(node);
      if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value as string[];
      this.#problem(node, `\`${name}\` must be an array of globs, e.g. ['app/${name}/*.ts']`);
    } catch (error) {
      const unresolved = unresolvedOf(error);
      if (!unresolved) throw error;
      this.#problem(node, `\`${name}\` must be an array of literal globs, but ${unresolved.reason}`);
    }
    return [];
  }

  /** The folder of the module that `generated: () => import('./generated/index.js')` imports. */
  outDir(app: ts.ObjectLiteralExpression): string | undefined {
    const node = this.#member(app, 'generated');
    if (!node) return undefined;
    const specifier = importedBy(node);
    if (specifier?.startsWith('.'))
      return path.resolve(path.dirname(node.getSourceFile().fileName), path.dirname(specifier));
    this.#problem(node, "`generated` must read () => import('./generated/index.js'), with a relative path");
    return undefined;
  }

  #member(app: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
    for (const property of app.properties) {
      if (!property.name || property.name.getText() !== name) continue;
      if (ts.isPropertyAssignment(property)) return property.initializer;
      if (ts.isShorthandPropertyAssignment(property)) return property.name;
    }
    return undefined;
  }

  // `const app = defineApp(...); export default app`
  #followed(expression: ts.Expression): ts.Expression {
    const node = bare(expression);
    if (!ts.isIdentifier(node)) return node;
    for (const statement of node.getSourceFile().statements) {
      if (!ts.isVariableStatement(statement)) continue;
      const found = statement.declarationList.declarations.find(({ name }) => name.getText() === node.text);
      if (found?.initializer) return bare(found.initializer);
    }
    return node;
  }

  #refuse(node: ts.Node, found: string): undefined {
    this.#problem(node, `expected \`export default defineApp({ ... })\`, but ${found}`);
    return undefined;
  }

  #problem(node: ts.Node, message: string): void {
    const { file, line, reason } = unresolvedAt(node, message);
    this.problems.push({ file, line, column: 1, message: reason });
  }
}

function importedBy(node: ts.Expression): string | undefined {
  let specifier: string | undefined;
  const visit = (at: ts.Node): void => {
    const argument =
      ts.isCallExpression(at) && at.expression.kind === ts.SyntaxKind.ImportKeyword ? at.arguments[0] : undefined;
    if (argument && ts.isStringLiteral(argument)) specifier ??= argument.text;
    ts.forEachChild(at, visit);
  };
  visit(node);
  return specifier;
}
