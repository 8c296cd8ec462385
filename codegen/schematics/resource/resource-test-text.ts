import type { Field } from '../engine/fields.js';
import { columnValue, sampleText } from '../engine/field-text.js';
import { namesOf } from '../engine/names.js';
import type { Resource } from './resource-text.js';

/**
 * Source of the tests of a resource: each action once, over HTTP, on a database in memory.
 * @param related - fields of every model that a row needs another row of
 */
export function resourceTestText(resource: Resource, related: ReadonlyMap<string, readonly Field[]>): string {
  const { names, fields, path, actions } = resource;
  const body = fields.some(({ unique, relation }) => unique || relation)
    ? 'const body = await newBody(app);'
    : 'const body = newBody();';
  const usesUnique = [...related.values(), fields].some((each) => each.some(({ unique }) => unique));
  const required = fields.find(({ required, kind }) => required && (kind === 'string' || kind === 'text'));
  return `import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Database, model } from 'fw/orm';
${[...new Set([names.pascal, ...related.keys()])]
  .sort()
  .map((each) => `import { ${each} } from '../app/models/${namesOf(each).kebab}.js';\n`)
  .join(
    '',
  )}${actions.includes('delete') ? `import { ${names.camel} } from '../generated/${names.kebab}.js';\n` : ''}import { startTestApp, type TestApp } from './test-app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());
${usesUnique ? UNIQUE : ''}
${bodyText(resource, related)}
async function stored() {
  ${body}
  return model(app.services.get(Database), ${names.pascal}).create(${storedRow(fields)});
}

describe('${path}', () => {
${actions.map((action) => TESTS[action](resource, body)).join('\n')}${actions.includes('create') && required ? refusal(resource, required, body) : ''}});
`;
}

const UNIQUE = `
let count = 0;
const unique = () => (count += 1);
`;

function bodyText({ fields }: Resource, related: ReadonlyMap<string, readonly Field[]>): string {
  const needsApp = fields.some(({ unique, relation }) => unique || relation);
  const creations = [...new Set(fields.flatMap(({ relation }) => relation ?? []))];
  const rows = creations.map(({ property, model }) => `  const ${property} = await new${model}(app);\n`).join('');
  const members = fields
    .filter(needed)
    .map((field) => `    ${field.property}: ${valueOf(field)},\n`)
    .join('');
  const makers = [...related.entries()]
    .reverse()
    .map(([model, theirs]) => makerText(model, theirs))
    .join('\n');
  const head = needsApp ? `async function newBody(${rows === '' ? '_app' : 'app'}: TestApp)` : 'function newBody()';
  return `${makers}${makers === '' ? '' : '\n'}${head} {
${rows}  return {
${members}  };
}
`;
}

const needed = ({ nullable, relation }: Field): boolean => !nullable || relation !== undefined;
const valueOf = (field: Field): string => (field.relation ? `${field.relation.property}.id` : sampleText(field, 1));

function makerText(model: string, fields: readonly Field[]): string {
  const rows = fields.flatMap(({ relation }) =>
    relation && relation.model !== model ? [`  const ${relation.property} = await new${relation.model}(app);\n`] : [],
  );
  const members = fields
    .filter((field) => needed(field) && field.relation?.model !== model)
    .map((field) => `${field.property}: ${columnValue(field, valueOf(field))}`);
  return `async function new${model}(app: TestApp) {
${rows.join('')}  return model(app.services.get(Database), ${model}).create({ ${members.join(', ')} });
}
`;
}

function storedRow(fields: readonly Field[]): string {
  const texts = fields.filter(({ kind, nullable }) => (kind === 'date' || kind === 'bigint') && !nullable);
  if (texts.length === 0) return 'body';
  return `{ ...body, ${texts.map((field) => `${field.property}: ${columnValue(field, `body.${field.property}`)}`).join(', ')} }`;
}

type Writer = (resource: Resource, body: string) => string;

const TESTS: Readonly<Record<Resource['actions'][number], Writer>> = {
  list: ({ names, path }) => `  test('lists ${names.pluralWords}', async () => {
    const { id } = await stored();
    const answer = await app.call('GET', '${path}?limit=100');
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ ${names.pluralCamel}: expect.arrayContaining([expect.objectContaining({ id })]) });
  });
`,
  get: ({ names, path }) => `  test('answers one ${names.words}, and 404 where there is none', async () => {
    const { id } = await stored();
    expect(await app.call('GET', \`${path}/\${id}\`)).toMatchObject({ status: 200, body: { id } });
    expect(await app.call('GET', '${path}/999999')).toMatchObject({ status: 404 });
  });
`,
  create: ({ names, path }, body) => `  test('creates ${names.one}', async () => {
    ${body}
    expect(await app.call('POST', '${path}', body)).toMatchObject({ status: 201, body });
  });
`,
  update: ({ names, path, fields }, body) => `  test('updates ${names.one}', async () => {
    const { id } = await stored();
    ${body.replace('const body = ', 'const changed = { ...(').replace(/;$/, `)${changeText(fields)} };`)}
    expect(await app.call('PUT', \`${path}/\${id}\`, changed)).toMatchObject({ status: 200, body: { id, ...changed } });
  });
`,
  delete: ({ names, path }) => `  test('deletes ${names.one}', async () => {
    const { id } = await stored();
    expect(await app.call('DELETE', \`${path}/\${id}\`)).toMatchObject({ status: 204 });
    expect(await model(app.services.get(Database), ${names.pascal}).where(${names.camel}.id.eq(id)).exists()).toBe(false);
  });
`,
};

function changeText(fields: readonly Field[]): string {
  const field = fields.find(({ relation, nullable, unique }) => !relation && !nullable && !unique);
  return field ? `, ${field.property}: ${sampleText(field, 2)}` : '';
}

function refusal({ path }: Resource, { property }: Field, body: string): string {
  return `
  test('refuses a body without ${property}', async () => {
    ${body}
    const { ${property}: _left, ...rest } = body;
    expect(await app.call('POST', '${path}', rest)).toMatchObject({ status: 422 });
  });
`;
}
