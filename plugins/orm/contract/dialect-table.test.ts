import { describe, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dialect } from '../index.js';
import { FEATURES, dialectCell, dialectPage } from './dialect-table.js';
import { DIALECTS } from './framework-dialects.js';

const page = join(import.meta.dirname, '../../../docs/reference/dialects.md');

// Of every position, as the dialect writes the first.
const placeholders = ({ compiler }: Dialect): RegExp => {
  const [before = '', counted] = compiler.placeholder(1).split('1');
  return new RegExp(`${before.replace(/[$?]/g, '\\$&')}${counted === undefined ? '' : '\\d+'}`, 'g');
};

describe('the table of dialects', () => {
  test('is what the page shows, feature by feature', async () => {
    const made = await dialectPage();
    if (process.env['FW_UPDATE_DOCS'] === '1') writeFileSync(page, made);
    expect(readFileSync(page, 'utf8')).toBe(made);
  });

  test.each(
    FEATURES.flatMap((feature) => DIALECTS.map((dialect) => [feature.name, dialect.name, feature, dialect] as const)),
  )(
    '%s on %s has as many placeholders as parameters, or says why there is nothing',
    async (_feature, _name, feature, dialect) => {
      const cell = await dialectCell(feature, dialect);
      if ('unsupported' in cell) return expect(cell.unsupported).not.toBe('');
      if (cell.note === undefined) expect(cell.sql.length).toBeGreaterThan(0);
      cell.sql.forEach((sql, at) => {
        const used: readonly string[] = sql.match(placeholders(dialect)) ?? [];
        // One with a number may stand for its parameter several times.
        const parameters = used.filter((each, index) => each === '?' || used.indexOf(each) === index);
        expect(parameters).toHaveLength(cell.parameters[at]?.length ?? 0);
        // The null of JSON is a text.
        expect(sql.replaceAll("'null'", '')).not.toMatch(/\bundefined\b|\bnull\b/);
      });
      if (/FOR |LOCKED|NOWAIT/.test(feature.name) && cell.note === undefined) expect(cell.sql[0]).toMatch(/FOR |LOCK/);
    },
  );
});
