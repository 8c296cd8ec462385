import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWanted, refuseUnknownParts } from './only.mjs';

test('a part is measured when no words are given, or when one of them is in its name', () => {
  assert.ok(isWanted([], 'sqlite/fw'));
  assert.ok(isWanted(['postgres', 'sqlite/fw'], 'sqlite/fw'));
  assert.ok(!isWanted(['kysely'], 'sqlite/fw'));
});

test('a word that fits no part is refused, with the parts that there are', () => {
  const bench = { name: 'boot', parts: ['fw', 'koa'] };
  refuseUnknownParts(bench, []);
  refuseUnknownParts(bench, ['ko']);
  assert.throws(() => refuseUnknownParts(bench, ['koa', 'kao']), /--only kao fits no part of boot; it has fw, koa/);
  assert.throws(() => refuseUnknownParts(bench, ['']), /fits no part/);
  assert.throws(() => refuseUnknownParts({ name: 'mcp' }, ['fw']), /mcp; it is measured as a whole/);
});
