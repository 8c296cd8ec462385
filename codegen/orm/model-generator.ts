import type { Project, SourceFile } from 'ts-morph';
import type { GeneratedFile, Generator, GeneratorInput } from '../engine/generator.js';
import { problemAt, sourceProblems, type SourceProblem } from '../engine/source-problem.js';
import type { ModelSource } from './model-source.js';
import { readModels, type FileModels } from './read-models.js';
import { relationProblems } from './relation-problems.js';
import { moduleName, writeModel } from './write-model.js';

const DEEPEST_PATH = 3;

// A file that did not change keeps its compiler node, so watching reads only what did.
const read = new WeakMap<object, FileModels>();

/**
 * Writes one module per model: the model's registration with scanner, column sets and JSON Schema, its accessors, and the
 * type of its preload paths. Reads declarations by syntax alone; nothing is run.
 */
export const modelGenerator: Generator = {
  name: 'orm',
  generate({ project, outDir, models }: GeneratorInput): readonly GeneratedFile[] {
    const files = models.map((file) => modelsOf(file, project));
    const all = files.flatMap((file) => file.models);
    const problems = [...files.flatMap((file) => file.problems), ...problemsAmong(all)];
    if (problems.length > 0) throw sourceProblems(problems);
    return all.map((model) => generatedFile(model, all, outDir));
  },
};

function modelsOf(file: SourceFile, project: Project): FileModels {
  const found = read.get(file.compilerNode);
  if (found) return found;
  const made = readModels(file, project);
  // A base class may stand in another file, whose changes this one's node does not show.
  if (made.problems.length === 0 && made.models.every(({ alsoFrom }) => alsoFrom.length === 0))
    read.set(file.compilerNode, made);
  return made;
}

function generatedFile(model: ModelSource, all: readonly ModelSource[], outDir: string): GeneratedFile {
  const byName = new Map(all.map((each) => [each.name, each]));
  const touched = new Set<ModelSource>([model]);
  const paths = preloadPaths(model, byName, DEEPEST_PATH, touched);
  const sources = [...touched].flatMap(({ file, alsoFrom }) => [file.getFilePath() as string, ...alsoFrom]);
  return {
    path: moduleName(model.name),
    content: writeModel(model, outDir, paths),
    sources: [...new Set(sources)].sort(),
  };
}

function preloadPaths(
  model: ModelSource,
  byName: ReadonlyMap<string, ModelSource>,
  depth: number,
  touched: Set<ModelSource>,
): readonly string[] {
  return model.relations.flatMap(({ property, target }) => {
    const next = byName.get(target);
    if (depth === 1 || next === undefined) return [property];
    touched.add(next);
    return [property, ...preloadPaths(next, byName, depth - 1, touched).map((rest) => `${property}.${rest}`)];
  });
}

function* problemsAmong(models: readonly ModelSource[]): Iterable<SourceProblem> {
  const byFile = new Map<string, ModelSource>();
  const byName = new Map(models.map((model) => [model.name, model]));
  for (const model of models) {
    const declaration = model.file.getClassOrThrow(model.name);
    const twin = byFile.get(moduleName(model.name));
    if (twin)
      yield problemAt(
        declaration,
        `${model.name} would be written to the same file as ${twin.name} of ${twin.file.getFilePath()}`,
      );
    byFile.set(moduleName(model.name), model);
    yield* relationProblems(model, byName);
  }
}
