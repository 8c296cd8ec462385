import {
  enumProblem,
  isNumeric,
  ModelInfo,
  parseDbTag,
  stringLiteral,
  type ColumnDefinition,
  type ColumnKind,
  type Dialect,
  type EnumValue,
} from '../core/index.js';
import type { ActualCheck, ActualColumn, ActualTable } from '../schema/introspect.js';
import { isShared } from '../schema/native-enums.js';
import { valueChecksOf } from '../schema/value-checks.js';
import { readValueCondition } from '../schema/value-conditions.js';

/** The values that a column is held to, as a declaration has them. */
export interface ListedValues {
  readonly values: readonly EnumValue[];
  /** What its tag says of them. */
  readonly options: readonly string[];
  /** The check that says so. */
  readonly check?: ActualCheck;
}

const LONGEST_LINE = 100;

/** The values of a column: those of the enum that is its type, or of a check. @param kind - that the type has */
export function listedValues(
  column: ActualColumn,
  kind: Pick<ColumnDefinition, 'kind' | 'element'>,
  { checks }: ActualTable,
  { tables, dialect }: { readonly tables: readonly ActualTable[]; readonly dialect: Dialect },
): ListedValues | undefined {
  const { labels } = column;
  if (labels !== undefined && labels.length > 0) {
    // A domain has a name that no model makes.
    const isOwn =
      column.madeOf === undefined &&
      enumProblem({ enumAs: 'native', values: labels }) === undefined &&
      !isShared(column, tables, dialect);
    return { values: labels, options: isOwn ? ['enum=native'] : [] };
  }
  const isOfArray = kind.kind === 'array';
  for (const check of checks) {
    const found = readValueCondition(check.sql, dialect.schema.introspection);
    if (found?.column !== column.name || found.ofElements !== isOfArray) continue;
    const values = [...new Set(found.values)];
    if (fits(isOfArray ? kind.element : kind.kind, values)) return { values, options: [], check };
  }
  return undefined;
}

/** The tag's word for values that a check holds, where the model would otherwise have none. */
export function checkOption(tag: string, values: readonly EnumValue[], isOfArray: boolean, dialect: Dialect): string[] {
  const { column, kind: _kind, excluded: _excluded, filled: _filled, enumAs, ...said } = parseDbTag(tag, { model: 'Pulled', field: 'pulled' }); // prettier-ignore
  const definition = {
    ...said,
    ...kindOfValues(values, isOfArray),
    property: 'pulled',
    column,
    values,
  } as ColumnDefinition;
  if (enumAs === 'native') return [];
  const model = new ModelInfo(Pulled, { name: 'Pulled', table: 'pulled', columns: [definition] });
  return valueChecksOf(model, dialect).length > 0 ? [] : ['enum=check'];
}

class Pulled {}

/** Kind of a column that is held to values. */
export function kindOfValues(
  values: readonly EnumValue[],
  isOfArray: boolean,
): Pick<ColumnDefinition, 'kind' | 'element'> {
  if (!isOfArray) return { kind: 'enum' };
  if (!isNumeric(values)) return { kind: 'array', element: 'enum' };
  return { kind: 'array', element: values.every(Number.isInteger) ? 'int' : 'float' };
}

/** A union of values, as TypeScript writes it. */
export function unionOf(values: readonly EnumValue[], brackets: string, nullable: boolean): string {
  const parts = values.map((value) => (typeof value === 'number' ? String(value) : stringLiteral(value)));
  const flat = parts.join(' | ');
  const union = flat.length <= LONGEST_LINE ? flat : parts.map((part) => `\n    | ${part}`).join('');
  const type = brackets === '' ? union : `(${union})${brackets}`;
  return nullable ? `${type}${union === flat || brackets !== '' ? ' ' : '\n    '}| null` : type;
}

const TEXTS: ReadonlySet<ColumnKind> = new Set<ColumnKind>(['string', 'text', 'enum']);
const NUMBERS: ReadonlySet<ColumnKind> = new Set<ColumnKind>(['int', 'float']);

function fits(kind: ColumnKind | undefined, values: readonly EnumValue[]): boolean {
  if (kind === undefined) return false;
  return isNumeric(values) ? NUMBERS.has(kind) : TEXTS.has(kind) && values.every((value) => typeof value === 'string');
}
