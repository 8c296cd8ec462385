import { afterEach, expect, test } from '@jest/globals';
import { here } from '../../contract/temporal-here.js';
import { columnOf, modelInfoOf, registerModel, temporalFrom, type TemporalClass, TEMPORAL_KINDS } from '../index.js';

const scope = globalThis as { Temporal?: unknown };
const native = here();
afterEach(() => void (scope.Temporal = native));

class Trip {}
const classes = Object.keys(TEMPORAL_KINDS) as TemporalClass[];
registerModel(Trip, {
  name: 'Trip',
  table: 'trips',
  columns: [
    { property: 'id', column: 'id', kind: 'int', primaryKey: true },
    ...classes.map((temporal) => ({ property: temporal, column: temporal, kind: TEMPORAL_KINDS[temporal], temporal })),
  ],
});
const read = (property: string, text: unknown) =>
  String(temporalFrom(columnOf<Trip, string, unknown>(modelInfoOf(Trip), property), text as string));

test.each<[TemporalClass, readonly string[], readonly unknown[]]>([
  ['PlainDate', ['2024-02-29', '-000043-03-15'], ['2024-02-30', '2024-02-29T00:00', '29.2.2024', '', null, 7]],
  ['PlainTime', ['07:08:09', '23:59:59.123456789'], ['24:00', '07:08:09Z', 'T07:08', undefined]],
  [
    'PlainDateTime',
    ['2024-05-06T07:08:09', '2024-05-06T07:08:09.5'],
    ['2024-05-06T07:08Z', '2024-05-06', '2024-13-01T00:00'],
  ],
  [
    'Instant',
    ['2024-05-06T07:08:09.123456789Z'],
    ['2024-05-06T07:08:09', '2024-05-06T07:08Z[Europe/Berlin]', 'now', {}],
  ],
  ['Duration', ['P1DT2H', '-PT0.5S'], ['P', '1 day', `P${'9'.repeat(30)}Y`]],
])('a text of JSON becomes a %s, or is refused', (name, texts, others) => {
  expect(texts.map((text) => read(name, text))).toEqual(texts);
  const refused = { code: 'FW_ORM_VALUE', status: 422, details: { model: 'Trip', field: name } };
  for (const other of others) expect(() => read(name, other)).toThrow(expect.objectContaining({ ...refused, details: expect.objectContaining(refused.details) })); // prettier-ignore
});

test('a moment with an offset is the same moment', () => {
  expect(read('Instant', '2024-05-06T07:08:09+02:00')).toBe('2024-05-06T05:08:09Z');
});

test('what is no column of Temporal, and a process without it, are said by name', () => {
  expect(() => read('id', '1')).toThrow(expect.objectContaining({ code: 'FW_ORM_QUERY_FORM' }));
  delete scope.Temporal;
  expect(() => read('PlainDate', '2024-02-29')).toThrow(
    expect.objectContaining({ code: 'FW_ORM_TEMPORAL', message: expect.stringContaining('Temporal.PlainDate') }),
  );
});
