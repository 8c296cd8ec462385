// The contract that every dialect keeps, on PGlite. Run by Jest in a project that has fw, @jest/globals and fast-check.
import { dialectSuite } from 'fw/testing/dialect';
import { openPglite, pglite } from 'fw-dialect-pglite';

const database = await openPglite('memory://');
// Starting one takes a second, so the tests share it, and each gets it empty.
const shared = new Proxy(database, {
  get: (handle, name) => {
    if (name === 'close') return async () => undefined;
    const member = Reflect.get(handle, name);
    return typeof member === 'function' ? member.bind(handle) : member;
  },
});

dialectSuite({
  name: 'PGlite',
  dialect: pglite,
  create: async () => ({
    handle: shared,
    drop: () => database.script('DROP SCHEMA public CASCADE; CREATE SCHEMA public'),
  }),
  prepare: (handle, sql) => handle.script(`PREPARE fw_hostile AS ${sql}; DEALLOCATE fw_hostile`),
  habits: {
    countFrom: (table, next) => `ALTER TABLE ${table} ALTER COLUMN id RESTART WITH ${next}`,
    failureEndsTransaction: true,
    onlyConnection: true,
    upsertNeedsKey: true,
  },
  without: { interruption: 'a statement runs in this process, and in one go' },
});
