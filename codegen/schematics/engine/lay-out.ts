import { ts } from 'ts-morph';
import { LINE_WIDTH } from '../../text/index.js';

/** Position of an expression: the indent of its line, and the characters of the line before and after it. */
interface Place {
  readonly indent: string;
  readonly before: number;
  readonly behind: number;
}

/**
 * Source text of an expression as Prettier lays out calls and object literals: on one line where it fits, else each argument and
 * each member on a line of its own.
 *
 * @param indent - of the line that it begins
 */
export function laidOut(expression: string, indent: string): string {
  return textOf(parsed(expression), { indent, before: indent.length, behind: ','.length });
}

/** The same for a member of an object literal: its name, and its value. */
export function laidOutMember(name: string, value: string, indent: string): string {
  const start = `${name}: `;
  return start + textOf(parsed(value), { indent, before: indent.length + start.length, behind: ','.length });
}

function parsed(expression: string): ts.Expression {
  const [statement] = ts.createSourceFile('expression.ts', `(${expression})`, ts.ScriptTarget.Latest, true).statements;
  return ((statement as ts.ExpressionStatement).expression as ts.ParenthesizedExpression).expression;
}

function textOf(node: ts.Node, place: Place): string {
  const text = flat(node);
  const fits = place.before + text.length + place.behind <= LINE_WIDTH;
  if (!fits && ts.isCallExpression(node)) return callText(node, place);
  if (!fits && isLiteral(node)) return literalText(node, place.indent);
  return text;
}

/** The same on one line. */
function flat(node: ts.Node): string {
  if (ts.isCallExpression(node)) return `${node.expression.getText()}(${node.arguments.map(flat).join(', ')})`;
  if (!ts.isObjectLiteralExpression(node)) return node.getText();
  if (node.properties.length === 0) return '{}';
  const members = node.properties.map((member) =>
    ts.isPropertyAssignment(member) ? `${member.name.getText()}: ${flat(member.initializer)}` : member.getText(),
  );
  return `{ ${members.join(', ')} }`;
}

function callText(node: ts.CallExpression, { indent, before }: Place): string {
  const callee = node.expression.getText();
  const last = node.arguments.at(-1);
  const first = node.arguments.slice(0, -1);
  // A last argument that is an object or a list begins on the line of the call if no other of them precedes it.
  if (last && isLiteral(last) && !first.some(isLiteral)) {
    const start = `${callee}(${first.map((argument) => `${argument.getText()}, `).join('')}`;
    if (before + start.length + '{'.length <= LINE_WIDTH) return `${start}${literalText(last, indent)})`;
  }
  const deeper = `${indent}  `;
  const lines = node.arguments.map((argument) => lineOf(argument, deeper));
  return `${callee}(\n${lines.join('')}${indent})`;
}

type Literal = ts.ObjectLiteralExpression | ts.ArrayLiteralExpression;
const isLiteral = (node: ts.Node): node is Literal =>
  ts.isObjectLiteralExpression(node) || ts.isArrayLiteralExpression(node);

function literalText(node: Literal, indent: string): string {
  if (ts.isObjectLiteralExpression(node)) return objectText(node, indent);
  return `[\n${node.elements.map((element) => lineOf(element, `${indent}  `)).join('')}${indent}]`;
}

function objectText(node: ts.ObjectLiteralExpression, indent: string): string {
  const deeper = `${indent}  `;
  const lines = node.properties.map((member) => {
    if (!ts.isPropertyAssignment(member)) return `${deeper}${member.getText()},\n`;
    return lineOf(member.initializer, deeper, `${member.name.getText()}: `);
  });
  return `{\n${lines.join('')}${indent}}`;
}

const lineOf = (node: ts.Node, indent: string, start = ''): string =>
  `${indent}${start}${textOf(node, { indent, before: indent.length + start.length, behind: ','.length })},\n`;
