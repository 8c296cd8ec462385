import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { cyclesOf, loadGraph } from './import-cycles.js';

const ROOT = path.resolve(import.meta.dirname, '../..');

describe('import cycles', () => {
  test.each([
    ['kernel', 'kernel/boot/index.ts', 'kernel/boot/boot-app.ts'],
    ['plugins', 'plugins/orm/core/query/query.ts', 'plugins/orm/core/query/reads.ts'],
    ['codegen', 'codegen/commands/routes.ts', 'codegen/routes/registry.ts'],
  ])('there is none inside %s', (folder, file, loaded) => {
    const graph = loadGraph(ROOT, folder);
    // The graph is really read.
    expect(graph.get(file)).toContain(loaded);
    expect(cyclesOf(graph)).toEqual([]);
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
