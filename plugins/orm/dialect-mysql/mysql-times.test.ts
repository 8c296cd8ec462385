import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { describeWith } from '../../../kernel/testing/required-service.js';
import { finerDigits } from '../dialect/index.js';
import { type ServerDatabase } from '../contract/index.js';
import { mysqlCodecs } from './mysql-codecs.js';
import { MYSQL, mysqlDatabase } from './testing/mysql-server.js';

const MOMENTS = ['0000-00-00 00:00:00', '2021-00-15 00:00:00', '2021-03-00 10:00:00', '0050-06-07 08:09:10', '0099-12-31 23:59:59.999999', '0100-01-01 00:00:00', '9999-12-31 23:59:59.999999', '1969-12-31 23:59:59.001', '2024-02-29 00:00:00.000001']; // prettier-ignore

/** What the codec makes of a value: a moment with the digits that a Date does not have, or its refusal. */
function read(value: unknown): unknown {
  try {
    const date = mysqlCodecs.date.decode?.(value as never) as Date;
    return [date.getTime(), finerDigits(date)];
  } catch (error) {
    return (error as { readonly code: unknown }).code;
  }
}

describeWith(MYSQL, 'moments of MySQL that become a Date', (url) => {
  let made: ServerDatabase;
  beforeAll(async () => {
    made = await mysqlDatabase(url);
    await made.handle.script(
      `CREATE TABLE moments (at0 datetime, at3 datetime(3), at6 datetime(6), stamped timestamp(6) NULL, day date, told varchar(9))`,
    );
  });
  afterAll(() => made.drop());

  const all = async (dates: readonly number[] | undefined) => {
    const sql = 'SELECT at0, at3, at6, stamped, at6 AS text, day, told FROM moments';
    const streamed = [];
    for await (const rows of made.handle.stream(sql, [], { dates, batchSize: 2 })) streamed.push(...rows);
    const queried = await made.handle.query(sql, [], { dates });
    expect(streamed).toEqual(queried);
    return queried;
  };

  test('are those of their texts, to the last digit, and all other columns stay as they are', async () => {
    const moment = fc.oneof(
      fc.constantFrom(...MOMENTS),
      fc
        .tuple(fc.date({ min: new Date('0100-01-01'), max: new Date('9999-12-30'), noInvalidDate: true }), fc.nat(999))
        .map(([date, micros]) => date.toISOString().replace('T', ' ').replace('Z', String(micros).padStart(3, '0'))),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(moment, { minLength: 1, maxLength: 20 }), async (moments) => {
        const rows = moments.map((text) => {
          const stamped = text > '1971' && text < '2037' ? `'${text}'` : 'NULL';
          return `('${text}', '${text}', '${text}', ${stamped}, '${text.slice(0, 10)}', 'told')`;
        });
        await made.handle.script(
          `TRUNCATE moments; SET SESSION sql_mode = ''; INSERT INTO moments VALUES ${rows.join()}`,
        );
        const [texts, dates] = [await all(undefined), await all([0, 1, 2, 3])];
        for (const [at, row] of dates.entries()) {
          expect(row.slice(0, 4).map((each) => each && read(each))).toEqual(texts[at]?.slice(0, 4).map((each) => each && read(each))); // prettier-ignore
          expect(row.slice(4)).toEqual(texts[at]?.slice(4));
        }
      }),
      { numRuns: 30 },
    );
    expect((await all([0])).every(([first]) => first instanceof Date || typeof first === 'string')).toBe(true);
  });

  test('are made by the driver where a Date says all of them', async () => {
    await made.handle.script(`TRUNCATE moments; INSERT INTO moments (at0, at3) VALUES ('2024-05-06', '2024-05-06 07:08:09.01')`); // prettier-ignore
    expect(await made.handle.queryFirst('SELECT at0, at3, at3 FROM moments', [], { dates: [0, 1] })).toEqual([
      new Date('2024-05-06T00:00:00Z'),
      new Date('2024-05-06T07:08:09.010Z'),
      '2024-05-06 07:08:09.010',
    ]);
  });
});
