import ts from 'typescript';

/** A test file as the checker sees it. */
export interface TestFile {
  /** Path from the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** A requirement id that the title of a test or of a `describe` cites. */
export interface Citation {
  readonly id: string;
  /** True when the test does not run, or passes by failing: `.skip`, `.todo`, `.failing`, `xit`, or inside such a `describe`. */
  readonly isSkipped: boolean;
}

/** The form of a requirement id: three or more parts of capitals and digits, joined by dashes. */
export const REQUIREMENT_ID = /^[A-Z][A-Z0-9]*(?:-[A-Z0-9]+){2,}$/;

const ANY_ID = /[A-Z][A-Z0-9]*(?:-[A-Z0-9]+){2}/;
const TITLED = new Set(['test', 'it', 'describe', 'fit', 'fdescribe', 'xtest', 'xit', 'xdescribe']);
const NOT_RUN = new Set(['skip', 'todo', 'failing', 'xtest', 'xit', 'xdescribe']);

/** Constants of one name in several scopes may seem to refer to each other in a circle. */
const MAX_STEPS = 20;

/** Constants of the file, so that `const onPostgres = available ? describe : describe.skip` and tables in constants are understood. */
type Constants = ReadonlyMap<string, ts.Expression>;

/**
 * Lists the requirement ids that the titles of a test file cite. Understood are `[ID]`, `[ID, ID]` and, over an `each` table
 * of objects, `[$id]`, where the ids stand as string literals in the table.
 */
export function citationsIn(file: TestFile): readonly Citation[] {
  if (!ANY_ID.test(file.text)) return [];
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, false);
  const constants = constantsOf(source);
  const citations: Citation[] = [];
  const visit = (node: ts.Node, isInsideSkipped: boolean): void => {
    let isSkipped = isInsideSkipped;
    if (ts.isCallExpression(node)) {
      const names = namesOf(node.expression, constants);
      if (TITLED.has(names[0] ?? '')) {
        isSkipped ||= names.some((name) => NOT_RUN.has(name));
        citations.push(...idsCitedBy(node, constants).map((id) => ({ id, isSkipped })));
      }
    }
    ts.forEachChild(node, (child) => visit(child, isSkipped));
  };
  visit(source, false);
  return citations;
}

function constantsOf(source: ts.SourceFile): Constants {
  const constants = new Map<string, ts.Expression>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      constants.set(node.name.text, node.initializer);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return constants;
}

/** The names along a callee: `describe.skip.each(table)` gives `describe`, `skip`, `each`. */
function namesOf(callee: ts.Expression, constants: Constants, depth = 0): readonly string[] {
  if (depth > MAX_STEPS) return [];
  const inner = (expression: ts.Expression) => namesOf(expression, constants, depth + 1);
  if (ts.isPropertyAccessExpression(callee)) return withName(inner(callee.expression), callee.name.text);
  if (ts.isCallExpression(callee)) return inner(callee.expression);
  if (ts.isTaggedTemplateExpression(callee)) return inner(callee.tag);
  if (ts.isParenthesizedExpression(callee)) return inner(callee.expression);
  if (ts.isConditionalExpression(callee)) return namesThatRun(inner(callee.whenTrue), inner(callee.whenFalse));
  if (!ts.isIdentifier(callee)) return [];
  const value = TITLED.has(callee.text) ? undefined : constants.get(callee.text);
  return value ? inner(value) : [callee.text];
}

/** An empty list stays empty, so that `/a/.test(title)` is not taken for a test. */
function withName(names: readonly string[], name: string): readonly string[] {
  return names.length === 0 ? [] : [...names, name];
}

/** Of `available ? describe : describe.skip` it takes the side that runs: the manifest does not depend on the machine. */
function namesThatRun(one: readonly string[], other: readonly string[]): readonly string[] {
  return one.some((name) => NOT_RUN.has(name)) ? other : one;
}

function idsCitedBy(call: ts.CallExpression, constants: Constants): readonly string[] {
  const first = call.arguments[0];
  const title = first && textOf(first);
  if (title === undefined) return [];
  const cited = [...title.matchAll(/\[([^\][]*)\]/g)].flatMap(([, inside = '']) => {
    const field = /^\$(\w+)$/.exec(inside)?.[1];
    return field ? fieldOfTable(call.expression, field, constants) : idsListedIn(inside);
  });
  return [...new Set(cited)];
}

function idsListedIn(inside: string): readonly string[] {
  const words = inside.split(/[\s,]+/).filter((word) => word !== '');
  return words.every((word) => REQUIREMENT_ID.test(word)) ? words : [];
}

/** The text of a title as far as it is written out; a substitution in a template stands as `${}`. */
function textOf(title: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(title)) return title.text;
  if (ts.isParenthesizedExpression(title)) return textOf(title.expression);
  if (ts.isTemplateExpression(title)) {
    return title.head.text + title.templateSpans.map((span) => '${}' + span.literal.text).join('');
  }
  if (!ts.isBinaryExpression(title) || title.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  return (textOf(title.left) ?? '${}') + (textOf(title.right) ?? '${}');
}

/** The ids that stand under `field` in the table of `test.each(table)`. */
function fieldOfTable(callee: ts.Expression, field: string, constants: Constants): readonly string[] {
  const table = ts.isCallExpression(callee) ? callee.arguments[0] : undefined;
  const rows = table && valueOf(table, constants);
  if (!rows || !ts.isArrayLiteralExpression(rows)) return [];
  const values = rows.elements.flatMap((row) => propertyOf(valueOf(row, constants), field));
  return values.filter((value) => REQUIREMENT_ID.test(value));
}

function propertyOf(row: ts.Expression, field: string): readonly string[] {
  if (!ts.isObjectLiteralExpression(row)) return [];
  return row.properties
    .filter(ts.isPropertyAssignment)
    .filter(({ name }) => (ts.isIdentifier(name) || ts.isStringLiteral(name)) && name.text === field)
    .flatMap(({ initializer }) => (ts.isStringLiteralLike(initializer) ? [initializer.text] : []));
}

function valueOf(expression: ts.Expression, constants: Constants, depth = 0): ts.Expression {
  if (depth > MAX_STEPS) return expression;
  if (
    ts.isAsExpression(expression) ||
    ts.isSatisfiesExpression(expression) ||
    ts.isParenthesizedExpression(expression)
  ) {
    return valueOf(expression.expression, constants, depth + 1);
  }
  const constant = ts.isIdentifier(expression) ? constants.get(expression.text) : undefined;
  return constant ? valueOf(constant, constants, depth + 1) : expression;
}
