import { describe, expect, test } from '@jest/globals';
import { sizeProblems } from '../../mcp/testing/answer-size.js';
import { firstFindings, oncePerCause } from './first-findings.js';
import { stepOf } from './step.js';

const failure = (name: string, why: string) => ({
  name,
  file: 'tests/a.test.ts',
  line: 3,
  detail: `FwError: ${why}\n    at startTestApp (/p/tests/test-app.ts:17:15)\n    at Object.<anonymous> (/p/${name}.ts:9:9)`,
});
const many = <Each>(count: number, make: (index: number) => Each): Each[] =>
  Array.from({ length: count }, (_, index) => make(index));
const tokensOver = (steps: object) =>
  sizeProblems('fw_verify_project', {
    content: [{ text: JSON.stringify(steps) }],
    structuredContent: { steps },
  }).filter((each) => each.includes('tokens'));

describe('what a verification tells first', () => {
  test('tells tests that failed for one reason as one, wherever they stood', () => {
    const all = [...many(15, (index) => failure(`test ${index}`, 'no binary')), failure('another', 'no table')];
    expect(oncePerCause(all)).toEqual([{ ...all[0], alike: 14 }, { ...failure('another', 'no table') }]);
  });

  test('keeps within the size of an answer, and says how many there are', () => {
    const text = 'a word of it '.repeat(23);
    const diagnostics = many(80, (index) => ({
      file: 'app/a.ts',
      line: index,
      code: 'TS2322',
      message: `${index} ${text}`,
    }));
    const failures = many(40, (index) => failure(`test ${index}`, `${index} ${text}`));
    const finding = {
      file: 'app/a.ts',
      line: 1,
      column: 1,
      severity: 'error' as const,
      message: text,
      excerpt: text,
      fix: text,
    };
    const findings = many(40, (index) => ({ ...finding, rule: `rule-${index}` }));
    const packages = many(60, (index) => ({
      package: `tests/${index}.test.ts`,
      status: index === 59 ? ('FAIL' as const) : ('ok' as const),
    }));
    const steps = firstFindings([
      stepOf('vet', 'failed', '80 findings', { diagnostics }),
      stepOf('test', 'failed', '40 failed', { failures, packages }),
      stepOf('idioms', 'failed', '40 errors', { findings }),
    ]);
    expect(steps.map((step) => step.total_findings)).toEqual([80, 40, 40]);
    expect(steps[0]?.diagnostics.length).toBeGreaterThan(5);
    expect(steps[1]?.failures).toHaveLength(1);
    expect(steps[1]?.packages[0]).toMatchObject({ status: 'FAIL' });
    expect(steps[2]?.findings).toHaveLength(1);
    expect(tokensOver(steps)).toEqual([]);
  });

  test('leaves what fits as it is', () => {
    const step = stepOf('test', 'failed', '1 failed', {
      failures: [failure('one', 'no table')],
      unparsed_output: 'rest',
    });
    expect(firstFindings([step])).toEqual([step]);
  });
});
