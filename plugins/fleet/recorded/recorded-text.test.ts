import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { errorType } from '../tracer/error-type.js';
import { maskedPath } from './masked-path.js';
import { samplingMember, samplingProbability } from './sampling-state.js';
import { statementText } from './statement-text.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('a statement is recorded without its literals', () => {
  test.each([
    ["SELECT * FROM t1 WHERE a = 'hush' AND b = 42", 'SELECT * FROM t1 WHERE a = ? AND b = ?'],
    ['SELECT * FROM t WHERE a = $1 AND b = ? AND c = @p1 AND d = :1', 'SELECT * FROM t WHERE a = $1 AND b = ? AND c = @p1 AND d = :1'],
    ["SELECT 'it''s hush', E'hush', N'hush', x'ff', 0xff, 1.5e3", 'SELECT ?, ?, ?, ?, ?, ?'],
    ['SELECT "col 1" FROM `t 2` -- hush\nWHERE /* hush */ a', 'SELECT "col 1" FROM `t 2`  \nWHERE   a'],
    ['SELECT $tag$hush$tag$, $$hush$$', 'SELECT ?, ?'],
    ["SELECT 'never closed hush", 'SELECT ?'],
    // Whether the backslash escapes the quote depends on the server: nothing behind it is shown.
    ["SELECT a FROM t WHERE b = 'x\\' OR c = 'hush'", 'SELECT a FROM t WHERE b = ?'],
  ])('%j', (sql, expected) => {
    expect(statementText(sql, false)).toBe(expected);
  }); // prettier-ignore

  test('a long one is not kept', async () => {
    const bytes = 1024 * 1024;
    const heap = async () => {
      collectGarbage();
      await new Promise((resolve) => setImmediate(resolve));
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = await heap();
    for (let nth = 0; nth < 50; nth++) {
      const values = `${nth}, `.padEnd(bytes, '1, ');
      expect(statementText(`INSERT INTO t VALUES (${values})`, false)).toMatch(/^INSERT INTO t VALUES \(\?, \?, /);
    }
    expect((await heap()) - before).toBeLessThan(10 * bytes);
  });

  test('also those that MySQL takes in double quotes', () => {
    expect(statementText('SELECT `a` FROM t WHERE b = "hush 1"', true)).toBe('SELECT `a` FROM t WHERE b = ?');
  });
});

describe('a path that no route describes is recorded without what may be an id or a secret', () => {
  test.each([
    ['/orders/list', '/orders/list'],
    ['/v1/sign-in/', '/v1/sign-in/'],
    ['/api/v10/v4711', '/api/v10/*'],
    ['/users/4711/orders?token=hush', '/users/*/orders'],
    ['/reset/9f86d081884c7d65', '/reset/*'],
    ['/a/6ba7b810-9dad-11d1-80b4-00c04fd430c8/b', '/a/*/b'],
    ['/u/jane%40example.org', '/u/*'],
    ['/u/jane@example.org', '/u/*'],
    [`/${'x'.repeat(40)}`, '/*'],
    ['/', '/'],
  ])('%j as %j', (path, expected) => {
    expect(maskedPath(path)).toBe(expected);
  });
});

test('an error is recorded by its class, never by its message', () => {
  const wrapped = Object.assign(new TypeError('fetch failed'), {
    cause: Object.assign(new Error('hush'), { code: 'ECONNREFUSED' }),
  });
  expect(errorType(wrapped)).toBe('ECONNREFUSED');
  expect(errorType(new DOMException('hush', 'TimeoutError'))).toBe('TimeoutError');
  expect(errorType(Object.assign(new Error('hush'), { code: 'ABORT_ERR' }))).toBe('AbortError');
  expect(errorType(Object.assign(new Error('timeout of 200ms exceeded'), { code: 'ECONNABORTED' }))).toBe(
    'TimeoutError',
  );
  expect(errorType(new RangeError('hush'))).toBe('RangeError');
  expect(errorType({ code: 'a code with hush' })).toBe('_OTHER');
  expect(errorType('hush')).toBe('_OTHER');
});

test('the share of traces that a root records travels in tracestate; that of OpenTelemetry is understood', () => {
  expect(samplingProbability(samplingMember(0.1))).toBe(0.1);
  expect(samplingMember(1)).toBeUndefined();
  expect(samplingProbability('vendor=x,ot=rv:00;th:c')).toBe(0.25);
  expect(samplingProbability('vendor=x,fw=p:0.5,ot=th:c')).toBe(0.5);
  for (const wrong of [undefined, 'fw=p:0', 'fw=p:1e-9', 'fw=p:x', 'vendor=fw=p:1'])
    expect(samplingProbability(wrong)).toBe(1);
});
