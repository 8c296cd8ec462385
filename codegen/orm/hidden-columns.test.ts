import { describe, expect, test } from '@jest/globals';
import { messageOf, modelContent } from './testing/model-content.js';

const generate = (fields: string): string =>
  modelContent(`
import { db, json, table, type Int } from 'fw/orm';
@table('users')
export class User {
  @db('id,pk,autoincrement') id!: Int;
  ${fields}
  @db('name') name!: string;
}`);

describe('hidden columns', () => {
  test('a private one is read, and in no schema', () => {
    const content = generate("@db('hash') @json('-') hash!: string;");
    expect(content).toContain("{ property: 'hash', column: 'hash', kind: 'string', json: '-' },");
    expect(content).toContain("made.hash = row[1] as User['hash'];");
    expect(content).toContain("properties: { id: { type: 'integer' }, name: { type: 'string' } },\n");
  });

  test('one that clients write alone is created with, marked in the schema, and not read', () => {
    const content = generate("@db('password') @json('password,writeonly') password?: string;");
    expect(content).toContain("kind: 'string', writeOnly: true }");
    expect(content).not.toContain('made.password');
    expect(content).toContain("made.name = row[1] as User['name'];");
    expect(content).toContain('values: (row) => [row.id, row.password, row.name]');
    expect(content).toContain("password: Exclude<User['password'], undefined>;");
    expect(content).toContain("password: { type: 'string', writeOnly: true }");
    expect(generate("@db('pin,nullable') @json('pin,writeonly') pin?: string;")).toContain('  pin?: Exclude');
  });

  test.each([
    ["@db('password') @json('password,writeonly') password!: string;", /declare it as password\?/],
    ["@db('hash') @json('-,omitempty') hash!: string;", /takes no options/],
    ["@db('hash') @json('hash,secret') hash!: string;", /known options: omitempty, writeonly/],
  ])('%s is a problem', (fields, expected) => {
    expect(messageOf(() => generate(fields))).toMatch(expected);
  });
});
