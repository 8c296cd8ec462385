import { describe, expect, test } from '@jest/globals';
import { checkRequirements } from './check-requirements.js';
import { type Requirement } from './requirement.js';

const PATH = 'plugins/a/a.test.ts';
const planned: Requirement = { id: 'MW-RATE-03', section: 'Limits', says: 'Counts.', status: 'planned' };
const proven = (...proofs: { test: string; mutation: string }[]): Requirement => ({
  ...planned,
  status: 'proven',
  proofs,
});
const byPath = proven({ test: PATH, mutation: 'counted twice' });
const file = (text: string, path = PATH) => ({ path, text });
const citing = file("test('counts [MW-RATE-03]', () => {});");

describe('a manifest and tests that agree', () => {
  test('has no problem when a planned row is cited nowhere', () => {
    expect(checkRequirements([planned], [file("test('counts', () => {});")])).toEqual([]);
  });

  test('has no problem when a proven row lists the file that cites it', () => {
    expect(checkRequirements([byPath], [citing])).toEqual([]);
  });

  test('has no problem when a skipped test cites a planned row', () => {
    expect(checkRequirements([planned], [file("test.todo('counts [MW-RATE-03]');")])).toEqual([]);
  });

  test.each([
    "test.skip('a [MW-RATE-03]', () => {}); test('b [MW-RATE-03]', () => {});",
    "test('b [MW-RATE-03]', () => {}); test.skip('a [MW-RATE-03]', () => {});",
  ])('has no problem when one of two tests that cite a row is skipped: %s', (text) => {
    expect(checkRequirements([byPath], [file(text)])).toEqual([]);
  });
});

describe('the form of rows', () => {
  test('reports an id that stands twice, once', () => {
    expect(checkRequirements([planned, planned, planned], [])).toEqual([
      expect.stringContaining('MW-RATE-03: stands more than once'),
    ]);
  });

  test.each(['mw-rate-03', 'MW-RATE', 'MW_RATE_03', 'MW-RATE-', '3-RATE-01', ''])(
    'reports the malformed id "%s"',
    (id) => {
      expect(checkRequirements([{ ...planned, id }], [])).toEqual([
        expect.stringContaining('is not an id of the form'),
      ]);
    },
  );

  test('reports a row that says nothing', () => {
    expect(checkRequirements([{ ...planned, says: '  ' }], [])).toEqual([
      'MW-RATE-03: says nothing; write the statement in one sentence.',
    ]);
  });

  test('reports a section that the specification does not have', () => {
    expect(checkRequirements([{ ...planned, section: 'Limit' }], [])).toEqual([
      'MW-RATE-03: the specification has no section "Limit".',
    ]);
  });
});

describe('from a proven row to its tests', () => {
  test('reports a row without proofs', () => {
    expect(checkRequirements([proven()], [])).toEqual([
      expect.stringContaining('MW-RATE-03: is proven by no test file'),
    ]);
  });

  test('reports a test file that does not exist', () => {
    expect(checkRequirements([byPath], [])).toEqual([
      expect.stringContaining(`MW-RATE-03: there is no test file ${PATH}`),
    ]);
  });

  test('reports a test file of which no title cites the row', () => {
    const text = "// [MW-RATE-03]\ntest('counts', () => { log('[MW-RATE-03]'); });";
    expect(checkRequirements([byPath], [file(text)])).toEqual([
      expect.stringContaining(`no title in ${PATH} cites [MW-RATE-03]`),
    ]);
  });

  test('reports a second proof that does not hold, although the first one does', () => {
    const row = proven({ test: PATH, mutation: 'x' }, { test: 'kernel/b.test.ts', mutation: 'x' });
    expect(checkRequirements([row], [citing])).toEqual([
      expect.stringContaining('there is no test file kernel/b.test.ts'),
    ]);
  });

  test('reports a file that cites the row only in skipped tests', () => {
    const text = "describe.skip('all', () => { test('counts [MW-RATE-03]', () => {}); });";
    expect(checkRequirements([byPath], [file(text)])).toEqual([
      expect.stringContaining(`${PATH} cites it only in tests that are skipped`),
    ]);
  });

  test('reports a proof without a mutation', () => {
    expect(checkRequirements([proven({ test: PATH, mutation: ' ' })], [citing])).toEqual([
      expect.stringContaining('MW-RATE-03: does not say what was broken once'),
    ]);
  });

  test('reports a file that is listed twice', () => {
    const row = proven({ test: PATH, mutation: 'x' }, { test: PATH, mutation: 'y' });
    expect(checkRequirements([row], [citing])).toEqual([
      expect.stringContaining(`MW-RATE-03: lists ${PATH} more than once`),
    ]);
  });
});

describe('from a citation to its row', () => {
  test('reports an id that is not in the manifest', () => {
    expect(checkRequirements([], [citing])).toEqual([
      expect.stringContaining(`${PATH}: cites [MW-RATE-03], which is not in the manifest`),
    ]);
  });

  test('reports an unknown id in a skipped test too', () => {
    const skipped = file("test.skip('counts [MW-RATE-99]', () => {});");
    expect(checkRequirements([planned], [skipped])).toEqual([
      expect.stringContaining('cites [MW-RATE-99], which is not in the manifest'),
    ]);
  });

  test('reports a cited row that is still planned', () => {
    expect(checkRequirements([planned], [citing])).toEqual([
      expect.stringContaining(`${PATH}: cites [MW-RATE-03], which is still planned`),
    ]);
  });

  test('reports a citing file that the proven row does not list', () => {
    const other = file(citing.text, 'codegen/other.test.ts');
    expect(checkRequirements([byPath], [citing, other])).toEqual([
      expect.stringContaining(
        'codegen/other.test.ts: cites [MW-RATE-03], but the proofs of that row do not list this file',
      ),
    ]);
  });
});
