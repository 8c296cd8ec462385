import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { cyclesOf, loadGraph } from './import-cycles.js';

const ROOT = path.resolve(import.meta.dirname, '../..');

describe('import cycles', () => {
  const graph = loadGraph(ROOT, ['kernel', 'plugins', 'codegen']);

  test('there is none in the sources', () => {
    expect(cyclesOf(graph)).toEqual([]);
  });

  test.each([
    ['kernel/boot/index.ts', 'kernel/boot/boot-app.ts'],
    ['plugins/orm/core/query/query.ts', 'plugins/orm/core/query/reads.ts'],
    ['codegen/commands/add.ts', 'plugins/tools/introspection/index.ts'],
    // While it runs.
    ['plugins/http/request-body.ts', 'plugins/http/multipart/decode-multipart.ts'],
  ])('%s is seen to load %s', (file, loaded) => {
    expect(graph.get(file)).toContain(loaded);
  });

  test.each<[string, Record<string, string[]>, string[][]]>([
    ['two files', { a: ['b'], b: ['a'] }, [['a', 'b', 'a']]],
    ['a file and itself', { a: ['a'] }, [['a', 'a']]],
    ['a cycle behind its entry', { a: ['b'], b: ['c'], c: ['b'] }, [['b', 'c', 'b']]],
    ['two ways to one file', { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, []],
  ])('%s', (_name, edges, cycles) => {
    expect(cyclesOf(new Map(Object.entries(edges)))).toEqual(cycles);
  });
});
