import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import prettier from 'prettier';
import { type CodegenResult, runCodegen } from '../engine/index.js';
import { builtInGenerators } from '../generators.js';
import { readModels } from '../orm/model-store.js';
import type { Generator } from '../engine/generator.js';
import { type CorpusProject, corpusProjects, writeProject } from './corpus-project.js';
import { Compiler } from './compiler.js';
import { described } from './described.js';
import { roundTrip } from './round-trip.js';

const PROJECTS = corpusProjects();
const compiler = new Compiler();
// As in new projects.
const STYLE = { printWidth: 120, singleQuote: true, trailingComma: 'all' } as const;
let folder: string;
const outcomes = new Map<string, Promise<Outcome>>();

const rootOf = ({ name }: CorpusProject): string => path.join(folder, name);

// The compiler reads projects together, with what is generated for them.
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'fw-corpus-')));
  for (const project of PROJECTS) {
    writeProject(project, rootOf(project));
    const of = outcome(project, rootOf(project));
    outcomes.set(project.name, of);
    // The test of the project says why it fails.
    await Promise.allSettled([of]);
  }
  compiler.checkTogether(PROJECTS.filter(({ compiler: said }) => said === undefined).map(rootOf));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Outcome {
  readonly result: CodegenResult;
  readonly lines: string;
}

/** Runs code generation, and says what the models are or what is wrong with them. */
async function outcome(project: CorpusProject, root: string): Promise<Outcome> {
  let models = '';
  const look: Generator = {
    name: 'look',
    generate: ({ models: files, project: sources }) => {
      models = described(readModels(files, sources).flatMap((read) => read.models));
      return [];
    },
  };
  const result = await runCodegen({ root, generators: [...builtInGenerators(), look], code: undefined });
  const problems = result.problems.map(({ file, line, message }) => `${path.relative(root, file)}:${line} ${message}`);
  const lines = result.ok ? [models, ...result.notes] : problems;
  return { result, lines: lines.join('\n').replaceAll(`${root}/`, '') };
}

// A problem is expected by its place and a part of its sentence; models by every line.
function expectLines(lines: string, expected: string): void {
  const found = lines.split('\n');
  const wanted = expected.split('\n');
  const shown = found.map((line, index) => {
    const [, place, part] = /^(\S.*?:\d+) (.*)$/.exec(wanted[index] ?? '') ?? [];
    return place && part && line.startsWith(`${place} `) && line.includes(part) ? `${place} ${part}` : line;
  });
  expect(shown).toEqual(wanted);
}

/** Files that Prettier would write in another way. */
async function unformatted(generated: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const file of readdirSync(generated)) {
    const text = readFileSync(path.join(generated, file), 'utf8');
    const wanted = await prettier.format(text, { ...STYLE, filepath: file });
    if (wanted !== text) found.push(`${file}:\n${wanted}`);
  }
  return found;
}

describe('the corpus', () => {
  test('has at least sixty projects, each of which says what it is', () => {
    expect(PROJECTS.length).toBeGreaterThanOrEqual(60);
    expect(PROJECTS.filter(({ about, expected }) => about === '' || expected === '').map(({ name }) => name)).toEqual(
      [],
    );
  });

  test.each(PROJECTS)('$name: $about', async (project) => {
    const root = rootOf(project);
    const { result, lines } = (await outcomes.get(project.name)) as Outcome;
    expectLines(lines, project.expected);
    const errors = compiler.errorsOf(root);
    if (project.compiler === undefined) expect(errors).toEqual([]);
    else expect(errors.join('\n')).toContain(project.compiler);
    if (!result.ok) return;
    expect(await runCodegen({ root, check: true })).toMatchObject({ ok: true, stale: [] });
    expect(await unformatted(path.join(root, 'generated'))).toEqual([]);
    if (project.notRun !== undefined) return;
    const { differences, rows } = await roundTrip(root);
    expect(differences).toEqual([]);
    expect(Object.values(rows).map(({ read }) => read)).toEqual(Object.values(rows).map(({ written }) => written));
  });
});
