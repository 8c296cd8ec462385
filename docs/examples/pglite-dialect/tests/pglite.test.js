// The contract that every dialect keeps, on PGlite. Run by Jest in a project that has fw, @jest/globals and fast-check.
import { dialectSuite } from 'fw/testing/dialect';
import { openPglite, pglite } from 'fw-dialect-pglite';

// Starting one takes a second, so those that a test is done with go to the next one, empty.
const idle = new Set([await openPglite('memory://')]);

dialectSuite({
  name: 'PGlite',
  dialect: pglite,
  create: async () => {
    const [database = await openPglite('memory://')] = idle;
    idle.delete(database);
    const handle = new Proxy(database, {
      get: (target, name) => {
        if (name === 'close') return async () => undefined;
        const member = Reflect.get(target, name);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    const drop = async () => {
      await database.script('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
      idle.add(database);
    };
    return { handle, drop };
  },
  prepare: (handle, sql) => handle.script(`PREPARE fw_hostile AS ${sql}; DEALLOCATE fw_hostile`),
  habits: {
    countFrom: (table, next) => `ALTER TABLE ${table} ALTER COLUMN id RESTART WITH ${next}`,
    failureEndsTransaction: true,
    onlyConnection: true,
    upsertNeedsKey: true,
  },
  without: { interruption: 'a statement runs in this process, and in one go' },
});
