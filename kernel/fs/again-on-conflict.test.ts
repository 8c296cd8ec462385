import { expect, jest, test } from '@jest/globals';
import { fwError } from '../errors/index.js';
import { againOnConflict } from './again-on-conflict.js';
import { FS_ERRORS } from './errors.js';

const conflict = () =>
  fwError(FS_ERRORS.FW_CHANGESET_CONFLICT, { files: 'a.ts (changed)', root: '/shop', conflicts: [] });

test('work is done again after a conflict, and its result is that of the last time', async () => {
  const work = jest.fn<() => Promise<string>>().mockRejectedValueOnce(conflict()).mockResolvedValueOnce('written');
  await expect(againOnConflict(work)).resolves.toBe('written');
  expect(work).toHaveBeenCalledTimes(2);
});

test('a conflict that does not end is thrown, and every other error at once', async () => {
  const always = jest.fn<() => Promise<string>>().mockImplementation(() => Promise.reject(conflict()));
  await expect(againOnConflict(always)).rejects.toMatchObject({ code: 'FW_CHANGESET_CONFLICT' });
  expect(always).toHaveBeenCalledTimes(10);
  const other = jest.fn<() => Promise<string>>().mockRejectedValue(new Error('the disk is full'));
  await expect(againOnConflict(other)).rejects.toThrow('the disk is full');
  expect(other).toHaveBeenCalledTimes(1);
});
