import { ts } from 'ts-morph';
import { Type } from 'typebox';
import { resolveOptions } from '../../../kernel/config/index.js';
import type { PluginManifest } from '../../../kernel/plugin/index.js';

/**
 * Checks options against the schema of their plugin before they are written, so that a wrong flag is reported now and not at the next
 * start. Values that are known only at run time are not checked; for `process.env.NAME ?? 'fallback'` the fallback is.
 *
 * Environment variables have to be written in that form.
 *
 * @param module - of the framework
 * @param literal - source text of an object literal; empty for no options
 * @throws FwError `FW_CONFIG_OPTIONS`
 */
export async function checkOptions(module: string, literal: string): Promise<void> {
  const given = knownMembers(literal);
  if (Object.keys(given).length === 0) return;
  const { default: plugin } = (await import(module)) as { default: { manifest: PluginManifest } };
  const { manifest } = plugin;
  const properties = Object.entries(manifest.options?.properties ?? {}).filter(([name]) => name in given);
  const unknown = Object.keys(given).filter((name) => !properties.some(([known]) => known === name));
  // The options may belong to another module of the plugin.
  if (unknown.length > 0) return;
  resolveOptions(
    { ...manifest, options: Type.Object(Object.fromEntries(properties), { additionalProperties: false }) },
    given,
  );
}

function knownMembers(literal: string): Readonly<Record<string, unknown>> {
  const { statements } = ts.createSourceFile('options.ts', `(${literal || '{}'});`, ts.ScriptTarget.Latest, true);
  const [statement] = statements;
  const object = statement && ts.isExpressionStatement(statement) ? inner(statement.expression) : undefined;
  if (object === undefined || !ts.isObjectLiteralExpression(object)) return {};
  const members = object.properties.flatMap((member) => {
    if (!ts.isPropertyAssignment(member)) return [];
    const value = valueOf(member.initializer);
    return value === undefined ? [] : [[member.name.getText(), value] as const];
  });
  return Object.fromEntries(members);
}

const inner = (node: ts.Expression): ts.Expression =>
  ts.isParenthesizedExpression(node) ? inner(node.expression) : node;

/** Undefined for a value that is known only at run time. */
function valueOf(node: ts.Expression): unknown {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text.replaceAll('_', ''));
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken)
    return -Number(valueOf(node.operand));
  if (ts.isArrayLiteralExpression(node)) {
    const values = node.elements.map(valueOf);
    return values.includes(undefined) ? undefined : values;
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) {
    // An empty fallback marks a variable that has to be set.
    return valueOf(node.right) || undefined;
  }
  if (ts.isCallExpression(node) && node.expression.getText() === 'Number' && node.arguments[0]) {
    const value = valueOf(node.arguments[0]);
    return value === undefined ? undefined : Number(value);
  }
  return undefined;
}
