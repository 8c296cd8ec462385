import { describe, expect, test } from '@jest/globals';
import { FEATURES, spelled } from '../contract/dialect-table.js';
import { writtenDefaultsContract } from '../contract/written-defaults.contract.js';
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

describe('on MySQL', () => {
  writtenDefaultsContract(mysql, {
    'a long decimal': '12345678901234567.8900',
    'a decimal without a whole part': '0.5',
    true: '1',
    false: '0',
    'a day': "'2024-05-06'",
    'a time': "'2024-05-06 07:08:09.000'",
    now: 'CURRENT_TIMESTAMP(3)',
    JSON: `('{"a":1}')`,
    'no elements': "('[]')",
    'an element': `('["a"]')`,
    'a declared value': "'b'''",
    'a long text': "('it''s')",
    'a text': "'it\\\\s'",
    'a new UUID for each row': '(uuid())',
  });
});
