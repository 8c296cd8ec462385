import { describe, expect, test } from '@jest/globals';
import { FEATURES, spelled } from '../contract/dialect-table.js';
import { mysql } from './mysql-dialect.js';

// The spelling of the SPEC ("ORM values", dialects), written out.
describe('MySQL', () => {
  test('quotes names, and writes placeholders as specified [ORM-DIALECT-MYSQL-PLACEHOLDER]', async () => {
    expect(await spelled('find', mysql)).toBe('SELECT `id`, `label` FROM `tags`');
    expect(await spelled('upsert by a key', mysql)).toContain('(`email`, `age`) VALUES (?, ?)');
  });

  test('upserts as specified [ORM-DIALECT-MYSQL-UPSERT]', async () => {
    expect(await spelled('upsert by a key', mysql)).toContain(' ON DUPLICATE KEY UPDATE `age` = VALUES(`age`)');
  });

  test('is never sent RETURNING, which MariaDB would take [ORM-DIALECT-MYSQL-RETURNING]', async () => {
    expect(await spelled('create', mysql)).toBe('INSERT INTO `tags` (`label`) VALUES (?)');
    for (const { name } of FEATURES) expect(await spelled(name, mysql)).not.toContain('RETURNING');
  });

  test('locks for update [ORM-DIALECT-MYSQL-LOCK]', async () => {
    expect(await spelled('FOR UPDATE', mysql)).toBe('SELECT `id` FROM `posts` WHERE `author_id` = ? FOR UPDATE');
  });
});
