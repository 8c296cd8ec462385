import type { Field } from '../engine/fields.js';
import { columnValue, isReadFromText, sampleText } from '../engine/field-text.js';
import { entry, Identifiers, imported } from '../engine/identifiers.js';
import { namesOf } from '../engine/names.js';
import type { KeyField, ModelShape } from '../model/read-model.js';
import type { Resource } from './resource-text.js';

/** A resource with the identifiers of its generated file. */
interface Written extends Resource {
  readonly ids: Identifiers;
}

const OWN = [
  'BigInt', 'Database', 'Date', 'String', 'TestApp', '_key', '_left', 'afterAll', 'answer', 'app', 'before', 'beforeAll', 'body',
  'changed', 'count', 'describe', 'expect', 'model', 'newBody', 'part', 'rest', 'shown', 'startTestApp', 'stored', 'temporalFrom',
  'test', 'unique',
]; // prettier-ignore

/**
 * Source of the tests of a resource: each action once, over HTTP, on a database of its own.
 * @param related - every model that a row needs another row of
 */
export function resourceTestText(given: Resource, related: ReadonlyMap<string, ModelShape>): string {
  const { names, fields, path, actions } = given;
  const models = [...new Set([names.pascal, ...related.keys()])].sort();
  const ids = new Identifiers(OWN);
  const types = models.map((each) => imported(each, ids.model(each)));
  // The columns that a text is read for.
  const read = models.filter((each) => (each === names.pascal ? fields : (related.get(each)?.fields ?? [])).some(isTemporal)); // prettier-ignore
  const columned = [...new Set([names.pascal, ...read])].map((each) => ({
    ...namesOf(each),
    columns: ids.columns(each),
  }));
  const resource: Written = { ...given, ids };
  const body = `const body = ${hasRelation(fields) ? 'await ' : ''}newBody();`;
  const usesUnique = [...[...related.values()].map((each) => each.fields), fields].some((each) =>
    each.some(({ unique }) => unique),
  );
  const required = fields.find(({ required, kind }) => required && (kind === 'string' || kind === 'text'));
  // With a route that creates, tests make rows through it.
  const isStored = actions.some((action) => action !== 'create');
  const text = `let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());
${usesUnique ? UNIQUE : ''}
${bodyText(resource, related)}${isStored ? storedText(resource, body) : ''}
describe('${path}', () => {
${actions.map((action) => TESTS[action](resource, body)).join('\n')}${actions.includes('create') && required ? refusal(resource, required, body) : ''}});
`;
  const isUsed = (name: string) => new RegExp(`\\b${name}\\b`).test(text);
  const used = models.map((each, at) => (isUsed(`model\\(.*, ${ids.model(each)}`) ? modelImport(each, types[at]) : ''));
  return `import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
${isUsed('Database') ? `import { Database, model${isUsed('temporalFrom') ? ', temporalFrom' : ''} } from 'fw/orm';\n` : ''}${used.join('')}${columned
    .filter(({ columns }) => isUsed(`${columns}\\.\\w+`))
    .map(({ camel, kebab, columns }) => `import { ${imported(camel, columns)} } from '../generated/${kebab}.js';\n`)
    .join('')}import { startTestApp, type TestApp } from './test-app.js';

${text}`;
}

const isTemporal = ({ kind }: Field): boolean => kind === 'temporal';

const modelImport = (model: string, name: string | undefined): string =>
  `import { ${name} } from '../app/models/${namesOf(model).kebab}.js';\n`;

function storedText(resource: Written, body: string): string {
  const { names, ids } = resource;
  return `
async function stored() {
  ${body}
  return model(app.services.get(Database), ${ids.model(names.pascal)}).create(${storedRow(resource)});
}
`;
}

const UNIQUE = `
let count = 0;
const unique = () => (count += 1);
`;

function bodyText({ fields, ids }: Written, related: ReadonlyMap<string, ModelShape>): string {
  const creations = [...new Set(fields.flatMap(({ relation }) => relation ?? []))];
  const rows = creations
    .map(({ property, model }) => `  const ${ids.row(property)} = await ${ids.maker(model)}();\n`)
    .join('');
  const members = fields
    .filter(needed)
    .map((field) => `    ${field.property}: ${valueOf(field, ids)},\n`)
    .join('');
  const makers = [...related.entries()]
    .reverse()
    .map(([model, theirs]) => makerText(model, theirs.fields, ids))
    .join('\n');
  return `${makers}${makers === '' ? '' : '\n'}${hasRelation(fields) ? 'async ' : ''}function newBody() {
${rows}  return {
${members}  };
}
`;
}

const hasRelation = (fields: readonly Field[]): boolean => fields.some(({ relation }) => relation !== undefined);

const needed = ({ nullable, relation }: Field): boolean => !nullable || relation !== undefined;
// JSON has no bigint: a request has the value as text.
function valueOf(field: Field, ids: Identifiers): string {
  if (!field.relation) return sampleText(field, 1);
  const value = `${ids.row(field.relation.property)}.${field.relation.key ?? 'id'}`;
  return field.kind === 'bigint' ? `String(${value})` : value;
}

function makerText(model: string, fields: readonly Field[], ids: Identifiers): string {
  const rows = fields.flatMap(({ relation }) =>
    relation && relation.model !== model
      ? [`  const ${ids.row(relation.property)} = await ${ids.maker(relation.model)}();\n`]
      : [],
  );
  const members = fields
    .filter((field) => needed(field) && field.relation?.model !== model)
    .map((field) => `\n    ${field.property}: ${columnValue(field, valueOf(field, ids), { ids, model })},`);
  return `async function ${ids.maker(model)}() {
${rows.join('')}  return model(app.services.get(Database), ${ids.model(model)}).create({${members.join('')}${members.length > 0 ? '\n  ' : ''}});
}
`;
}

function storedRow({ names, fields, ids }: Written): string {
  const texts = fields.filter((field) => (isReadFromText(field) || field.isNominal) && needed(field));
  if (texts.length === 0) return 'body';
  const members = texts.map(
    (field) =>
      `    ${field.property}: ${columnValue(field, `body.${field.property}`, { ids, model: names.pascal })},\n`,
  );
  return `{\n    ...body,\n${members.join('')}  }`;
}

type Writer = (resource: Written, body: string) => string;

/** The key in a response. */
const shownKey = ({ property, kind }: KeyField, value: string): string =>
  entry(property, kind === 'bigint' ? `String(${value})` : value);

/** A key that no row has. */
const absentKey = ({ kind }: KeyField): string => (kind === 'uuid' ? '00000000-0000-4000-8000-0000000fffff' : '999999');

const storedKey = ({ key: { property }, ids }: Written): string => {
  const value = ids.value(property);
  return `const { ${entry(property, value)} } = await stored();`;
};

/** Path of one row, as a template literal. */
const pathOfRow = ({ path, key, ids }: Written): string => `\`${path}/\${${ids.value(key.property)}}\``;

const TESTS: Readonly<Record<Resource['actions'][number], Writer>> = {
  list: (resource) => {
    const { names, path, key, ids } = resource;
    return `  test('lists ${names.pluralWords}', async () => {
    ${storedKey(resource)}
    const answer = await app.call('GET', '${path}?limit=100');
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ ${names.pluralCamel}: expect.arrayContaining([expect.objectContaining({ ${shownKey(key, ids.value(key.property))} })]) });
  });
`;
  },
  get: (resource) => {
    const { names, path, key, ids } = resource;
    return `  test('answers one ${names.words}, and 404 where there is none', async () => {
    ${storedKey(resource)}
    expect(await app.call('GET', ${pathOfRow(resource)})).toMatchObject({ status: 200, body: { ${shownKey(key, ids.value(key.property))} } });
    expect(await app.call('GET', '${path}/${absentKey(key)}')).toMatchObject({ status: 404 });
  });
`;
  },
  create: ({ names, path, fields, ids }, body) => `  test('creates ${names.one}', async () => {
    ${body}
    ${shownText('body', fields, ids)}expect(await app.call('POST', '${path}', body)).toMatchObject({ status: 201, body${shownName(fields)} });
  });
`,
  update: (resource, body) => {
    const { names, fields, key, ids } = resource;
    const row = pathOfRow(resource);
    return `  test('updates ${names.one}', async () => {
    ${storedKey(resource)}
    ${changedText(body, fields, key)}
    ${shownText('changed', fields, ids)}expect(await app.call('PUT', ${row}, changed)).toMatchObject({
      status: 200,
      body: { ${shownKey(key, ids.value(key.property))}, ...${hasHidden(fields) ? 'shown' : 'changed'} },
    });
  });

  test('changes some of ${names.one}, and leaves the rest', async () => {
    ${storedKey(resource)}
    ${changeTest(resource, row)}
  });
`;
  },
  delete: (resource) => {
    const { names, key, ids } = resource;
    const found = `${ids.columns(names.pascal)}.${key.property}.eq(${ids.value(key.property)})`;
    return `  test('deletes ${names.one}', async () => {
    ${storedKey(resource)}
    expect(await app.call('DELETE', ${pathOfRow(resource)})).toMatchObject({ status: 204 });
    expect(await model(app.services.get(Database), ${ids.model(names.pascal)}).where(${found}).exists()).toBe(false);
  });
`;
  },
};

// Without a route that gets a single row, an update without changes returns it.
const touchedText = (times: Written['times']): string =>
  times.flatMap(({ property, isTouched }) => (isTouched ? `, ${property}: expect.any(String)` : [])).join('');

function changeTest({ fields, times, key, actions }: Written, row: string): string {
  const part = `const part = { ${changedMember(fields, key)} };`;
  const expected = `{
      status: 200,
      body: { ...(before.body as object), ...part${touchedText(times)} },
    }`;
  if (!actions.includes('get')) {
    return `const before = await app.call('PATCH', ${row}, {});
    ${part}
    expect(await app.call('PATCH', ${row}, part)).toEqual(${expected});`;
  }
  return `const before = await app.call('GET', ${row});
    ${part}
    expect(await app.call('PATCH', ${row}, part)).toMatchObject({ status: 200 });
    expect(await app.call('GET', ${row})).toEqual(${expected});`;
}

// An update does not change a key that the client chose.
function changedText(body: string, fields: readonly Field[], key: KeyField): string {
  const value = body.replace('const body = ', '').replace(/;$/, '');
  const isGiven = fields.some(({ property }) => property === key.property);
  const spread = value.startsWith('await ') ? `(${value})` : value;
  if (!isGiven) return `const changed = { ...${spread}${changeText(fields, key)} };`;
  return `const { ${key.property}: _key, ...rest } = ${value};\n    const changed = { ...rest${changeText(fields, key)} };`;
}

function changeText(fields: readonly Field[], key: KeyField): string {
  const member = changedMember(fields, key);
  return member === '' ? '' : `, ${member}`;
}

function changedMember(fields: readonly Field[], key: KeyField): string {
  const field = fields.find(
    ({ property, relation, nullable, unique, hidden }) =>
      property !== key.property && !relation && !nullable && !unique && !hidden,
  );
  return field ? `${field.property}: ${sampleText(field, 2)}` : '';
}

const hasHidden = (fields: readonly Field[]): boolean => fields.some((field) => field.hidden && needed(field));

// Responses do not contain private fields.
function shownText(value: string, fields: readonly Field[], ids: Identifiers): string {
  if (!hasHidden(fields)) return '';
  const left = fields.filter((field) => field.hidden && needed(field));
  return `const { ${left.map(({ property }) => `${property}: ${ids.unused(property)}`).join(', ')}, ...shown } = ${value};\n    `;
}

const shownName = (fields: readonly Field[]): string => (hasHidden(fields) ? ': shown' : '');

function refusal({ path }: Resource, { property }: Field, body: string): string {
  return `
  test('refuses a body without ${property}', async () => {
    ${body}
    const { ${property}: _left, ...rest } = body;
    expect(await app.call('POST', '${path}', rest)).toMatchObject({ status: 422 });
  });
`;
}
