import path from 'node:path';
import type { Project } from 'ts-morph';
import { fwError } from '../../../kernel/errors/index.js';
import { PROJECT_FW } from '../../../kernel/invocation/index.js';
import { snakeCase, type ColumnKind } from '../../../plugins/orm/core/index.js';
import type { ColumnSource, ModelSource, RelationSource } from '../../orm/model-source.js';
import type { GeneratorContext } from '../engine/context.js';
import type { FieldKind } from '../engine/field-types.js';
import { type Digits, type Field, type FieldRelation, type Hidden, plainField } from '../engine/fields.js';
import { type Names, namesOf } from '../engine/names.js';
import { SCHEMATICS_ERRORS } from '../errors.js';

const KINDS: Partial<Readonly<Record<ColumnKind, FieldKind>>> = {
  string: 'string',
  text: 'text',
  int: 'int',
  bigint: 'bigint',
  float: 'number',
  decimal: 'decimal',
  uuid: 'uuid',
  boolean: 'boolean',
  date: 'date',
  json: 'json',
  enum: 'enum',
  array: 'strings',
};

/** The key of a model. */
export interface KeyField {
  readonly property: string;
  readonly column: string;
  readonly kind: FieldKind;
  /** Whether the database generates it, so that a client does not send it. */
  readonly given: boolean;
  readonly isNominal?: boolean | undefined;
}

/** The facts about a model that a resource needs. */
export interface ModelShape {
  /** Fields without the key and without columns that the database or a hook fills (`default=`, `generated`, timestamps). */
  readonly fields: readonly Field[];
  /** Timestamps that the ORM fills (`filled=create`, `filled=update`): in responses, but not in requests. */
  readonly times: readonly TimeField[];
  readonly key: KeyField;
}

/** A timestamp that the ORM fills. */
export interface TimeField extends Field {
  /** Whether each update sets it. */
  readonly isTouched: boolean;
}

const timeField = (property: string, column: string, isTouched: boolean, nullable = false): TimeField => ({
  ...plainField(property, column, 'date'),
  nullable,
  isTouched,
});

/** The timestamps of a model that is made with the flag `timestamps`. */
export const USUAL_TIMES: readonly TimeField[] = [
  timeField('createdAt', 'created_at', false),
  timeField('updatedAt', 'updated_at', true),
];

/** File of a model, as generators write and look for it. */
export const modelFile = ({ kebab }: Names): string => `app/models/${kebab}.ts`;

/** The files that models are read from. */
export type ModelFiles = Pick<GeneratorContext, 'read' | 'root' | 'isOnDisk'>;

/** The default key of models. */
export const USUAL_KEY: KeyField = { property: 'id', column: 'id', kind: 'int', given: true };

/**
 * The fields and the key of an existing model, as code generation reads them.
 *
 * @param file - of the model, relative to the project
 * @param given - fields that the caller named; must be none, because the model decides
 * @throws FwError `FW_SCHEMATIC_FIELD`, `FW_SCHEMATIC_EXISTS`
 */
export async function shapeOfModel(
  names: Names,
  file: string,
  context: ModelFiles,
  given: readonly string[] = [],
): Promise<ModelShape> {
  if (given.length > 0) {
    throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_EXISTS, {
      file,
      owner: 'says what the fields are',
      remedy: `Leave them out (\`${PROJECT_FW} generate resource ${names.pascal}\`), or repeat with force to write the model anew.`,
    });
  }
  const { model, target } = await modelOf(names, file, context);
  const times = model.columns
    .filter((column) => column.tag.filledOn !== undefined && hiddenBy(column) === undefined)
    .map(({ property, tag, nullable, temporal }) => ({
      ...timeField(property, tag.column, tag.filledOn === 'update', nullable),
      ...(temporal && { kind: 'temporal' as const, temporal }),
    }));
  return { fields: model.columns.flatMap((column) => fieldOf(column, model, target)), times, key: keyOf(model) };
}

/**
 * Gives relations the type of their target's key, if the target model exists.
 * @param fileOf - file of the model with a name
 */
export async function withRelatedKeys(
  fields: readonly Field[],
  fileOf: (model: string) => { readonly names: Names; readonly file: string },
  context: ModelFiles,
): Promise<readonly Field[]> {
  return Promise.all(
    fields.map(async (field) => {
      if (!field.relation) return field;
      const { names, file } = fileOf(field.relation.model);
      if ((await context.read(file)) === undefined) return field;
      const { key } = await shapeOfModel(names, file, context);
      return { ...field, kind: kindOfReference(key), relation: { ...field.relation, key: key.property } };
    }),
  );
}

const kindOfReference = ({ kind }: KeyField): FieldKind => (kind === 'int' ? 'relation' : kind);

type FindTarget = (relation: RelationSource) => ModelSource | undefined;

async function modelOf(
  names: Names,
  file: string,
  context: ModelFiles,
): Promise<{ readonly model: ModelSource; readonly target: FindTarget }> {
  const { readModels } = await import('../../orm/model-store.js');
  const at = `${context.isOnDisk ? context.root : ''}/${file}`;
  const project = await (context.isOnDisk ? projectOnDisk(context.root, at) : projectOfFiles());
  await addWithImports(project, file, context);
  const [reading] = readModels([at], project);
  const model = reading?.models.find(({ name }) => name === names.pascal);
  const [problem] = reading?.problems ?? [];
  const target: FindTarget = ({ target: name, targetFile }) =>
    readModels([targetFile], project)[0]?.models.find((each) => each.name === name);
  if (model && !problem) return { model, target };
  throw unreadable(names.pascal, problem?.message ?? `${file} declares no model of that name`);
}

// A project with the tsconfig.json, packages and workspace on disk, as for code generation.
async function projectOnDisk(root: string, file: string): Promise<Project> {
  const [{ Project }, { moduleResolverOf, readCompilerSettings }] = await Promise.all([
    import('ts-morph'),
    import('../../program/index.js'),
  ]);
  const nothingByItself = {
    skipAddingFilesFromTsConfig: true,
    skipFileDependencyResolution: true,
    skipLoadingLibFiles: true,
  };
  const project = new Project(nothingByItself);
  const settings = readCompilerSettings(root, project.getModuleResolutionHost(), file);
  moduleResolverOf(project).beginRun(path.join(root, 'generated'), settings);
  return project;
}

async function projectOfFiles(): Promise<Project> {
  const [{ Project }, { moduleResolverOf }] = await Promise.all([import('ts-morph'), import('../../program/index.js')]);
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  moduleResolverOf(project).withoutPackages();
  return project;
}

// Adds imported files (types of columns, base classes, related models), including planned ones that are not on disk yet.
async function addWithImports(project: Project, file: string, context: ModelFiles): Promise<void> {
  const root = context.isOnDisk ? context.root : '';
  const pending = [file];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (project.getSourceFile(`${root}/${next}`)) continue;
    // Generators do not write outside of the project: such files are read from disk.
    if (next.startsWith('../')) continue;
    const text = await context.read(next);
    if (text === undefined) continue;
    const source = project.createSourceFile(`${root}/${next}`, text, { overwrite: true });
    for (const { text: specifier } of source.getImportStringLiterals().map((each) => each.compilerNode))
      if (specifier.startsWith('.')) pending.push(...candidates(path.posix.join(path.posix.dirname(next), specifier)));
  }
}

const candidates = (target: string): readonly string[] => [
  target.replace(/\.([cm]?)js$/, '.$1ts'),
  `${target}.ts`,
  `${target}/index.ts`,
];

const KEY_KINDS: ReadonlySet<FieldKind> = new Set<FieldKind>(['int', 'bigint', 'uuid', 'string', 'text']);

function keyOf({ name, columns }: ModelSource): KeyField {
  const keys = columns.filter(({ tag }) => tag.primaryKey);
  const [key] = keys;
  const kind = key && KINDS[key.kind];
  if (keys.length !== 1 || key === undefined || kind === undefined || !KEY_KINDS.has(kind)) {
    const found = keys.length === 1 ? `one of the kind ${key?.kind}` : `${keys.length} of them`;
    throw unreadable(name, `a resource is found by one key, a number, a text or a UUID, and this model has ${found}`);
  }
  // A client could never learn the hidden key of a row that it created.
  if (hiddenBy(key) !== undefined)
    throw unreadable(
      name,
      `clients find a resource by its key, and the key ${key.property} of this model is hidden from them`,
    );
  const { tag, property, isNominal } = key;
  const given = tag.autoincrement || tag.generated || tag.filled || tag.default !== undefined;
  return { property, column: tag.column, kind, given, isNominal };
}

const hiddenBy = ({ json }: ColumnSource): Hidden | undefined =>
  json?.excluded ? 'private' : json?.writeOnly ? 'writeonly' : undefined;

const kindOf = ({ kind, temporal }: ColumnSource): FieldKind | undefined => (temporal ? 'temporal' : KINDS[kind]);

function fieldOf(column: ColumnSource, model: ModelSource, target: FindTarget): readonly Field[] {
  const { property, tag, rules, nullable, values = [], element, isNominal } = column;
  if (tag.generated || tag.default !== undefined || tag.filled) return [];
  if (tag.primaryKey && keyOf(model).given) return [];
  if (property === 'createdAt' || property === 'updatedAt' || property === 'deletedAt') return [];
  const relation = relationOf(column, model, target);
  const kind = relation && column.kind === 'int' ? 'relation' : kindOf(column);
  if (!kind || (kind === 'strings' && element !== 'string'))
    throw unreadable(
      property,
      `a resource cannot be made for a column of the kind ${column.kind}; write its routes by hand`,
    );
  const numberOf = (rule: string) => {
    const argument = rules.find((each) => each.rule === rule)?.argument;
    return argument === undefined ? undefined : Number(argument);
  };
  return [
    {
      property,
      column: tag.column,
      kind,
      temporal: column.temporal,
      nullable,
      required: rules.some(({ rule }) => rule === 'required'),
      email: rules.some(({ rule }) => rule === 'email'),
      min: numberOf('min'),
      max: numberOf('max') ?? tag.size,
      values,
      // Keys that clients choose have to be unique too.
      unique: tag.unique || tag.primaryKey,
      index: tag.index,
      hidden: hiddenBy(column),
      digits: digitsOf(tag),
      isNominal,
      relation,
    },
  ];
}

const digitsOf = ({ precision, scale = 0 }: ColumnSource['tag']): Digits | undefined =>
  precision === undefined ? undefined : { whole: Math.max(0, precision - scale), fraction: scale };

function relationOf(
  { property, tag }: ColumnSource,
  { relations }: ModelSource,
  target: FindTarget,
): FieldRelation | undefined {
  const found = relations.find(({ kind, property: own, options }) => {
    const fk = options['fk'] ?? `${snakeCase(own)}_id`;
    return kind === 'belongsTo' && (fk === property || fk === tag.column);
  });
  if (!found) return undefined;
  assertReached(found);
  const key = target(found)?.columns.find((column) => column.tag.primaryKey)?.property;
  return { property: found.property, model: found.target, ...(key !== undefined && { key }) };
}

// Routes and tests of a resource import its related models, so they have to be where generators expect them.
function assertReached({ property, target, targetFile, targetExport, library }: RelationSource): void {
  const usual = modelFile(namesOf(target));
  if (library === undefined && targetExport === target && targetFile.endsWith(`/${usual}`)) return;
  const where = library === undefined ? targetFile : `the package of ${library.from}`;
  throw unreadable(
    property,
    `it leads to ${target} of ${where}, and resources are made where that stands in ${usual}; write the routes by hand`,
  );
}

function unreadable(field: string, problem: string): Error {
  return fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_FIELD, { field, problem, example: 'name:string' });
}
