import { expect, test } from '@jest/globals';
import { postgresError } from './postgres-errors.js';

const codeOf = (message: string, driver: object) =>
  postgresError(Object.assign(new Error(message), driver), 'SELECT 1').code;

test('what a driver says of a connection without a code is told from what an application raises on the server', () => {
  const message = 'timeout expired while the order was open';
  expect([codeOf(message, {}), codeOf(message, { code: 'P0001' })]).toEqual(['FW_ORM_CONNECTION', 'FW_ORM_DATABASE']);
  expect(codeOf('terminating connection', { code: '57P01' })).toBe('FW_ORM_CONNECTION');
});
