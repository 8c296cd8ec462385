import { describe, expect, test } from '@jest/globals';
import { SPEC_MAP, type SpecEntry } from './spec-map.js';

async function found({ from, name }: SpecEntry): Promise<unknown> {
  const module = (await import(from)) as Record<string, unknown>;
  const [exported = '', member] = name.split('.');
  const value = module[exported];
  if (member === undefined) return value;
  const holder = typeof value === 'function' ? (value.prototype as unknown) : value;
  return (holder as Record<string, unknown> | undefined)?.[member];
}

describe('the identifiers of the SPEC', () => {
  test.each(SPEC_MAP.filter(({ kind }) => kind === 'value'))('$spec is $name of $from', async (entry) => {
    expect(await found(entry)).toBeDefined();
  });
});
