// The contract that every dialect keeps, on libSQL. Run by Jest in a project that has fw, @jest/globals and fast-check.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { dialectSuite } from 'fw/testing/dialect';
import { libsql, openLibsql } from 'fw-dialect-libsql';

dialectSuite({
  name: 'libSQL',
  dialect: libsql,
  create: async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'fw-libsql-'));
    const handle = await openLibsql(path.join(folder, 'test.db'));
    const drop = async () => {
      await handle.close();
      await rm(folder, { recursive: true });
    };
    return { handle, drop };
  },
  // Explaining one reads it, and runs nothing.
  prepare: (handle, sql) => handle.query(`EXPLAIN ${sql}`, []),
  habits: {
    keepsAnyValue: true,
    refuses: ['exceptAll', 'union of decimals', 'array operators', 'percentiles', 'returned value of two tables'],
    finerMoments: { format: 'YYYY-MM-DD hh:mm:ss.SSSSSS' },
  },
  without: {
    interruption: 'it has one writer and runs a statement in one go, so that there is nothing to interrupt',
    schemas: 'it has no schemas but those of attached files',
  },
});
