import { expect, test } from '@jest/globals';
import { Findings, reportOf } from './report.js';

test('says a note of many columns once', () => {
  const findings = new Findings();
  findings.note('the view v cannot be read');
  findings.note('is not written', 'logs');
  for (let at = 1; at <= 10; at++) findings.note('is null', `t.c${at}`);
  findings.note('is null', 't.c1');
  const { problems, notes, skipped } = findings;
  const counts = { tables: 1, models: 1, rows: 1, cells: 1 };
  const lines = reportOf({ ok: true, dialect: 'sqlite', ...counts, problems, notes, skipped });
  expect(lines.filter((line) => line.startsWith('note: '))).toEqual([
    'note: the view v cannot be read',
    'note: logs is not written',
    'note: each of 10 is null: t.c1, t.c2, t.c3, t.c4, t.c5, t.c6, t.c7, t.c8 and 2 more (--json names all)',
  ]);
  expect(notes.at(-1)?.places).toHaveLength(10);
});
