import { afterEach, expect, test } from '@jest/globals';
import { here } from './contract/temporal-here.js';
import { type ModelInfo, registerModel } from './core/index.js';
import { assertTemporal } from './temporal-at-start.js';

const scope = globalThis as { Temporal?: unknown };
const native = here();

afterEach(() => void (scope.Temporal = native));

const trip = registerModel(class Trip {}, {
  name: 'Trip',
  table: 'trips',
  columns: [{ property: 'day', column: 'day', kind: 'plainDate', temporal: 'PlainDate', primaryKey: true }],
}) as ModelInfo;
const song = registerModel(class Song {}, {
  name: 'Song',
  table: 'songs',
  columns: [{ property: 'id', column: 'id', kind: 'int', primaryKey: true }],
}) as ModelInfo;

test('a start without Temporal is refused for the models that need it, and for no others', () => {
  expect(() => assertTemporal([song, trip])).not.toThrow();
  delete scope.Temporal;
  expect(() => assertTemporal([song])).not.toThrow();
  expect(() => assertTemporal([song, trip])).toThrow(
    expect.objectContaining({
      code: 'FW_ORM_TEMPORAL',
      message: expect.stringMatching(
        /^Trip\.day \(Temporal\.PlainDate\) needs Temporal, .* run Node 26 or later, or assign a polyfill/,
      ),
    }),
  );
});
