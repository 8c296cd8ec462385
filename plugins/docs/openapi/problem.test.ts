import { expect, test } from '@jest/globals';
import { type FieldProblem, toProblem, validatorOf } from '../../../kernel/index.js';
import { defineErrors, fwError } from '../../../kernel/errors/index.js';
import { problemSchema } from './problem.js';

const { FW_T_ALL } = defineErrors('test', {
  FW_T_ALL: { message: 'It was {what}.', status: 422, cause: 'A test.', remedy: 'None.' },
});

test('the schema of problems declares every member that an answer of the framework has', () => {
  const errors: FieldProblem[] = [{ in: 'body', field: 'name', rule: 'required', message: 'is required' }];
  const error = Object.assign(fwError(FW_T_ALL, { what: 'wrong' }), { errors });
  const problem = toProblem(error, { instance: '/orders', traceId: 'a'.repeat(32) });
  const members = ['type', 'title', 'status', 'detail', 'instance', 'code', 'errors', 'traceId'];
  expect(Object.keys(problem).sort()).toEqual([...members].sort());
  expect(Object.keys(problemSchema['properties'] as object).sort()).toEqual([...members].sort());
  const closed = { ...problemSchema, additionalProperties: false };
  expect(validatorOf(closed as never).check(structuredClone(problem))).toEqual([]);
});
