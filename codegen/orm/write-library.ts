import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ts } from 'ts-morph';
import { fwError } from '../../kernel/index.js';
import type { Generator, GeneratorInput } from '../engine/generator.js';
import { runCodegen } from '../engine/index.js';
import { inWords, sourceProblems } from '../engine/source-problem.js';
import { moduleResolverOf, typeProgramOf } from '../program/index.js';
import { LIBRARY_ERRORS } from './library-errors.js';
import { type LibraryClass, libraryText } from './library-format.js';
import { readModels } from './model-store.js';
import { exportTargets, type ExportTarget } from './package-exports.js';
import { ModelsReader } from './read-models.js';
import { columnNames } from './relation-problems.js';

/** The description of its classes that a package ships. */
interface LibraryOutput {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/**
 * The description of a package's model classes for its users, if its package.json asks for it (`"fw": { "models": "./dist/fw-models.json"
 * }`), because `.d.ts` files have no decorators.
 *
 * @param root - folder of package.json and app.config.ts
 * @returns undefined if package.json does not ask for it
 * @throws FwError `FW_CODEGEN_LIBRARY_WRITE`
 */
export async function libraryOutput(root: string): Promise<LibraryOutput | undefined> {
  const manifest = manifestOf(root);
  const models = manifest.fw?.models;
  if (models === undefined) return undefined;
  const file = typeof models === 'string' ? path.posix.normalize(models) : '';
  if (!file.startsWith('dist/') || !file.endsWith('.json'))
    throw refusal(`"models" is ${JSON.stringify(models)}, expected a .json file below ./dist/`);
  let text = '';
  const look: Generator = {
    name: 'library',
    generate: (input) => {
      text = textOf(input, manifest);
      return [];
    },
  };
  const { problems } = await runCodegen({ root, generators: [look], check: true, code: undefined });
  if (problems.length > 0) throw refusal(problems.map((each) => inWords(each, root)).join('\n'));
  return { path: file, text };
}

/** The fields of a package.json that are used. */
interface Manifest {
  readonly name?: string;
  readonly exports?: unknown;
  readonly main?: unknown;
  readonly fw?: { readonly models?: unknown };
}

function manifestOf(root: string): Manifest {
  const file = path.join(root, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : {};
}

const refusal = (problem: string) => fwError(LIBRARY_ERRORS.FW_CODEGEN_LIBRARY_WRITE, { problem });

function textOf({ project, models: files, root, outDir }: GeneratorInput, manifest: Manifest): string {
  const entries = exportTargets(manifest, root);
  const index = path.posix.join(slashed(outDir), 'index.ts');
  const modules = entries.flatMap(({ sources }) => sources).filter((file) => existsSync(file) && file !== index);
  const types = typeProgramOf(project).types({ files: [...new Set([...files, ...modules])] });
  const reader = new ModelsReader(types, moduleResolverOf(project));
  const readings = readModels(files, project);
  const problems = readings.flatMap((each) => each.problems);
  if (problems.length > 0) throw sourceProblems(problems);
  const models = readings.flatMap((each) => each.models);
  const classes = new Map<string, LibraryClass>();
  const declarations = new Map<string, ts.ClassLikeDeclaration>();
  for (const [declaration, members] of files.flatMap((file) => markedIn(types.program.getSourceFile(file), reader))) {
    const name = declaration.name?.text;
    if (name === undefined || declarations.get(name) === declaration) continue;
    if (declarations.has(name)) throw refusal(`two classes are called ${name}`);
    declarations.set(name, declaration);
    const model = models.find((each) => each.name === name);
    const exported = exportOf(declaration, entries, types);
    classes.set(name, { name, members, ...(exported && { export: exported }), ...(model && { columns: [...columnNames(model.columns)] }) }); // prettier-ignore
  }
  const generated = entries.find(({ sources }) => sources.includes(index))?.specifier;
  const sorted = [...classes.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  return libraryText({ classes: sorted, ...(generated !== undefined && { generated }) });
}

const markedIn = (file: ts.SourceFile | undefined, reader: ModelsReader) =>
  file ? [...reader.markedClasses(file)] : [];

const slashed = (file: string) => file.split(path.sep).join('/');

function exportOf(
  declaration: ts.ClassLikeDeclaration,
  entries: readonly ExportTarget[],
  { program, checker }: ReturnType<ReturnType<typeof typeProgramOf>['types']>,
): LibraryClass['export'] {
  const own = declaration.name && checker.getSymbolAtLocation(declaration.name);
  for (const { specifier, sources } of entries)
    for (const source of sources) {
      const file = program.getSourceFile(source);
      const module = file && checker.getSymbolAtLocation(file);
      const found = (module ? checker.getExportsOfModule(module) : []).find(
        (each) => (each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each) === own,
      );
      if (found) return { from: specifier, name: found.name };
    }
  return undefined;
}
