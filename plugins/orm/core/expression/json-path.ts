import { typeInWords } from '../model/kinds.js';
import type { FunctionName, ValueType } from '../plan/parts.js';
import type { PartSink } from './expression.js';
import {
  inWords,
  isValueSource,
  operandRefusal,
  typeOf,
  type FromOf,
  type Typed,
  type ValueSource,
} from './operand.js';
import { call, type ValueExpression } from './value.js';

/** A step into JSON: the name of a member, or the place of an element, from 0, or from the end: -1 is the last (not on MySQL). */
export type JsonStep = string | number;

/**
 * The text at a path of a JSON column; null where there is none, or something else.
 *
 * @param path - values of the call, never text of the statement
 * @throws FwError `FW_ORM_VALUE` for another column and for steps that are none
 * @example jsonString(user.settings, 'theme', 'name').eq('dark')
 */
export const jsonString = <Json extends Typed<unknown>>(
  json: Json,
  ...path: readonly [JsonStep, ...JsonStep[]]
): ValueExpression<string | null, FromOf<Json>> => at('jsonString', json, path, { kind: 'text' });

/** The number at a path of a JSON column, as a double; null where there is none, or something else. @throws FwError `FW_ORM_VALUE` */
export const jsonNumber = <Json extends Typed<unknown>>(
  json: Json,
  ...path: readonly [JsonStep, ...JsonStep[]]
): ValueExpression<number | null, FromOf<Json>> => at('jsonNumber', json, path, { kind: 'float' });

/** Whether true stands at a path of a JSON column; null where neither true nor false does. @throws FwError `FW_ORM_VALUE` */
export const jsonBoolean = <Json extends Typed<unknown>>(
  json: Json,
  ...path: readonly [JsonStep, ...JsonStep[]]
): ValueExpression<boolean | null, FromOf<Json>> => at('jsonBoolean', json, path, { kind: 'boolean' });

/**
 * What stands at a path of a JSON column, objects and lists too; null where there is nothing, and for the null of JSON. To be selected:
 * databases neither compare nor order JSON alike. Not on SQL Server.
 *
 * @throws FwError `FW_ORM_VALUE`
 * @example model(db, User).select('id', jsonAt(user.settings, 'theme').as('theme'))
 */
export const jsonAt = <Json extends Typed<unknown>>(
  json: Json,
  ...path: readonly [JsonStep, ...JsonStep[]]
): ValueExpression<unknown, FromOf<Json>> => at('jsonAt', json, path, { kind: 'json' });

function at<Value, From>(
  name: FunctionName,
  json: unknown,
  path: readonly JsonStep[],
  type: ValueType,
): ValueExpression<Value, From> {
  const given = typeOf(json);
  if (!isValueSource(json) || given.kind !== 'json') throw refused('a JSON column', inWords(json));
  if (path.length === 0) throw refused('a path of at least one step', 'none');
  for (const step of path) assertStep(step);
  return call(name, [json, new JsonPath(path)].map((operand) => ({ operand, type: given })), type); // prettier-ignore
}

/** Steps as one value, which each database spells in its own way. */
class JsonPath implements ValueSource {
  readonly valueType: ValueType = { kind: 'json' };
  readonly #steps: readonly JsonStep[];

  constructor(steps: readonly JsonStep[]) {
    this.#steps = [...steps];
  }

  appendValueTo(sink: PartSink): void {
    sink.part('path', { t: 'path', values: 1 });
    sink.value(this.#steps);
  }
}

// Databases with paths as text cannot express a quote within a name.
function assertStep(step: unknown): void {
  if (
    Number.isSafeInteger(step) ||
    (typeof step === 'string' && step !== '' && step.isWellFormed() && !/["\\\0]/.test(step))
  )
    return;
  throw refused('steps that are names without " and \\, or whole numbers', typeInWords(step));
}

const refused = (expected: string, got: string) => operandRefusal(expected, got, 'JSON path');
