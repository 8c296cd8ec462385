import { Node, type PropertyAssignment } from 'ts-morph';
import type { TableIndex } from '../../plugins/orm/core/index.js';
import type { ModelSource } from './model-source.js';

type Report = (node: Node, message: string) => void;

const FORM =
  '@table takes { checks: { <name>: <SQL> }, indexes: [{ columns: [<property>], unique?, name? }] } behind the name, written in place';

/** Reads what stands behind the name in `@table`, by its syntax alone. */
export function readTableOptions(options: Node | undefined, report: Report): Pick<ModelSource, 'checks' | 'indexes'> {
  const found = { checks: {} as Record<string, string>, indexes: [] as readonly TableIndex[] };
  if (options === undefined) return found;
  const members = Node.isObjectLiteralExpression(options) ? options.getProperties() : [options];
  for (const member of members) {
    const name = Node.isPropertyAssignment(member) ? member.getName() : '';
    const written = Node.isPropertyAssignment(member) ? member.getInitializer() : undefined;
    if (name === 'checks' && Node.isObjectLiteralExpression(written)) found.checks = readChecks(written, report);
    else if (name === 'indexes' && Node.isArrayLiteralExpression(written)) found.indexes = readIndexes(written, report);
    else report(member, FORM);
  }
  return found;
}

function readChecks(written: Node, report: Report): Record<string, string> {
  const checks: Record<string, string> = {};
  for (const each of Node.isObjectLiteralExpression(written) ? written.getProperties() : []) {
    const sql = Node.isPropertyAssignment(each) ? textOf(each.getInitializer()) : undefined;
    if (sql !== undefined) checks[(each as PropertyAssignment).getName()] = sql;
    else report(each, 'a check is SQL written in place as a string, under the name of the check');
  }
  return checks;
}

function readIndexes(written: Node, report: Report): readonly TableIndex[] {
  const elements = Node.isArrayLiteralExpression(written) ? written.getElements() : [];
  return elements.flatMap((element) => {
    const index = indexOf(element);
    if (index === undefined)
      report(
        element,
        "an index is { columns: ['<property>', ...] }, with unique: true and name: '<name>' if wanted, written in place",
      );
    return index ?? [];
  });
}

function indexOf(element: Node): TableIndex | undefined {
  if (!Node.isObjectLiteralExpression(element)) return undefined;
  const read: { columns?: readonly string[]; unique?: boolean; name?: string } = {};
  for (const member of element.getProperties()) {
    const value = Node.isPropertyAssignment(member) ? member.getInitializer() : undefined;
    const name = Node.isPropertyAssignment(member) ? member.getName() : '';
    const text = textOf(value);
    const columns = name === 'columns' ? textsOf(value) : undefined;
    if (columns) read.columns = columns;
    else if (name === 'unique' && (Node.isTrueLiteral(value) || Node.isFalseLiteral(value)))
      read.unique = Node.isTrueLiteral(value);
    else if (name === 'name' && text !== undefined) read.name = text;
    else return undefined;
  }
  return read.columns && { ...read, columns: read.columns };
}

function textsOf(node: Node | undefined): readonly string[] | undefined {
  if (!Node.isArrayLiteralExpression(node)) return undefined;
  const texts = node.getElements().map(textOf);
  return texts.includes(undefined) ? undefined : (texts as string[]);
}

const textOf = (node: Node | undefined): string | undefined =>
  Node.isStringLiteral(node) || Node.isNoSubstitutionTemplateLiteral(node) ? node.getLiteralText() : undefined;
