import type { Action } from '../engine/actions.js';
import type { Field } from '../engine/fields.js';
import { columnValue, requestSchema, responseSchema } from '../engine/field-text.js';
import { type Names, namesOf } from '../engine/names.js';

/** What a resource consists of. */
export interface Resource {
  readonly names: Names;
  readonly fields: readonly Field[];
  readonly path: string;
  readonly actions: readonly Action[];
}

/** Source of the route module of a resource. */
export function resourceText(resource: Resource): string {
  const { names, fields, actions } = resource;
  const writes = actions.includes('create') || actions.includes('update');
  const byId = actions.some((action) => action === 'get' || action === 'update' || action === 'delete');
  return `${imports(resource, writes, byId)}
${byId ? pathParams(names) : ''}${actions.includes('list') ? LIST_QUERY : ''}${actions.includes('create') ? bodySchema(`Create${names.pascal}Request`, fields) : ''}${updateSchema(resource)}const ${names.pascal}Response = Type.Object({
  id: Type.Integer(),
${fields.map((field) => `  ${field.property}: ${responseSchema(field)},\n`).join('')}});

${actions.includes('list') ? listResponse(names) : ''}/** Routes of ${names.pluralWords}. */
export default routes((router, services) => {
  const db = services.get(Database);
${byId ? finder(names) : ''}${sender(resource)}${writes ? checks(resource) : ''}${actions.map((action) => ROUTES[action](resource)).join('')}}, '${names.pluralKebab}');
`;
}

function imports({ names, fields }: Resource, writes: boolean, byId: boolean): string {
  const related = writes ? fields.filter(({ relation }) => relation) : [];
  const checked = writes ? fields.some(({ unique, relation }) => unique || relation) : false;
  const models = [...new Set([names.pascal, ...related.map(({ relation }) => relation?.model ?? '')])].sort();
  const throws = byId || checked;
  const typed = checked ? ['type Static'] : [];
  return [
    `import { ${[...(throws ? ['fwError'] : []), ...typed, 'Type'].join(', ')} } from 'fw';`,
    `import { routes } from 'fw/http';`,
    `import { Database, model${bigints(fields).length > 0 ? ', type Row' : ''} } from 'fw/orm';`,
    ...models
      .filter((model) => model !== names.pascal || usesColumns(names, fields, byId, writes))
      .map((model) => `import { ${namesOf(model).camel} } from '../../generated/${namesOf(model).kebab}.js';`),
    ...(throws ? [`import { APP_ERRORS } from '../errors.js';`] : []),
    ...models.map((model) => `import { ${model} } from '../models/${namesOf(model).kebab}.js';`),
    '',
  ].join('\n');
}

// A list is ordered by the key; a look-up compares it; uniqueness compares a column.
function usesColumns(_names: Names, _fields: readonly Field[], _byId: boolean, _writes: boolean): boolean {
  return true;
}

const LIST_QUERY = `const ListQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Rows per page' })),
  page: Type.Optional(Type.Integer({ minimum: 1, default: 1, description: 'Page, from 1' })),
});

`;

function pathParams({ pascal, words }: Names): string {
  return `const ${pascal}PathParams = Type.Object({ id: Type.Integer({ minimum: 1, description: 'Id of the ${words}' }) });

`;
}

function bodySchema(name: string, fields: readonly Field[]): string {
  return `const ${name} = Type.Object({
${fields.map((field) => `  ${field.property}: ${requestSchema(field)},\n`).join('')}});

`;
}

function updateSchema({ names, fields, actions }: Resource): string {
  if (!actions.includes('update')) return '';
  if (!actions.includes('create')) return bodySchema(`Update${names.pascal}Request`, fields);
  return `const Update${names.pascal}Request = Create${names.pascal}Request;

`;
}

function listResponse({ pascal, pluralCamel }: Names): string {
  return `const ${pascal}ListResponse = Type.Object({ ${pluralCamel}: Type.Array(${pascal}Response), total: Type.Integer() });

`;
}

function finder({ pascal, camel, words }: Names): string {
  return `
  async function find${pascal}(id: number) {
    const [row] = await model(db, ${pascal}).where(${camel}.id.eq(id)).limit(1).find();
    if (!row) throw fwError(APP_ERRORS.FW_APP_NOT_FOUND, { what: '${words}', id });
    return row;
  }
`;
}

const bigints = (fields: readonly Field[]): readonly Field[] => fields.filter(({ kind }) => kind === 'bigint');

// A bigint has no form of its own in JSON (ECMA-262, SerializeJSONProperty), so it is sent as text.
function sender({ names, fields, actions }: Resource): string {
  if (bigints(fields).length === 0 || actions.every((action) => action === 'delete')) return '';
  const members = bigints(fields).map(({ property, nullable }) =>
    nullable ? `${property}: row.${property}?.toString() ?? null` : `${property}: row.${property}.toString()`,
  );
  return `
  // JSON has no bigint: it is sent as text.
  const sent = (row: Row<${names.pascal}>) => ({ ...row, ${members.join(', ')} });
`;
}

// What the database would refuse with an error of its own is refused here with a sentence.
function checks({ names, fields, actions }: Resource): string {
  const checked = fields.filter(({ unique, relation }) => unique || relation);
  if (checked.length === 0) return '';
  const body = actions.includes('create') ? `Create${names.pascal}Request` : `Update${names.pascal}Request`;
  const lines = checked.map((field) => (field.relation ? referenceCheck(field) : uniqueCheck(names, field)));
  const needsId = checked.some(({ unique, relation }) => unique && !relation);
  return `
  async function check${names.pascal}(body: Static<typeof ${body}>${needsId ? ', id = 0' : ''}) {
${lines.join('')}  }
`;
}

function referenceCheck({ property, nullable, relation }: Field): string {
  const { pascal, camel, words } = namesOf(relation?.model ?? '');
  const value = nullable ? property : `body.${property}`;
  const guard = nullable
    ? `const { ${property} } = body;\n    if (${property} !== undefined && ${property} !== null && `
    : 'if (';
  return `    ${guard}!(await model(db, ${pascal}).where(${camel}.id.eq(${value})).exists())) {
      throw fwError(APP_ERRORS.FW_APP_REFERENCE, { field: '${property}', what: '${words}', id: ${value} });
    }
`;
}

function uniqueCheck({ pascal, camel }: Names, field: Field): string {
  const { property, nullable } = field;
  const written = columnValue(field, `body.${property}`);
  const query = (value: string) =>
    `await model(db, ${pascal}).where(${camel}.${property}.eq(${value})).limit(1).find()`;
  const refuse = (value: string) =>
    `throw fwError(APP_ERRORS.FW_APP_TAKEN, { field: '${property}', value: String(${value}) });`;
  if (!nullable) {
    const name = `same${property.charAt(0).toUpperCase()}${property.slice(1)}`;
    return `    const [${name}] = ${query(written)};
    if (${name} && ${name}.id !== id) ${refuse(`body.${property}`)}
`;
  }
  return `    if (body.${property} !== undefined && body.${property} !== null) {
      const [same] = ${query(written)};
      if (same && same.id !== id) ${refuse(`body.${property}`)}
    }
`;
}

type Writer = (resource: Resource) => string;

const ROUTES: Readonly<Record<Action, Writer>> = {
  list: ({ names, path, fields }) => `
  router.get(
    '${path}',
    { title: 'List ${names.pluralWords}', tags: ['${names.pluralWords}'], input: { query: ListQuery }, output: ${names.pascal}ListResponse },
    async function list${names.plural}(ctx) {
      const { limit = 20, page = 1 } = ctx.input.query;
      const [rows, total] = await Promise.all([
        model(db, ${names.pascal}).orderBy(${names.camel}.id.asc()).page(page, limit).find(),
        model(db, ${names.pascal}).count(),
      ]);
      return { ${names.pluralCamel}: ${bigints(fields).length > 0 ? 'rows.map(sent)' : 'rows'}, total };
    },
  );
`,
  get: ({ names, path, fields }) => `
  router.get(
    '${path}/:id',
    {
      title: 'Get ${names.words} by id',
      tags: ['${names.pluralWords}'],
      input: { params: ${names.pascal}PathParams },
      output: ${names.pascal}Response,
    },
    async function get${names.pascal}(ctx) {
      return ${bigints(fields).length > 0 ? `sent(await find${names.pascal}(ctx.input.params.id))` : `find${names.pascal}(ctx.input.params.id)`};
    },
  );
`,
  create: (resource) => `
  router.post(
    '${resource.path}',
    {
      title: 'Create ${resource.names.words}',
      tags: ['${resource.names.pluralWords}'],
      input: { body: Create${resource.names.pascal}Request },
      output: ${resource.names.pascal}Response,
      status: 201,
    },
    async function create${resource.names.pascal}(ctx) {
${checkCall(resource, false)}      return ${createText(resource)};
    },
  );
`,
  update: (resource) => `
  router.put(
    '${resource.path}/:id',
    {
      title: 'Update ${resource.names.words}',
      tags: ['${resource.names.pluralWords}'],
      input: { params: ${resource.names.pascal}PathParams, body: Update${resource.names.pascal}Request },
      output: ${resource.names.pascal}Response,
    },
    async function update${resource.names.pascal}(ctx) {
      const row = await find${resource.names.pascal}(ctx.input.params.id);
${checkCall(resource, true)}      await model(db, ${resource.names.pascal}).update(Object.assign(row, ${rowText(resource.fields)}));
      return ${bigints(resource.fields).length > 0 ? 'sent(row)' : 'row'};
    },
  );
`,
  delete: ({ names, path }) => `
  router.delete(
    '${path}/:id',
    {
      title: 'Delete ${names.words}',
      tags: ['${names.pluralWords}'],
      input: { params: ${names.pascal}PathParams },
      status: 204,
      outputDescription: '${names.words.charAt(0).toUpperCase()}${names.words.slice(1)} deleted',
    },
    async function delete${names.pascal}(ctx) {
      await model(db, ${names.pascal}).remove(await find${names.pascal}(ctx.input.params.id));
    },
  );
`,
};

function checkCall({ names, fields }: Resource, known: boolean): string {
  const unique = fields.some((field) => field.unique && !field.relation);
  if (!unique && !fields.some(({ relation }) => relation)) return '';
  return `      await check${names.pascal}(ctx.input.body${known && unique ? ', row.id' : ''});\n`;
}

function createText({ names, fields }: Resource): string {
  const created = `model(db, ${names.pascal}).create(${rowText(fields)})`;
  return bigints(fields).length > 0 ? `sent(await ${created})` : created;
}

// JSON has neither dates nor bigints: they come as text.
function rowText(fields: readonly Field[]): string {
  const texts = fields.filter(({ kind }) => kind === 'date' || kind === 'bigint');
  const nullables = fields.filter((field) => field.nullable && !texts.includes(field));
  if (texts.length === 0 && nullables.length === 0) return 'ctx.input.body';
  const members = [
    ...nullables.map(({ property }) => `${property}: ctx.input.body.${property} ?? null`),
    ...texts.map((field) => {
      const value = `ctx.input.body.${field.property}`;
      const read = columnValue(field, value);
      return `${field.property}: ${field.nullable ? `${value} ? ${read} : null` : read}`;
    }),
  ];
  return `{ ...ctx.input.body, ${members.join(', ')} }`;
}
