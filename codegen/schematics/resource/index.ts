import { tableNameOf } from '../../../plugins/orm/core/index.js';
import { actionsOf, pathOf } from '../engine/actions.js';
import { assertParses } from '../engine/canonical.js';
import type { GeneratorContext } from '../engine/context.js';
import { type Field, parseFields, withInferredRules } from '../engine/fields.js';
import { namesOf } from '../engine/names.js';
import { ownerOf, writeOwned } from '../engine/owned-file.js';
import { assertPlugin } from '../engine/project.js';
import { refreshRouteList } from '../engine/route-list.js';
import { booleanFlag, FORCE, PLURAL, type Schematic, type SchematicRequest, textFlag } from '../engine/schematic.js';
import { type ModelShape, shapeOfModel, USUAL_KEY, USUAL_TIMES, withRelatedKeys } from '../model/read-model.js';
import { assertTable, modelFile, placeOfModel, TIMESTAMPS, writeModel } from '../model/index.js';
import { type Resource, resourceText } from './resource-text.js';
import { resourceTestText } from './resource-test-text.js';

/** A resource: a model (unless it is there already), its documented CRUD routes, and their tests. */
export const resourceSchematic: Schematic = {
  kind: 'resource',
  summary: 'documented CRUD routes backed by a model, with tests; makes the model when it is not there',
  flags: [
    FORCE,
    PLURAL,
    textFlag('path', 'path of the collection; default /api/<plural>'),
    textFlag('methods', 'some of list,get,create,update,delete'),
    textFlag('table', 'table of a model that is made; default the plural in snake case'),
    TIMESTAMPS,
    booleanFlag('no-validate', 'infer no rules for fields without any'),
  ],
  takesFields: true,
  async run(request, context) {
    await assertPlugin(context, 'fw/orm', 'A resource', 'orm');
    const { names, on } = request;
    const force = on('force');
    const { fields, times, key } = await shapeFor(request, context);
    const resource: Resource = {
      names,
      fields,
      times,
      key,
      path: pathOf(request, `/api/${names.pluralKebab}`, 'resource'),
      // A row with only a key cannot be updated.
      actions: actionsOf(request, 'resource').filter(
        (action) => action !== 'update' || fields.some(({ property }) => property !== key.property),
      ),
    };
    await writeOwned(context, 'resource', `app/routes/${names.pluralKebab}.ts`, resourceText(resource), force);
    await writeTest(resource, context, force);
    await refreshRouteList(context, force);
    const hidden = fields.filter((field) => field.hidden).map(({ property }) => property);
    if (hidden.length > 0)
      context.log(
        `clients send ${hidden.join(', ')} and never get it back: set in the handler what they must not choose`,
      );
    context.log(`serves ${resource.actions.join(', ')} at ${resource.path}, documented`);
  },
};

async function shapeFor(request: SchematicRequest, context: GeneratorContext): Promise<ModelShape> {
  const { names, fields: given, text, on } = request;
  const present = await context.read(modelFile(names));
  const parsed = parseFields(given);
  if (present !== undefined && (given.length === 0 || ownerOf(present) !== 'model' || !on('force'))) {
    return shapeOfModel(names, modelFile(names), context, given);
  }
  const fields = on('no-validate') ? parsed : parsed.map((field, at) => withInferredRules(field, given[at] ?? ''));
  assertTable(text('table'), 'kind resource');
  const timestamps = on('timestamps');
  const table = text('table') || tableNameOf(text('plural') ? names.plural.replace(/s$/, '') : names.pascal);
  await writeModel({ names, fields, table, timestamps, force: on('force') }, context);
  const related = await withRelatedKeys(fields, placeOfModel, context);
  return { fields: related, times: timestamps ? USUAL_TIMES : [], key: USUAL_KEY };
}

async function writeTest(resource: Resource, context: GeneratorContext, force: boolean): Promise<void> {
  const file = `tests/${resource.names.pluralKebab}.test.ts`;
  // A relation to the model itself is nullable, so tests leave it out.
  const fields = resource.fields.filter(({ relation }) => relation?.model !== resource.names.pascal);
  const related = await relatedFields(fields, context);
  const text = resourceTestText({ ...resource, fields }, related);
  assertParses(file, text);
  await writeOwned(context, 'resource', file, text, force);
}

// The fields of related models, because a row needs its related rows first, and these may need others.
async function relatedFields(
  fields: readonly Field[],
  context: GeneratorContext,
): Promise<ReadonlyMap<string, ModelShape>> {
  const found = new Map<string, ModelShape>();
  const pending = [...fields];
  for (let field = pending.pop(); field; field = pending.pop()) {
    if (!field.relation || found.has(field.relation.model)) continue;
    const names = namesOf(field.relation.model);
    const text = await context.read(modelFile(names));
    const theirs =
      text === undefined
        ? { fields: [], times: [], key: USUAL_KEY }
        : await shapeOfModel(names, modelFile(names), context);
    found.set(names.pascal, theirs);
    pending.push(...theirs.fields);
  }
  return found;
}
