import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWith } from '../../../kernel/testing/required-service.js';
import type { ServerDatabase } from '../contract/test-servers.js';
import { here } from '../contract/temporal-here.js';
import { model, open, registerModel, type Database } from '../core/index.js';
import { MYSQL, mysqlDatabase } from './testing/mysql-server.js';
import { mysql } from './index.js';

class Event {
  id!: number;
  day!: object | null;
  time!: object | null;
  at!: object | null;
}
registerModel(Event, {
  name: 'Event',
  table: 'temporal_events',
  columns: [
    { property: 'id', column: 'id', kind: 'int', primaryKey: true },
    { property: 'day', column: 'day', kind: 'plainDate', temporal: 'PlainDate', nullable: true },
    { property: 'time', column: 'time', kind: 'plainTime', temporal: 'PlainTime', nullable: true },
    { property: 'at', column: 'at', kind: 'date', temporal: 'Instant', nullable: true },
  ],
});

describeWith(MYSQL, 'what MySQL has and Temporal', (url) => {
  let made: ServerDatabase;
  let db: Database;

  beforeAll(async () => {
    made = await mysqlDatabase(url);
    db = open(made.handle, mysql);
    await db
      .sqlDB()
      .script('CREATE TABLE temporal_events (id int PRIMARY KEY, day date, time time(6), at datetime(6))');
  });
  afterAll(async () => {
    await db.close();
    await made.drop();
  });

  // https://dev.mysql.com/doc/refman/8.0/en/sql-mode.html#sqlmode_no_zero_date
  test.each([
    ['day', '0000-00-00', /Event\.day holds 0000-00-00, which is not a Temporal\.PlainDate/],
    ['day', '2024-00-10', /which is not a Temporal\.PlainDate/],
    ['time', '-01:00:00', /which is not a Temporal\.PlainTime/],
    ['time', '838:59:59', /Event\.time holds 838:59:59/],
    ['at', '0000-00-00 00:00:00', /which is not a Temporal\.Instant/],
  ])('%s of %s is an error that says so', async (column, literal, sentence) => {
    await db.sqlDB().script('DELETE FROM temporal_events');
    await db
      .sqlDB()
      .script(`SET STATEMENT sql_mode = '' FOR INSERT INTO temporal_events (id, ${column}) VALUES (1, '${literal}')`);
    await expect(model(db, Event).first()).rejects.toMatchObject({
      code: 'FW_ORM_UNREADABLE',
      message: expect.stringMatching(sentence),
    });
  });

  test('years that the server does not have are refused', async () => {
    const at = here().Instant.from('+010000-01-01T00:00:00Z');
    await expect(model(db, Event).create({ id: 2, at } as Event)).rejects.toMatchObject({ code: 'FW_ORM_VALUE' });
    const day = here().PlainDate.from('+010000-01-01');
    await expect(model(db, Event).create({ id: 2, day } as Event)).rejects.toMatchObject({ code: 'FW_ORM_VALUE' });
  });
});
