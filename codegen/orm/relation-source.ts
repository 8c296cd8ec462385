import type { ts } from 'ts-morph';
import type { RelationKind } from '../../plugins/orm/core/index.js';
import { isPlain } from '../evaluator/index.js';
import type { Reading } from './class-members.js';
import type { Mark, Report } from './marks.js';
import type { LibraryReader } from './library-reader.js';
import type { LibraryTarget, RelationOption, RelationSource } from './model-source.js';
import { placeOf } from './place.js';

const OPTIONS: Readonly<Record<RelationKind, readonly string[]>> = {
  hasOne: ['fk', 'references'],
  hasMany: ['fk', 'references'],
  belongsTo: ['fk', 'references', 'constraint', 'onDelete', 'onUpdate', 'deferrable'],
  manyToMany: ['join', 'joinFk', 'joinRefFk'],
};

/** Whether a mark declares a relation. */
export const isRelation = (mark: Mark): boolean => Object.hasOwn(OPTIONS, mark.name);

/** Facts about a relation's property. */
interface RelationProperty {
  readonly name: string;
  /** Kind of its type; undefined for a type that is no relation's. */
  readonly kind: string | undefined;
  readonly node: ts.PropertyDeclaration;
  /** Class and property, for messages. */
  readonly shown: string;
}

/** Reads a relation. @returns undefined when its target is not known, which is reported */
export function readRelation(
  mark: Mark,
  property: RelationProperty,
  { facts, libraries, report }: Pick<Reading, 'facts' | 'libraries' | 'report'>,
): RelationSource | undefined {
  const kind = mark.name as RelationKind;
  const target = facts.targetOf(mark, property.node);
  if (target === undefined) {
    const lost = facts.lostTargetOf(mark);
    report(
      mark.node,
      lost === undefined
        ? `@${kind} takes a function that gives the target class, as in @${kind}(() => Order)`
        : `${property.shown} refers to ${lost}, which is not known: it is neither imported nor declared, or its module was not found`,
    );
    return undefined;
  }
  if (target.name === undefined) {
    report(mark.node, `${property.shown} refers to a class without a name`);
    return undefined;
  }
  // The type alias distinguishes a relation from a column, so that only preloaded rows have it.
  if (property.kind !== kind) {
    const expected = kind.charAt(0).toUpperCase() + kind.slice(1);
    report(
      property.node,
      `${property.shown} must have the type ${expected}<...>, as in: ${property.name}?: ${expected}<${target.name.text}>`,
    );
  }
  const library = libraryTarget(target, libraries);
  if (typeof library === 'string') {
    report(mark.node, `${property.shown} refers to ${target.name.text}, ${library}`);
    return undefined;
  }
  return {
    property: property.name,
    kind,
    target: target.name.text,
    targetFile: target.getSourceFile().fileName,
    targetExport: library?.name ?? facts.exportNameOf(target) ?? target.name.text,
    ...(library && { library: library.target }),
    options: optionsOf(mark, kind, report),
    place: placeOf(property.node),
  };
}

/** The target in a package; a text with the reason if it cannot be referred to. */
function libraryTarget(
  target: ts.ClassLikeDeclaration,
  libraries: LibraryReader,
): { readonly name: string; readonly target: LibraryTarget } | string | undefined {
  const file = target.getSourceFile();
  if (!file.isDeclarationFile) return undefined;
  const said = libraries.classOf(target);
  const generated = libraries.packageOf(file.fileName)?.generated;
  if (said?.columns === undefined)
    return `which is only there as ${file.fileName}, and its package does not say that it is a model: it needs "fw": { "models": "./dist/fw-models.json" } in its package.json, and a build`;
  if (said.export === undefined)
    return 'which its package does not export: none of the modules in "exports" of its package.json has it';
  if (generated === undefined)
    return 'whose package does not export what registers it: "exports" of its package.json needs "./generated": "./dist/generated/index.js"';
  return { name: said.export.name, target: { from: said.export.from, generated, columns: said.columns } };
}

function optionsOf(
  { args: [, given], node }: Mark,
  kind: RelationKind,
  report: Report,
): Record<string, RelationOption> {
  const options: Record<string, RelationOption> = {};
  if (given === undefined) return options;
  if (!isPlain(given)) report(node, `the options of @${kind} are an object: ${OPTIONS[kind].join(', ')}`);
  for (const [name, value] of Object.entries(isPlain(given) ? given : {})) {
    if (!OPTIONS[kind].includes(name))
      report(node, `@${kind} has no option "${name}"; its options: ${OPTIONS[kind].join(', ')}`);
    else if (isOption(value)) options[name] = value;
    else if (value !== undefined) report(node, `${name} of @${kind} is a string, a list of strings, true or false`);
  }
  return options;
}

function isOption(value: unknown): value is RelationOption {
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string');
  return typeof value === 'string' || typeof value === 'boolean' || isList;
}
