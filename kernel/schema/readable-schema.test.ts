import { describe, expect, test } from '@jest/globals';
import { readableSchema } from './index.js';

const secret = { type: 'string', writeOnly: true };

describe('a schema as a reader sees it', () => {
  test('is without what is written alone, wherever it stands, and not required', () => {
    const account = { type: 'object', properties: { id: {}, password: secret }, required: ['id', 'password'] };
    const readable = { type: 'object', properties: { id: {} }, required: ['id'] };
    expect(
      readableSchema({
        $defs: { Account: account, Secret: secret },
        type: 'object',
        properties: { one: { $ref: '#/$defs/Account' }, token: { $ref: '#/$defs/Secret' }, many: { items: account } },
        anyOf: [account, { prefixItems: [account] }, { items: [account] }],
        patternProperties: { '^x': account },
      }),
    ).toEqual({
      $defs: { Account: readable, Secret: secret },
      type: 'object',
      properties: { one: { $ref: '#/$defs/Account' }, many: { items: readable } },
      anyOf: [readable, { prefixItems: [readable] }, { items: [readable] }],
      patternProperties: { '^x': readable },
    });
  });

  test('is the schema itself when there is nothing to leave out, and ends where references lead in a circle', () => {
    const plain = { type: 'object', properties: { writeOnly: { type: 'boolean' } } };
    expect(readableSchema(plain)).toBe(plain);
    const circle = {
      $defs: { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } },
      properties: { a: { $ref: '#/$defs/A' } },
    };
    expect(readableSchema(circle)).toBe(circle);
  });
});
