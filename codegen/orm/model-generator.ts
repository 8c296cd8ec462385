import { moduleResolverOf } from '../program/index.js';
import { ts } from 'ts-morph';
import { DEFAULT_DATABASE, isOption, snakeCase } from '../../plugins/orm/core/index.js';
import type { GeneratedFile, Generator, GeneratorInput } from '../engine/generator.js';
import { sourceProblems, type SourceProblem } from '../engine/source-problem.js';
import { ModelsByTable } from './model-databases.js';
import type { ColumnSource, ModelSource } from './model-source.js';
import { modelStoreOf, readModels, sha256, type WrittenModule, type WrittenModules } from './model-store.js';
import type { FileModels } from './read-models.js';
import { problemAtPlace } from './place.js';
import { joinProblems } from './join-problems.js';
import { relationProblems } from './relation-problems.js';
import { moduleName, writeModel } from './write-model.js';

const DEEPEST_PATH = 3;

/**
 * Writes one module per model: the model's registration with scanner, column sets and JSON Schema, its accessors, and the type of its
 * preload paths. The type checker gives the types of properties; no project code is run.
 */
export const modelGenerator: Generator = {
  name: 'orm',
  generate({ project, outDir, models, config, note, step }: GeneratorInput): readonly GeneratedFile[] {
    const files = readModels(models, project, step);
    const all = files.flatMap((file) => file.models);
    const problems = [...files.flatMap((file) => file.problems), ...problemsAmong(all)];
    if (problems.length > 0) throw sourceProblems(problems);
    const modules = moduleResolverOf(project);
    const undeclared =
      modules.settings.lacksTemporal && !importsTemporal(config?.compilerNode)
        ? all.filter((model) => !importsTemporal(modules.sourceFile(model.file))).flatMap(undeclaredTemporal)
        : [];
    for (const text of [...forgotten(files), ...all.flatMap(notesOf), ...undeclared]) note?.(text);
    const byId = new Map(all.map((each) => [idOf(each), each]));
    const store = modelStoreOf(project);
    const before = store.written;
    const written = all.map((model) => {
      step?.(`writing ${all.length} models`);
      return contentOf(model, outDir, preloadPaths(model, byId, DEEPEST_PATH), before);
    });
    store.written = new Map(all.map((model, at) => [idOf(model), written[at] as WrittenModule]));
    return all.map((model, at) => ({
      path: moduleName(model.name),
      content: (written[at] as WrittenModule).content,
      sources: [model.file],
    }));
  },
};

/** Text of a model's module, reused while its inputs are unchanged. */
function contentOf(
  model: ModelSource,
  outDir: string,
  paths: readonly string[],
  before: WrittenModules,
): WrittenModule {
  const key = sha256([digestOf(model), outDir, ...paths].join('\n'));
  const known = before.get(idOf(model));
  return known?.key === key ? known : { key, content: writeModel(model, outDir, paths) };
}

// Cached, because a watch generates repeatedly from models that mostly stay the same.
const digests = new WeakMap<ModelSource, string>();

function digestOf(model: ModelSource): string {
  const known = digests.get(model);
  if (known !== undefined) return known;
  const digest = sha256(JSON.stringify(model));
  digests.set(model, digest);
  return digest;
}

const idOf = ({ file, name }: ModelSource): string => `${file}:${name}`;

function preloadPaths(model: ModelSource, byId: ReadonlyMap<string, ModelSource>, depth: number): readonly string[] {
  return model.relations.flatMap(({ property, target, targetFile }) => {
    const next = byId.get(`${targetFile}:${target}`);
    if (depth === 1 || next === undefined) return [property];
    return [property, ...preloadPaths(next, byId, depth - 1).map((rest) => `${property}.${rest}`)];
  });
}

function* problemsAmong(models: readonly ModelSource[]): Iterable<SourceProblem> {
  const byModule = new Map<string, ModelSource>();
  const byTable = new ModelsByTable();
  const byId = new Map(models.map((model) => [idOf(model), model]));
  for (const model of models) {
    const twin = byModule.get(moduleName(model.name));
    if (twin)
      yield problemAtPlace(
        model.place,
        `${model.name} would be written to the same file as ${twin.name} of ${twin.file}; give one of them another name`,
      );
    byModule.set(moduleName(model.name), model);
    const taken = byTable.add(model);
    if (taken)
      yield problemAtPlace(
        model.place,
        `${model.name} has the table "${model.table}"${inDatabase(taken.database)}, and so has ${taken.holder.name} of ${taken.holder.file}; name another table with @table, or another database`,
      );
    yield* relationProblems(model, byId);
  }
  yield* joinProblems(models, byId, byTable);
}

const inDatabase = (name: string): string => (name === DEFAULT_DATABASE ? '' : ` in the database ${name}`);

// Notes about classes with columns that have no table and that no model extends.
function forgotten(files: readonly FileModels[]): string[] {
  const bases = new Set(files.flatMap((file) => file.bases));
  return files
    .flatMap((file) => file.withoutTable)
    .filter(({ id }) => !bases.has(id))
    .map(
      ({ name, place: { file, line } }) =>
        `${file}:${line} ${name} has columns (@db) and no @table, and no model extends it, so that nothing is made of it; add @table, or make it abstract`,
    );
}

// A note and no mistake: what a polyfill declares for all files is not seen here.
function undeclaredTemporal({ name, place: { file, line }, columns }: ModelSource): string[] {
  const column = columns.find(({ temporal }) => temporal !== undefined);
  if (column === undefined) return [];
  return [
    `${file}:${line} ${name}.${column.property} is of Temporal.${column.temporal}, and what tsconfig.json says of "lib" and "target" has no Temporal, so that the compiler does not know it; add "esnext.temporal" to lib, or import Temporal from a polyfill`,
  ];
}

const importsTemporal = (source: ts.SourceFile | undefined): boolean =>
  source?.statements.some(
    (each) => ts.isImportDeclaration(each) && /temporal/i.test(each.moduleSpecifier.getText(source)),
  ) ?? false;

function notesOf({ name, place, columns, view }: ModelSource): string[] {
  const at = `${place.file}:${place.line} ${name}`;
  // Other libraries would write `@db('unique')`.
  const mistaken = columns
    .filter(({ property, tag: { column } }) => isOption(column) && column !== snakeCase(property))
    .map(
      ({ property, tag: { column } }) =>
        `${at}.${property} gets a column called "${column}", because a tag begins with the name; if the option is meant, write @db(',${column}')`,
    );
  const widened = columns
    .filter(({ isWidened, tag }) => isWidened && tag.kind === undefined)
    .map(
      ({ property, kind }) =>
        `${at}.${property} names values of bigint, which no column is held to: it takes every bigint; write a check in @table, or say type=${kind} in @db if that is meant`,
    );
  const unfilled = columns
    .filter((column) => column.optional && !column.nullable && !isFilled(column))
    .map(
      ({ property }) =>
        `${at}.${property} may be left out of a new row, and its column takes no null: where there may be none, write ${property}: ... | null; where something fills it, write default= or filled in @db`,
    );
  const notes = [...mistaken, ...widened, ...unfilled];
  // Rows of a view are read, and nothing else.
  if (view !== undefined || columns.some(({ tag }) => tag.primaryKey)) return notes;
  return [
    ...notes,
    `${at} has no primary key, so its rows can be read and created, but not saved or removed one by one; mark a column with pk`,
  ];
}

// A write-only property is declared optional because rows are read without it.
const isFilled = ({ tag, json }: ColumnSource): boolean =>
  tag.autoincrement || tag.generated || tag.filled || tag.default !== undefined || json?.writeOnly === true;
