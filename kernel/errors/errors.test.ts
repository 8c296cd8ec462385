import { describe, expect, test } from '@jest/globals';
import { defineErrors, fwError, FwError, isFwError, statusOf, toProblem } from './index.js';

const ERRORS = defineErrors('test/errors', {
  FW_TEST_PORT: { message: 'Port {port} is taken by {owners}.', cause: 'c', remedy: 'r' },
  FW_TEST_INPUT: { message: 'The name {name} is too long.', status: 422, cause: 'c', remedy: 'r' },
});

describe('FwError', () => {
  test('fills the sentence of its code and keeps the values for programs', () => {
    const error = fwError(ERRORS.FW_TEST_PORT, { port: 80, owners: ['a', 'b'], pid: 7 });
    expect(error).toMatchObject({
      name: 'FwError',
      code: 'FW_TEST_PORT',
      message: 'Port 80 is taken by a, b.',
      details: { pid: 7 },
    });
    expect(error).toBeInstanceOf(Error);
  });

  test('keeps the cause', () => {
    const cause = new Error('below');
    expect(new FwError(ERRORS.FW_TEST_PORT, {}, { cause }).cause).toBe(cause);
  });

  test('is recognised across copies of the package, and other errors are not', () => {
    const foreign = Object.assign(new Error('x'), { code: 'FW_X' });
    Object.defineProperty(foreign, Symbol.for('fw.error'), { value: true });
    expect([foreign, new Error('x'), null, 'x'].map(isFwError)).toEqual([true, false, false, false]);
  });

  test('refuses a code that is malformed or declared twice', () => {
    const entry = { message: 'm', cause: 'c', remedy: 'r' };
    expect(() => defineErrors('other', { FW_TEST_PORT: entry })).toThrow(
      'Error code FW_TEST_PORT of other is already declared by test/errors.',
    );
    expect(() => defineErrors('other', { oops: entry })).toThrow('must read FW_<AREA>_<WHAT>');
  });
});

describe('toProblem', () => {
  test('shows the sentence of a 4xx with its code, path and trace', () => {
    const error = fwError(ERRORS.FW_TEST_INPUT, { name: 'x' });
    expect(toProblem(error, { instance: '/orders', traceId: 'abc' })).toEqual({
      type: 'about:blank',
      title: 'Unprocessable Entity',
      status: 422,
      detail: 'The name x is too long.',
      instance: '/orders',
      code: 'FW_TEST_INPUT',
      traceId: 'abc',
    });
  });

  test('never shows the text of a 5xx or of an error that is not meant for clients', () => {
    expect(toProblem(new Error('select * from users'))).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
    });
    expect(JSON.stringify(toProblem(fwError(ERRORS.FW_TEST_PORT, { port: 1, owners: 'secret-host' })))).not.toContain(
      'secret-host',
    );
    expect(toProblem({ status: 404, expose: false, message: 'hidden' })).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
    });
    // As the clients of many services throw it.
    expect(toProblem(Object.assign(new Error('Incorrect API key provided: sk-1'), { status: 401 }))).toEqual({
      type: 'about:blank',
      title: 'Unauthorized',
      status: 401,
    });
  });

  test('shows the sentence for clients where there is one', () => {
    const { FW_TESTED_TAKEN } = defineErrors('test/clients', {
      FW_TESTED_TAKEN: {
        message: 'The database refused {name}: {reason}',
        clientMessage: '{name} is taken.',
        status: 409,
        cause: 'c',
        remedy: 'r',
      },
    });
    const error = fwError(FW_TESTED_TAKEN, { name: 'ada', reason: 'UNIQUE constraint failed: users.name' });
    expect(error.message).toBe('The database refused ada: UNIQUE constraint failed: users.name');
    expect(toProblem(error).detail).toBe('ada is taken.');
  });

  test('shows no errors that another one gathers, as those of several addresses that refuse a connection', () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', address: '10.0.0.7', port: 5432 });
    const gathered = new AggregateError([refused, { address: '10.0.0.8' }]);
    expect(toProblem(gathered)).toEqual({ type: 'about:blank', title: 'Internal Server Error', status: 500 });
    expect(toProblem(Object.assign(gathered, { status: 400 }))).not.toHaveProperty('errors');
    const hidden = Object.assign(new Error('x'), { errors: [{ target: { password: 'hush' } }] });
    expect(toProblem(hidden)).not.toHaveProperty('errors');
    const fields = [{ in: 'body', field: 'name', rule: 'required', message: 'is missing' }];
    const shown = { status: 422, expose: true, errors: fields };
    expect(toProblem(Object.assign(new Error('x'), shown))).toMatchObject({ errors: fields });
  });

  test('understands the errors of http-errors and Koa', () => {
    const error = Object.assign(new Error('no such order'), { status: 404, expose: true });
    expect(toProblem(error)).toMatchObject({ status: 404, title: 'Not Found', detail: 'no such order' });
    expect(statusOf({ statusCode: 413 })).toBe(413);
  });

  test.each([200, 399, 600, 404.5, '404', Number.NaN])('takes a claimed status of %p for 500', (status) => {
    expect(statusOf({ status })).toBe(500);
  });
});
