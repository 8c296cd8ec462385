import type { Action } from '../engine/actions.js';
import { type Field, plainField } from '../engine/fields.js';
import {
  changedValue,
  columnValue,
  type FieldPlace,
  isReadFromText,
  MAX_ID,
  requestSchema,
  responseSchema,
} from '../engine/field-text.js';
import { entry, Identifiers, imported } from '../engine/identifiers.js';
import { laidOutMember } from '../engine/lay-out.js';
import { type Names, namesOf } from '../engine/names.js';
import type { KeyField, TimeField } from '../model/read-model.js';

/** Parts of a resource. */
export interface Resource {
  readonly names: Names;
  readonly fields: readonly Field[];
  /** Timestamps, which responses have besides the fields. */
  readonly times: readonly TimeField[];
  readonly key: KeyField;
  readonly path: string;
  readonly actions: readonly Action[];
}

/** A resource with the identifiers of its generated file. */
interface Written extends Resource {
  readonly ids: Identifiers;
}

const OWN = [
  'APP_ERRORS', 'BigInt', 'Database', 'Date', 'ListQuery', 'Promise', 'Row', 'Static', 'String', 'Type', 'body', 'ctx', 'db', 'fwError',
  'limit', 'model', 'page', 'router', 'routes', 'row', 'rows', 'same', 'sent', 'services', 'temporalFrom',
  'total', 'wanted',
]; // prettier-ignore

const ownOf = ({ pascal, plural }: Names): readonly string[] => [
  ...['find', 'write', 'check', 'get', 'create', 'update', 'change', 'delete'].map((verb) => `${verb}${pascal}`),
  ...['Create', 'Update', 'Change'].map((verb) => `${verb}${pascal}Request`),
  ...['PathParams', 'Response', 'ListResponse'].map((what) => `${pascal}${what}`),
  `list${plural}`,
];

/** Source of the route module of a resource. */
export function resourceText(given: Resource): string {
  const { names, actions } = given;
  const resource: Written = { ...given, ids: new Identifiers([...OWN, ...ownOf(names)]) };
  const models = modelsOf(resource);
  // Classes and columns get their names first, because the key may have the name of one of them.
  const imports = models.map((model) => ({
    model,
    columns: resource.ids.columns(model),
    type: resource.ids.model(model),
  }));
  const body = `${schemas(resource)}/** Routes of ${names.pluralWords}. */
export default routes((router, services) => {
  const db = services.get(Database);
${isById(resource) ? finder(resource) : ''}${sender(resource)}${isWriting(resource) ? checks(resource) : ''}${actions.includes('update') ? changer(resource) : ''}${actions.map((action) => ROUTES[action](resource)).join('')}}, '${names.pluralKebab}');
`;
  return `${importsText(body, imports)}
${body}`;
}

const isWriting = ({ actions }: Resource): boolean => actions.includes('create') || actions.includes('update');
const isById = ({ actions }: Resource): boolean =>
  actions.some((action) => action === 'get' || action === 'update' || action === 'delete');
const isAnswering = ({ actions }: Resource): boolean => actions.some((action) => action !== 'delete');

function schemas(resource: Resource): string {
  const { names, actions } = resource;
  return [
    isById(resource) ? pathParams(resource) : '',
    actions.includes('list') ? LIST_QUERY : '',
    actions.includes('create') ? bodySchema(`Create${names.pascal}Request`, resource) : '',
    updateSchema(resource),
    isAnswering(resource) ? responseText(resource) : '',
    actions.includes('list') ? listResponse(names) : '',
  ].join('');
}

function responseText(resource: Resource): string {
  const { names, fields, times, key } = resource;
  const shown = [...(givenKey(resource) ? [] : [keyField(key)]), ...fields, ...times];
  const members = shown.filter(({ hidden }) => !hidden).map((field) => memberLine(field, responseSchema(field)));
  return `const ${names.pascal}Response = Type.Object({
${members.join('')}});

`;
}

function modelsOf(resource: Resource): readonly string[] {
  const related = isWriting(resource) ? resource.fields.flatMap(({ relation }) => relation?.model ?? []) : [];
  return [...new Set([resource.names.pascal, ...related])].sort();
}

interface ModelImport {
  readonly model: string;
  readonly columns: string;
  readonly type: string;
}

function importsText(body: string, models: readonly ModelImport[]): string {
  const from = (names: readonly string[], module: string) => `import { ${names.join(', ')} } from '${module}';`;
  const throws = body.includes('APP_ERRORS.');
  return [
    from([...(throws ? ['fwError'] : []), ...(body.includes('Static<') ? ['type Static'] : []), 'Type'], 'fw'),
    from(['routes'], 'fw/http'),
    from(
      [
        ...['Database', 'model'],
        ...(body.includes(': Row<') ? ['type Row'] : []),
        ...(body.includes('temporalFrom(') ? ['temporalFrom'] : []),
      ],
      'fw/orm',
    ),
    ...models
      .filter(({ columns }) => new RegExp(`\\b${columns}\\.`).test(body))
      .map(({ model, columns }) => {
        const { camel, kebab } = namesOf(model);
        return from([imported(camel, columns)], `../../generated/${kebab}.js`);
      }),
    ...(throws ? [from(['APP_ERRORS'], '../errors.js')] : []),
    ...models.map(({ model, type }) => from([imported(model, type)], `../models/${namesOf(model).kebab}.js`)),
    '',
  ].join('\n');
}

const LIST_QUERY = `const ListQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Rows per page' })),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'Page, from 1' })),
});

`;

/** The key as a field like others. */
const keyField = ({ property, column, kind, isNominal }: KeyField): Field => ({
  ...plainField(property, column, kind),
  isNominal,
});

/** The field of a key that clients name themselves. */
const givenKey = ({ fields, key }: Resource): Field | undefined =>
  fields.find(({ property }) => property === key.property);

/** Fields that an update may change, without a key that the client chose. */
const changeable = ({ fields, key }: Resource): readonly Field[] =>
  fields.filter(({ property }) => property !== key.property);

// A path parameter is text; the schema converts it to a number.
function keySchema({ kind }: KeyField, description: string): string {
  if (kind === 'int') return `Type.Integer({ minimum: 1, maximum: ${MAX_ID}, description: '${description}' })`;
  if (kind === 'uuid') return `Type.String({ format: 'uuid', description: '${description}' })`;
  if (kind === 'bigint') return `Type.String({ pattern: '^-?\\\\d{1,18}$', description: '${description}' })`;
  return `Type.String({ minLength: 1, description: '${description}' })`;
}

/** The type of a key in a row, and the expression that converts a path parameter to it. */
function keyType({ key: { kind, property, isNominal }, names, ids }: Written): string {
  if (isNominal) return `${ids.model(names.pascal)}['${property}']`;
  return kind === 'int' ? 'number' : kind === 'bigint' ? 'bigint' : 'string';
}
const keyFromPath = ({ key, names, ids }: Written): string =>
  columnValue(keyField(key), `ctx.input.params.${key.property}`, { ids, model: names.pascal });

function pathParams({ names: { pascal, words }, key }: Resource): string {
  const description = `${key.property === 'id' ? 'Id' : 'Key'} of the ${words}`;
  return `const ${pascal}PathParams = Type.Object({
  ${key.property}: ${keySchema(key, description)},
});

`;
}

const memberLine = ({ property }: Field, schema: string): string => `  ${laidOutMember(property, schema, '  ')},\n`;

function bodySchema(name: string, { fields, key }: Resource): string {
  const members = fields.map((field) => {
    const schema = requestSchema(field.property === key.property ? findable(field) : field);
    return memberLine(field, schema);
  });
  return `const ${name} = Type.Object({
${members.join('')}});

`;
}

// Restricts a key to texts that a path can contain, because otherwise its row could not be found.
function findable(key: Field): Field {
  if (key.kind === 'int') return { ...key, min: key.min ?? 1, max: key.max ?? Number(MAX_ID.replaceAll('_', '')) };
  return { ...key, required: true };
}

// An update requires no hidden fields, which a client never gets, and does not change a key that the client chose.
function updateSchema(resource: Resource): string {
  const { names, fields, actions } = resource;
  if (!actions.includes('update')) return '';
  const whole = `Update${names.pascal}Request`;
  const changed = changeable(resource);
  const isNeeded = fields.some(({ hidden, nullable }) => hidden && !nullable);
  const isSame = actions.includes('create') && changed.length === fields.length && !isNeeded;
  const members = changed.map((field) => {
    const schema = requestSchema(field);
    const optional = field.hidden && !schema.startsWith('Type.Optional') ? `Type.Optional(${schema})` : schema;
    return memberLine(field, optional);
  });
  return `${isSame ? `const ${whole} = Create${names.pascal}Request;` : `const ${whole} = Type.Object({\n${members.join('')}});`}

const Change${names.pascal}Request = Type.Partial(${whole});

`;
}

function listResponse({ pascal, pluralCamel }: Names): string {
  return `const ${pascal}ListResponse = Type.Object({ ${pluralCamel}: Type.Array(${pascal}Response), total: Type.Integer() });

`;
}

function finder(resource: Written): string {
  const {
    names: { pascal, words },
    key,
    ids,
  } = resource;
  const value = ids.value(key.property);
  const shown = key.kind === 'bigint' ? `String(${value})` : value;
  return `
  async function find${pascal}(${value}: ${keyType(resource)}) {
    const [row] = await model(db, ${ids.model(pascal)}).where(${ids.columns(pascal)}.${key.property}.eq(${value})).limit(1).find();
    if (!row) throw fwError(APP_ERRORS.FW_APP_NOT_FOUND, { what: '${words}', ${entry('id', shown)} });
    return row;
  }
`;
}

/** Fields that responses contain as text; hidden ones are in no response. */
const bigintsOf = (resource: Resource): readonly Field[] => {
  const { fields, key } = resource;
  const all = givenKey(resource) ? fields : [keyField(key), ...fields];
  return all.filter(({ kind, hidden }) => kind === 'bigint' && !hidden);
};

// A bigint has no form of its own in JSON (ECMA-262, SerializeJSONProperty), so it is sent as text.
function sender(resource: Written): string {
  const { names, actions, ids } = resource;
  if (bigintsOf(resource).length === 0 || actions.every((action) => action === 'delete')) return '';
  const members = bigintsOf(resource).map(({ property, nullable }) =>
    nullable ? `${property}: row.${property}?.toString() ?? null` : `${property}: row.${property}.toString()`,
  );
  return `
  // JSON has no bigint: it is sent as text.
  const sent = (row: Row<${ids.model(names.pascal)}>) => ({
    ...row,
${members.map((each) => `    ${each},\n`).join('')}  });
`;
}

// Checks that the database would only answer with an error, such as unique values and related rows.
function checks(resource: Written): string {
  const { names, actions, key, ids } = resource;
  const checked = changeable(resource).filter(({ unique, relation }) => unique || relation);
  if (checked.length === 0) return '';
  const body = actions.includes('update') ? `Change${names.pascal}Request` : `Create${names.pascal}Request`;
  const lines = checked.map((field) => {
    // In an update every member is optional.
    const given = { ...field, optional: actions.includes('update') };
    return field.relation ? referenceCheck(resource, given) : uniqueCheck(resource, given);
  });
  const needsKey = checked.some(({ unique, relation }) => unique && !relation);
  return `
  async function check${names.pascal}(body: Static<typeof ${body}>${needsKey ? `, ${ids.value(key.property)}?: ${keyType(resource)}` : ''}) {
${lines.join('')}  }
`;
}

type Checked = Field & { readonly optional: boolean };

function guardOf({ property, nullable, optional }: Checked): string {
  const conditions = [
    ...(nullable || optional ? [`body.${property} !== undefined`] : []),
    ...(nullable ? [`body.${property} !== null`] : []),
  ];
  return conditions.join(' && ');
}

function referenceCheck({ names, ids }: Written, field: Checked): string {
  const { property, relation } = field;
  const { pascal, words } = namesOf(relation?.model ?? '');
  const value = `body.${property}`;
  const guard = guardOf(field);
  return `    if (${guard === '' ? '' : `${guard} && `}!(await model(db, ${ids.model(pascal)}).where(${ids.columns(pascal)}.${relation?.key ?? 'id'}.eq(${columnValue(field, value, { ids, model: names.pascal })})).exists())) {
      throw fwError(APP_ERRORS.FW_APP_REFERENCE, { field: '${property}', what: '${words}', id: ${value} });
    }
`;
}

function uniqueCheck({ names: { pascal }, key, ids }: Written, field: Checked): string {
  const { property, hidden } = field;
  const read = columnValue(field, `body.${property}`, { ids, model: pascal });
  // A chain of calls in which a value is converted would not stay on one line.
  const [line, written] = isReadFromText(field) ? [`      const wanted = ${read};\n`, 'wanted'] : ['', read];
  const value = hidden ? `'that was sent'` : `body.${property}`;
  const guard = guardOf(field);
  return `    ${guard === '' ? '' : `if (${guard}) `}{
${line}      const [same] = await model(db, ${ids.model(pascal)}).where(${ids.columns(pascal)}.${property}.eq(${written})).limit(1).find();
      if (same && same.${key.property} !== ${ids.value(key.property)}) {
        throw fwError(APP_ERRORS.FW_APP_TAKEN, { field: '${property}', value: ${value} });
      }
    }
`;
}

// Columns are listed one by one, so that a new member of the body does not become a column by itself.
function changer(resource: Written): string {
  const { names, key, ids } = resource;
  const value = ids.value(key.property);
  const members = changeable(resource).map((field) =>
    member(field.property, changedValue(field, 'body', { ids, model: names.pascal })),
  );
  const row = `find${names.pascal}(${value})`;
  const check = checkCall(resource, value);
  return `
  // Writes what the body names and nothing else, so that what others change meanwhile stays.
  async function write${names.pascal}(${value}: ${keyType(resource)}, body: Static<typeof Change${names.pascal}Request>) {
    await ${row};
${check === '' ? '' : `    ${check}\n`}    await model(db, ${ids.model(names.pascal)}).update({
      ${[entry(key.property, value), ...members].join(',\n      ')},
    });
    return ${bigintsOf(resource).length > 0 ? `sent(await ${row})` : row};
  }
`;
}

const member = (property: string, value: string): string => `${property}: ${value}`;

type Writer = (resource: Written) => string;

const ROUTES: Readonly<Record<Action, Writer>> = {
  list: (resource) => `
  router.get(
    '${resource.path}',
    {
      title: 'List ${resource.names.pluralWords}',
      tags: ['${resource.names.pluralWords}'],
      input: { query: ListQuery },
      output: ${resource.names.pascal}ListResponse,
    },
    async function list${resource.names.plural}(ctx) {
      const { limit = 20, page = 1 } = ctx.input.query;
      const [rows, total] = await Promise.all([
        model(db, ${resource.ids.model(resource.names.pascal)}).orderBy(${resource.ids.columns(resource.names.pascal)}.${resource.key.property}.asc()).page(page, limit).find(),
        model(db, ${resource.ids.model(resource.names.pascal)}).count(),
      ]);
      return { ${resource.names.pluralCamel}: ${bigintsOf(resource).length > 0 ? 'rows.map(sent)' : 'rows'}, total };
    },
  );
`,
  get: (resource) => `
  router.get(
    '${resource.path}/:${resource.key.property}',
    {
      title: 'Get ${resource.names.words} by ${resource.key.property}',
      tags: ['${resource.names.pluralWords}'],
      input: { params: ${resource.names.pascal}PathParams },
      output: ${resource.names.pascal}Response,
    },
    async function get${resource.names.pascal}(ctx) {
      return ${bigintsOf(resource).length > 0 ? `sent(await find${resource.names.pascal}(${keyFromPath(resource)}))` : `find${resource.names.pascal}(${keyFromPath(resource)})`};
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
${createLines(resource)
  .map((line) => `      ${line}\n`)
  .join('')}      ${createText(resource)}
    },
  );
`,
  update: (resource) => `${changeRoute(resource, 'put', 'Update')}${changeRoute(resource, 'patch', 'Change')}`,
  delete: (resource) => `
  router.delete(
    '${resource.path}/:${resource.key.property}',
    {
      title: 'Delete ${resource.names.words}',
      tags: ['${resource.names.pluralWords}'],
      input: { params: ${resource.names.pascal}PathParams },
      status: 204,
      outputDescription: '${resource.names.words.charAt(0).toUpperCase()}${resource.names.words.slice(1)} deleted',
    },
    async function delete${resource.names.pascal}(ctx) {
      await model(db, ${resource.ids.model(resource.names.pascal)}).remove(await find${resource.names.pascal}(${keyFromPath(resource)}));
    },
  );
`,
};

function changeRoute(resource: Written, method: string, verb: string): string {
  const { names, path, key } = resource;
  const { pascal, words, pluralWords } = names;
  return `
  router.${method}(
    '${path}/:${key.property}',
    {
      title: '${verb} ${words}',
      tags: ['${pluralWords}'],
      input: { params: ${pascal}PathParams, body: ${verb}${pascal}Request },
      output: ${pascal}Response,
    },
    async function ${verb.toLowerCase()}${pascal}(ctx) {
      return write${pascal}(${keyFromPath(resource)}, ctx.input.body);
    },
  );
`;
}

/** The call of the function that {@link checks} writes, if any; `key` is the key of the changed row. */
function checkCall(resource: Resource, key?: string): string {
  const fields = changeable(resource);
  const unique = fields.some((field) => field.unique && !field.relation);
  if (!unique && !fields.some(({ relation }) => relation)) return '';
  return `await check${resource.names.pascal}(body${key !== undefined && unique ? `, ${key}` : ''});`;
}

function createLines(resource: Written): readonly string[] {
  const given = resource.fields.length > 0 ? 'const { body } = ctx.input;' : '';
  return [given, ownKeyCheck(resource), checkCall(resource)].filter((line) => line !== '');
}

// If clients choose keys, two may choose the same.
function ownKeyCheck(resource: Written): string {
  const {
    names: { pascal },
    ids,
  } = resource;
  const field = givenKey(resource);
  if (!field) return '';
  const { property } = field;
  const given = `body.${property}`;
  return `if (await model(db, ${ids.model(pascal)}).where(${ids.columns(pascal)}.${property}.eq(${columnValue(field, given, { ids, model: pascal })})).exists()) {
        throw fwError(APP_ERRORS.FW_APP_TAKEN, { field: '${property}', value: ${given} });
      }`;
}

function createText(resource: Written): string {
  const { names, fields, ids } = resource;
  const members = fields.map((field) => `\n        ${createdMember(field, { ids, model: names.pascal })},`).join('');
  const created = `model(db, ${ids.model(names.pascal)}).create({${members}${members === '' ? '' : '\n      '}})`;
  return bigintsOf(resource).length > 0
    ? `const row = await ${created};\n      return sent(row);`
    : `return ${created};`;
}

// JSON has neither times nor bigints: they come as text.
function createdMember(field: Field, place: FieldPlace): string {
  const value = `body.${field.property}`;
  const read = columnValue(field, value, place);
  if (!field.nullable) return member(field.property, read);
  return member(field.property, isReadFromText(field) ? `${value} ? ${read} : null` : `${read} ?? null`);
}
