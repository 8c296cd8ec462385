import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { cyclesOf, loadGraph } from './import-cycles.js';

const ROOT = path.resolve(import.meta.dirname, '../..');

describe('import cycles', () => {
  test('there is none inside plugins/orm', () => {
    const graph = loadGraph(ROOT, 'plugins/orm');
    // The graph is really read.
    expect(graph.get('plugins/orm/core/query/query.ts')).toContain('plugins/orm/core/query/reads.ts');
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
