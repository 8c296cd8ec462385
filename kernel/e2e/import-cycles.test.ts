import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { cyclesAcrossFolders, cyclesOf, loadGraph, nameGraph } from './import-cycles.js';

const ROOT = path.resolve(import.meta.dirname, '../..');

describe('import cycles', () => {
  const folders = ['kernel', 'plugins', 'codegen'];
  const graph = loadGraph(ROOT, folders);

  test('there is none in the sources', () => {
    expect(cyclesOf(graph)).toEqual([]);
  });

  test('files of several folders are in none, imports of types included', () => {
    expect(cyclesAcrossFolders(nameGraph(ROOT, folders))).toEqual([]);
  });

  test.each<[string, Record<string, string[]>, string[]]>([
    ['two files of one folder', { 'x/a': ['x/b'], 'x/b': ['x/a'] }, []],
    ['two folders, one way', { 'x/a': ['y/b'], 'y/b': [], 'y/c': ['y/b'] }, []],
    ['two folders, by different files', { 'x/a': ['y/b'], 'y/b': [], 'y/c': ['x/a'] }, []],
    ['a cycle over two folders', { 'x/a': ['x/b'], 'x/b': ['y/c'], 'y/c': ['x/a'] }, ['x/b -> y/c', 'y/c -> x/a']],
  ])('%s', (_name, edges, across) => {
    expect(cyclesAcrossFolders(new Map(Object.entries(edges)))).toEqual(across);
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
