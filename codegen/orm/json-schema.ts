import type { ColumnKind, TemporalClass } from '../../plugins/orm/core/index.js';
import type { ColumnSource, ModelSource } from './model-source.js';

type JsonSchema = Record<string, unknown>;

/** JSON Schema of a text. */
interface TextSchema {
  readonly type: 'string';
  readonly format?: string;
  readonly pattern?: string;
}

const YEAR = '(\\d{4}|[+-]\\d{6})';
const CLOCK = '([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?';

const TYPES: Readonly<Record<ColumnKind, JsonSchema>> = {
  int: { type: 'integer' },
  bigint: { type: 'string', pattern: '^-?\\d+$' },
  float: { type: 'number' },
  decimal: { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' },
  string: { type: 'string' },
  text: { type: 'string' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date-time' },
  plainDate: { type: 'string', format: 'date' },
  plainTime: { type: 'string', pattern: '^-?\\d{2,3}:\\d\\d(:\\d\\d(\\.\\d+)?)?$' },
  interval: { type: 'string' },
  json: {},
  bytes: { type: 'string', contentEncoding: 'base64' },
  uuid: { type: 'string', format: 'uuid' },
  enum: {},
  array: { type: 'array' },
  any: {},
};

// As their `toJSON` writes them. The time of day and the moment without a zone have formats in the registry of OpenAPI
// (https://spec.openapis.org/registry/format/); that of a span is not JSON Schema's, which knows neither a sign nor fractions (RFC 3339, A).
export const TEMPORAL_SCHEMAS: Readonly<Record<TemporalClass, TextSchema>> = {
  PlainDate: { type: 'string', format: 'date' },
  PlainTime: { type: 'string', format: 'time-local', pattern: `^${CLOCK}$` },
  PlainDateTime: { type: 'string', format: 'date-time-local', pattern: `^${YEAR}-\\d\\d-\\d\\dT${CLOCK}$` },
  Instant: { type: 'string', format: 'date-time' },
  Duration: { type: 'string', pattern: '^-?P(?=.)(\\d+Y)?(\\d+M)?(\\d+W)?(\\d+D)?(T(?=.)(\\d+H)?(\\d+M)?(\\d+(\\.\\d{1,9})?S)?)?$' }, // prettier-ignore
};

/** JSON Schema (2020-12) of a model on the wire: names of its `@json` tags, rules of its `@validate` tags. */
export function jsonSchema({ name, description, columns }: ModelSource): JsonSchema {
  const visible = columns.filter(({ json }) => !json?.excluded);
  const required = visible.filter(({ json }) => !json?.omitEmpty).map(wireName);
  return {
    title: name,
    ...(description && { description }),
    type: 'object',
    properties: Object.fromEntries(visible.map((column) => [wireName(column), columnSchema(column)])),
    ...(required.length > 0 && { required }),
  };
}

const wireName = ({ json, property }: ColumnSource): string => json?.name ?? property;

function columnSchema(column: ColumnSource): JsonSchema {
  const { kind, temporal, nullable, values, element, dimensions = 1, description, rules, tag, json } = column;
  const base: JsonSchema = { ...(temporal ? TEMPORAL_SCHEMAS[temporal] : TYPES[kind]) };
  if (values && kind !== 'array') Object.assign(base, { enum: nullable ? [...values, null] : values });
  if (kind === 'array' && element) {
    const items: JsonSchema = values ? { enum: values } : TYPES[element];
    base['items'] = Array.from({ length: dimensions - 1 }).reduce<JsonSchema>((inner) => ({ type: 'array', items: inner }), items); // prettier-ignore
  }
  if (tag.size !== undefined && base['type'] === 'string') base['maxLength'] = tag.size;
  for (const { rule, argument = '' } of rules)
    if (!isBoundOfNumberInText(rule, kind)) Object.assign(base, ruleSchema(rule, argument, base['type'] === 'string'));
  if (nullable && base['type'] !== undefined) base['type'] = [base['type'], 'null'];
  return { ...(description && { description }), ...base, ...(json?.writeOnly && { writeOnly: true }) };
}

// Decimals and bigints are text in JSON, for which JSON Schema has no numeric bounds.
const isBoundOfNumberInText = (rule: string, kind: ColumnKind): boolean =>
  (kind === 'decimal' || kind === 'bigint') && (rule === 'min' || rule === 'max');

function ruleSchema(rule: string, argument: string, isText: boolean): JsonSchema {
  switch (rule) {
    case 'required':
      return isText ? { minLength: 1 } : {};
    case 'min':
      return { [isText ? 'minLength' : 'minimum']: Number(argument) };
    case 'max':
      return { [isText ? 'maxLength' : 'maximum']: Number(argument) };
    case 'email':
      return { format: 'email' };
    case 'url':
      return { format: 'uri' };
    case 'uuid':
      return { format: 'uuid' };
    case 'regex':
      return { pattern: argument };
    default:
      return {};
  }
}
