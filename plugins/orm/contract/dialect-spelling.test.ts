import { expect, test } from '@jest/globals';
import { builtInDialects } from '../registry/index.js';
import { spelled } from './dialect-table.js';
import { DIALECTS } from './framework-dialects.js';

test('the dialects are one interface, each with a quoting of its own [ORM-DIALECT-01, ORM-DIALECT-QUOTING, ORM-OVERVIEW-04]', async () => {
  expect(DIALECTS.map(({ name }) => name)).toEqual(builtInDialects.map(({ name }) => name));
  for (const dialect of DIALECTS) {
    const quoted = (name: string) => dialect.compiler.quoteName(name);
    expect(quoted('name')).not.toBe('name');
    expect(await spelled('find', dialect)).toBe(`SELECT ${quoted('id')}, ${quoted('label')} FROM ${quoted('tags')}`);
  }
});
