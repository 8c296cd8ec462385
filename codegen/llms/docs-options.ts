import { type Project, ts } from 'ts-morph';
import { bare, Evaluator, notDataIn, type Unresolved, unresolvedAt, unresolvedOf } from '../evaluator/index.js';
import { moduleResolverOf } from '../program/index.js';

/** Options of the plugin `fw/docs` in `app.config.ts`, as far as they are known before run time. */
export interface DocsOptionsReading {
  readonly options: Readonly<Record<string, string>>;
  /** Absolute paths of the files that decide them. */
  readonly files: readonly string[];
  readonly unresolved: readonly (Unresolved & { readonly what: string })[];
}

const DOCS_PLUGIN = 'fw/docs';
/** Options that appear in the llms files, or name their folder. */
const TEXTS = ['title', 'version', 'description', 'llmsDir'];

/** Finds `plugin(() => import('fw/docs'), { ... })` in a configuration, and reads the options that the llms files need. */
export function readDocsOptions(project: Project, config: ts.SourceFile): DocsOptionsReading {
  const evaluator = new Evaluator(moduleResolverOf(project));
  const options: Record<string, string> = {};
  const unresolved: (Unresolved & { what: string })[] = [];
  const given = entryOf(config)?.arguments[1];
  const read = (what: string, node: ts.Expression) => {
    try {
      const value = evaluator.evaluate(node);
      if (typeof value === 'string') options[what] = value;
      else unresolved.push({ what, ...unresolvedAt(node, `it is ${notDataIn(value) ?? typeof value}, not a text`) });
    } catch (error) {
      const reason = unresolvedOf(error);
      if (!reason) throw error;
      unresolved.push({ what, ...reason });
    }
  };
  if (given) for (const [name, node] of membersOf(bare(given))) if (TEXTS.includes(name)) read(name, node);
  return { options, files: [config.fileName, ...evaluator.takeFiles()], unresolved };
}

function entryOf(config: ts.SourceFile): ts.CallExpression | undefined {
  let found: ts.CallExpression | undefined;
  const visit = (node: ts.Node): void => {
    const [load] = ts.isCallExpression(node) && node.expression.getText() === 'plugin' ? node.arguments : [];
    if (load && importsDocs(load)) found ??= node as ts.CallExpression;
    else ts.forEachChild(node, visit);
  };
  visit(config);
  return found;
}

function importsDocs(load: ts.Expression): boolean {
  const body = ts.isArrowFunction(load) && !ts.isBlock(load.body) ? bare(load.body) : undefined;
  if (!body || !ts.isCallExpression(body) || body.expression.kind !== ts.SyntaxKind.ImportKeyword) return false;
  const [specifier] = body.arguments;
  return specifier !== undefined && ts.isStringLiteral(specifier) && specifier.text === DOCS_PLUGIN;
}

function membersOf(node: ts.Expression): [string, ts.Expression][] {
  if (!ts.isObjectLiteralExpression(node)) return [];
  return node.properties.flatMap((property): [string, ts.Expression][] => {
    if (ts.isPropertyAssignment(property)) return [[property.name.getText(), property.initializer]];
    return ts.isShorthandPropertyAssignment(property) ? [[property.name.text, property.name]] : [];
  });
}
