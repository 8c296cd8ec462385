import { columnOf, model, registerModel } from '../index.js';
import { here, type Temporal } from './temporal-here.js';
import type { DialectFeature } from './text-form-features.js';

class Ride {
  day!: Temporal.PlainDate;
  leaves!: Temporal.PlainTime;
  seenAt!: Temporal.Instant;
  lasts!: Temporal.Duration;
}
const ride = registerModel(Ride, {
  name: 'Ride',
  table: 'rides',
  columns: [
    { property: 'day', column: 'day', kind: 'plainDate', temporal: 'PlainDate', primaryKey: true },
    { property: 'leaves', column: 'leaves', kind: 'plainTime', temporal: 'PlainTime' },
    { property: 'seenAt', column: 'seen_at', kind: 'date', temporal: 'Instant' },
    { property: 'lasts', column: 'lasts', kind: 'interval', temporal: 'Duration' },
  ],
});
const of = <Key extends keyof Ride & string>(property: Key) => columnOf<Ride, Key, Ride[Key]>(ride, property);

/** Values of Temporal, which travel in the form of their kinds. */
export const TEMPORAL_FEATURES: readonly DialectFeature[] = [
  {
    name: 'values of Temporal',
    run: (db) =>
      model(db, Ride)
        .select('day')
        .where(of('day').gte(here().PlainDate.from('2024-05-06')))
        .where(of('leaves').lt(here().PlainTime.from('07:08:09.123456789')))
        .where(of('seenAt').eq(here().Instant.from('2024-05-06T07:08:09.123456789Z')))
        .where(of('lasts').neq(here().Duration.from('-P1DT2H')))
        .find(),
  },
  {
    name: 'an order of spans of Temporal',
    run: (db) => model(db, Ride).select('day').orderBy(of('lasts').asc()).find(),
  },
];
