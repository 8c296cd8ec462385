import { fwError } from '../../../../kernel/index.js';
import { typeInWords } from '../model/kinds.js';
import { ORM_ERRORS } from '../errors.js';
import type { ArrayOp } from '../plan/parts.js';
import { targetKey } from '../plan/steps.js';
import { Column } from './column.js';
import type { Expression, PartSink } from './expression.js';
import type { FromOf, ValueOf } from './operand.js';

type ArrayColumn = Column<object, string, readonly unknown[] | null, unknown>;

type ElementOf<Of> = NonNullable<ValueOf<Of>> extends readonly (infer Element)[] ? NonNullable<Element> : never;

/** Elements that an array column is compared with: a list, or another such column. */
export type ArrayElements<Of> = readonly ElementOf<Of>[] | Column<object, string, ValueOf<Of> | null, unknown>;

/** One element: a value, or a column of such values. */
export type ArrayElement<Of> = ElementOf<Of> | Column<object, string, ElementOf<Of> | null, unknown>;

/**
 * Whether an array column holds all elements of a list (`@>`). Of PostgreSQL, as all of these are: others keep arrays as JSON.
 *
 * @throws FwError `FW_ORM_UNSUPPORTED` on other databases, `FW_ORM_VALUE`, when the query is built
 * @example model(db, Post).where(arrayContains(post.tags, ['sql', 'types']))
 */
export const arrayContains = <Of extends ArrayColumn, const Other extends ArrayElements<Of>>(
  column: Of,
  elements: Other,
): Expression<FromOf<Of> | FromOf<Other>> => new ArrayCondition('contains', column, elements);

/** Whether a list holds all elements of an array column (`<@`); see `arrayContains`. @throws FwError `FW_ORM_UNSUPPORTED`, `FW_ORM_VALUE` */
export const arrayContained = <Of extends ArrayColumn, const Other extends ArrayElements<Of>>(
  column: Of,
  elements: Other,
): Expression<FromOf<Of> | FromOf<Other>> => new ArrayCondition('contained', column, elements);

/** Whether an array column and a list have an element in common (`&&`); see `arrayContains`. @throws FwError `FW_ORM_UNSUPPORTED`, `FW_ORM_VALUE` */
export const arrayOverlaps = <Of extends ArrayColumn, const Other extends ArrayElements<Of>>(
  column: Of,
  elements: Other,
): Expression<FromOf<Of> | FromOf<Other>> => new ArrayCondition('overlaps', column, elements);

/** Whether an array column holds an element (`= ANY`); see `arrayContains`. @throws FwError `FW_ORM_UNSUPPORTED`, `FW_ORM_VALUE` */
export const arrayHas = <Of extends ArrayColumn, const Other extends ArrayElement<Of>>(
  column: Of,
  element: Other,
): Expression<FromOf<Of> | FromOf<Other>> => new ArrayCondition('has', column, element);

class ArrayCondition implements Expression<never> {
  constructor(
    readonly op: ArrayOp,
    readonly column: ArrayColumn,
    readonly other: unknown,
  ) {}

  appendTo(sink: PartSink): void {
    const { op, column, other } = this;
    this.#check(sink);
    const { target } = column;
    if (other instanceof Column) {
      const key = `arrays:${op}:${targetKey(target)} ${targetKey(other.target)}`;
      return sink.part(key, { t: 'arrays', op, target, other: other.target, values: 0 });
    }
    sink.part(`arrays:${op}:${targetKey(target)}`, { t: 'arrays', op, target, values: 1 });
    sink.value(other);
  }

  #check({ model }: PartSink): void {
    const { op, column, other } = this;
    const refused = (field: string, expected: string, got: string) =>
      fwError(ORM_ERRORS.FW_ORM_VALUE, { model: model.name, field, expected, got });
    if (!(column instanceof Column) || column.info.kind !== 'array')
      throw refused('array', 'an array column', column instanceof Column ? `one of kind ${(column as ArrayColumn).info.kind}` : typeInWords(column)); // prettier-ignore
    const { property } = column.info;
    const isList = (given: unknown) => (given instanceof Column ? given.info.kind === 'array' : Array.isArray(given));
    // Null is equal to nothing, so that no array has it.
    if (op === 'has' ? other === null || other === undefined || isList(other) : !isList(other))
      throw refused(property, op === 'has' ? 'an element' : 'a list, or another array column', typeInWords(other));
    if (Array.isArray(other) && other.includes(null)) throw refused(property, 'a list without null', 'one with null');
  }
}
