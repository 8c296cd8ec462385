import { expectationOf, refusedInWords, valueRefusal } from '../model/kinds.js';
import { temporalValue } from '../model/temporal.js';
import { formError } from '../plan/form-error.js';
import type { Column } from './column.js';

/**
 * The value of Temporal that a text stands for, as JSON has it, of the class that a column's values are of.
 *
 * @throws FwError `FW_ORM_VALUE` for a text that the class does not hold, `FW_ORM_TEMPORAL` where the process has no Temporal
 * @example await model(db, Trip).create({ day: temporalFrom(trip.day, body.day) });
 */
export function temporalFrom<Value>(column: Column<object, string, Value, unknown>, text: string): NonNullable<Value> {
  const { info } = column;
  const { model, property, definition } = info;
  if (definition.temporal === undefined)
    throw formError(model, `temporalFrom is for columns of Temporal, and "${property}" is of kind ${info.kind}`);
  const value = typeof text === 'string' ? temporalValue(definition.temporal, text) : undefined;
  if (value !== undefined) return value as NonNullable<Value>;
  const got = typeof text === 'string' ? 'a text that is none' : refusedInWords(text, definition);
  throw valueRefusal(info, `the text of ${expectationOf(definition)}`, got);
}
