import { describe, expect, test } from '@jest/globals';
import { mkdir, readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format, type Options } from 'prettier';
import { builtInDialects, type DialectFacts, defaultDialect, driverPackage } from '../../plugins/orm/registry/index.js';
import { addFeature, applyToProject, blocksOf, contextInMemory, generate, projectRoot, writeProject } from './index.js';
import { withBanner } from '../engine/banner.js';
import { replaceBlock } from './engine/blocks.js';
import { ConfigSource } from './engine/edit-config.js';
import { scratchProject } from './testing/scratch-project.js';

async function project(template?: string, database: { driver?: string; client?: string } = {}) {
  const lines: string[] = [];
  const context = contextInMemory('/project', (line) => lines.push(line));
  await writeProject(
    { name: 'shop', ...(template && { template }), ...database },
    { name: 'fw.tgz', bytes: Buffer.alloc(0) },
    context,
  );
  return { context, lines, text: async (file: string) => (await context.read(file)) ?? '' };
}

const extending = (name: string, module: string, base: string, members: string): string =>
  `import { db, table, type Int } from 'fw/orm';\nimport { ${base} } from '${module}';\n@table('t_${name}')\nexport class ${name} extends ${base} {\n  ${members}\n}\n`;

/** A dialect whose databases are on a server, whichever there is. */
const SERVED = builtInDialects.find(({ address }) => address.option === 'url') as DialectFacts;
const SERVED_BY = driverPackage(SERVED)?.package ?? '';

describe('fw add', () => {
  test('inserts an entry, and leaves every other character as it is', async () => {
    const { context, text } = await project();
    const before = await text('app.config.ts');
    await context.write('app.config.ts', before.replace("recovery')),", "recovery')), // first\n    /* kept */"));
    const odd = await text('app.config.ts');
    await addFeature({ feature: 'cors', flags: { origins: "https://it's.example" } }, context);
    const added = (await text('app.config.ts')).split('\n').filter((line) => !odd.split('\n').includes(line));
    expect(added).toEqual([
      "    plugin(() => import('fw/middleware/cors'), {",
      "      allowOrigins: 'https://it\\'s.example',",
      "      allowMethods: 'GET, POST, PUT, PATCH, DELETE, OPTIONS',",
      "      allowHeaders: 'Content-Type, Authorization',",
      "      maxAge: '86400',",
      '    }),',
    ]);
  });

  test('does nothing twice, and does not replace options without force', async () => {
    const { context, text } = await project();
    expect(await addFeature({ feature: 'rate-limit' }, context)).toMatchObject({
      feature: 'ratelimit',
      result: 'created',
    });
    const once = await text('app.config.ts');
    expect(await addFeature({ feature: 'ratelimit' }, context)).toMatchObject({ result: 'unchanged' });
    const other = { feature: 'ratelimit', flags: { requests: 5 } };
    await expect(addFeature(other, context)).rejects.toMatchObject({ code: 'FW_SCHEMATIC_FEATURE_DIFFERS' });
    expect(await text('app.config.ts')).toBe(once);
    expect(await addFeature({ ...other, flags: { requests: 5, force: true } }, context)).toMatchObject({
      result: 'updated',
    });
    expect(await text('app.config.ts')).toContain('requests: 5');
  });

  test('adds to the plugins of the ORM, and gives a model the column', async () => {
    const { context, text } = await project();
    await generate({ kind: 'model', name: 'Order', fields: ['total:int'] }, context);
    const add = (flags = {}) => addFeature({ feature: 'soft-delete', flags }, context);
    expect(await add({ column: 'gone_at', model: 'Order' })).toMatchObject({ result: 'updated' });
    expect(await text('app.config.ts')).toContain("import { softDelete } from 'fw/orm';");
    expect(await text('app.config.ts')).toContain("plugins: [softDelete('gone_at')]");
    expect(await text('app/models/order.ts')).toContain("@db('gone_at,index')\n  @json('-')\n  goneAt!: Date | null;");
    expect(await text('app/models/order.ts')).toMatch(/import \{[^}]*\bjson\b[^}]*\} from 'fw\/orm'/);
    expect(await add({ column: 'gone_at', model: 'Order' })).toMatchObject({ result: 'unchanged' });
    await add({ column: 'archived_at' });
    for (const file of ['app.config.ts', 'tests/test-app.ts']) {
      expect(await text(file)).toContain("import { softDelete } from 'fw/orm';");
      expect(await text(file)).toContain("plugins: [softDelete('gone_at'), softDelete('archived_at')]");
    }
    const { name } = builtInDialects.at(-1) as DialectFacts;
    const other = await addFeature({ feature: 'orm', flags: { driver: name, force: true } }, context);
    expect(other.notes).toContainEqual(expect.stringMatching(/^tests make and drop databases of their own/));
    expect(await text('tests/test-app.ts')).toMatch(
      new RegExp(
        `url: env\\.DATABASE_URL,\\s+temporaryDatabase: true[^}]*plugins: \\[softDelete\\('gone_at'\\), softDelete\\('archived_at'\\)\\]`,
      ),
    );
    await expect(add({ model: 'Nobody' })).rejects.toMatchObject({ code: 'FW_SCHEMATIC_FLAG' });
    const several = ['Notebook', 'Note'].map(
      (name) => `@table('t')\nexport class ${name} {\n  @db('id,pk') id!: Int;\n}\n`,
    );
    await context.write(
      'app/models/several.ts',
      `import { db, table, type Int } from 'fw/orm';\n\n${several.join('\n')}`,
    );
    expect(await add({ column: 'gone_at', model: 'Note' })).toMatchObject({ result: 'updated' });
    expect(await text('app/models/several.ts')).toMatch(/class Note \{[^}]*goneAt!: Date \| null;/);
    expect(await text('app/models/several.ts')).not.toMatch(/class Notebook \{[^}]*goneAt/);
    await expect(add({ column: 'a b' })).rejects.toMatchObject({ code: 'FW_SCHEMATIC_FLAG' });
  });

  test('gives a model and a resource times that the ORM fills: in answers, and in no body', async () => {
    const { context, text } = await project();
    await generate(
      { kind: 'resource', name: 'Article', fields: ['title:string'], flags: { timestamps: true } },
      context,
    );
    expect(await text('app/models/article.ts')).toContain("@db('created_at,filled=create,default=now')");
    expect(await text('app/models/article.ts')).toContain("@db('updated_at,filled=update,default=now')");
    await generate({ kind: 'model', name: 'Note', fields: ['title:string'], flags: { timestamps: true } }, context);
    await generate({ kind: 'resource', name: 'Note' }, context);
    for (const name of ['article', 'note']) {
      const routes = await text(`app/routes/${name}s.ts`);
      expect(routes.match(/Response = Type\.Object\(\{[^}]*\{[^}]*\}/)?.[0]).toMatch(
        /createdAt: Type\.String\(\{ format/,
      );
      expect(routes.match(/Request = Type\.Object\(\{[^;]*;/)?.[0]).not.toMatch(/createdAt|updatedAt/);
      expect(await text(`tests/${name}s.test.ts`)).toContain('...part, updatedAt: expect.any(String) }');
    }
  });

  test('says what a wrong flag or name should have been', async () => {
    const { context } = await project();
    const add = (feature: string, flags = {}) => addFeature({ feature, flags }, context);
    await expect(add('crs')).rejects.toThrow(/Did you mean "cors"/);
    await expect(add('ratelimit', { requests: 0 })).rejects.toThrow(/0 is less than 1/);
    await expect(add('static', { root: '../secrets' })).rejects.toThrow(/not a folder inside the project/);
    await expect(add('websocket', { path: 'ws' })).rejects.toThrow(/not a path such as/);
    await expect(add('cors', { credentials: true })).rejects.toThrow(/credentials together with the origin \*/);
    await expect(add('ratelimit', { requests: 'many' })).rejects.toThrow(/not a whole number/);
    await expect(add('cors', { origins: true })).rejects.toThrow(/--origins of feature cors: it needs a value/);
    await expect(add('etag', { size: 3 })).rejects.toThrow(/no such flag; flags: none/);
  });

  test('refuses by name what the framework does without, and says what takes its place', async () => {
    const { context } = await project();
    for (const name of ['templates', 'workflow', 'jsonrpc', 'oauth2', 'video', 'tuning', 'observability']) {
      await expect(addFeature({ feature: name }, context)).rejects.toMatchObject({
        code: 'FW_SCHEMATIC_FEATURE',
        message: expect.stringMatching(/not part of the framework|app\.config\.ts|diagnostics/),
      });
    }
  });

  test('gives an alias the entry of its feature, at its place', async () => {
    const { context, text } = await project();
    for (const feature of ['ws', 'eventbus', 'tracing', 'gzip', 'cache', 'locale'])
      await addFeature({ feature }, context);
    await addFeature({ feature: 'static', flags: { prefix: '/files', root: './web/files' } }, context);
    const config = await text('app.config.ts');
    const order = [...config.matchAll(/import\('fw\/([\w/-]+)'\)/g)].map(([, name]) => name);
    expect(order).toEqual([
      'http', 'events', 'fleet/tracer', 'middleware/recovery', 'middleware/logging', 'middleware/locale',
      'middleware/security-headers', 'middleware/etag', 'middleware/compression', 'docs', 'static', 'websocket', 'orm',
    ]); // prettier-ignore
    expect(config).toContain(`import('fw/static'), { prefix: '/files', root: 'web/files' })`);
    expect(await text('web/files/.gitkeep')).toBe('');
    // Routes ask for services of these, and of no middleware.
    const tested = [...(await text('tests/test-app.ts')).matchAll(/import\('fw\/([\w/-]+)'\)/g)].map(
      ([, name]) => name,
    );
    expect(tested).toEqual(['http', 'orm', 'websocket', 'events']);
    expect(await text('tests/test-app.ts')).toContain(`import('fw/websocket'), { path: '/ws' })`);
  });

  test('lets migrations decide about the schema, with the scripts to run them', async () => {
    const { context, text, lines } = await project();
    expect(await addFeature({ feature: 'migrator' }, context)).toMatchObject({
      feature: 'migrations',
      result: 'updated',
    });
    const { address } = defaultDialect;
    const inTests = address.inTests === undefined ? '' : `${address.option}: '${address.inTests}', `;
    expect(await text('app.config.ts')).toMatch(
      new RegExp(`schema: 'none'[^}]*\\},\\s+\\{ test: \\{ ${inTests}schema: 'create-missing' \\} \\}`),
    );
    expect(JSON.parse(await text('package.json')).scripts).toMatchObject({
      migrate: 'npm run -s build && fw migrate up',
    });
    expect(await addFeature({ feature: 'migrations' }, context)).toMatchObject({ result: 'unchanged' });
    await expect(addFeature({ feature: 'migrations', flags: { driver: 'any' } }, context)).rejects.toThrow(
      /lists fw\/orm already/,
    );
    expect(lines).toContainEqual(expect.stringContaining('npm run migrate:diff'));
  });

  test('brings a database along where migrations are wanted and there is none', async () => {
    // The last one: the first is what a project has anyway.
    const facts = builtInDialects.at(-1) as DialectFacts;
    const { name, address } = facts;
    const { context, text } = await project('minimal');
    expect(await addFeature({ feature: 'migrations', flags: { driver: name } }, context)).toMatchObject({
      result: 'created',
    });
    expect(await text('app.config.ts')).toContain(`
    plugin(
      () => import('fw/orm'),
      { driver: '${name}', ${address.option}: env.${address.variable}, schema: 'none' },
      { test: { temporaryDatabase: true, schema: 'create-missing' } },
    ),
`);
    expect(JSON.parse(await text('package.json')).dependencies).toHaveProperty([driverPackage(facts)?.package ?? '']);
    const listed = String.raw`import\('fw\/orm'\), \{\n\s+driver: '${name}'[^}]*\}\),\n\s+plugin\(\(\) => import\('\.\.\/app\/index\.js'\)\)`;
    expect(await text('tests/test-app.ts')).toMatch(new RegExp(listed));
  });

  test('tests follow when another dialect takes the place of the first, and what it leaves is told', async () => {
    const { context, text, lines } = await project();
    const { name, address } = builtInDialects.at(-1) as DialectFacts;
    const listed = new RegExp(
      `import\\('fw/orm'\\), \\{\\s+driver: '${name}', ${address.option}: `.replaceAll(' ', '\\s*'),
    );
    await addFeature({ feature: 'orm', flags: { driver: name, force: true } }, context);
    expect(await text('tests/test-app.ts')).toMatch(listed);
    expect(await text('tests/test-app.ts')).not.toContain(`driver: '${defaultDialect.name}'`);
    const left = driverPackage(defaultDialect)?.package;
    expect(lines).toContainEqual(expect.stringContaining(`nothing of app.config.ts needs ${left} in package.json`));
    // An entry that somebody went on writing stays as it is.
    const own = (await text('tests/test-app.ts')).replace(
      `driver: '${name}'`,
      `plugins: [mine({})], driver: '${name}'`,
    );
    await context.write('tests/test-app.ts', own);
    await addFeature({ feature: 'orm', flags: { driver: defaultDialect.name, force: true } }, context);
    expect(await text('tests/test-app.ts')).toBe(own);
    expect(lines).toContainEqual(
      expect.stringMatching(/^note: list fw\/orm in tests\/test-app\.ts like this.*plugins: \[mine\(\{\}\)\]/s),
    );
    await addFeature({ feature: 'soft-delete', flags: { column: 'gone_at' } }, context);
    expect(await text('tests/test-app.ts')).toContain("plugins: [mine({}), softDelete('gone_at')]");
    await context.write('tests/test-app.ts', 'export const startTestApp = () => boot([]);\n');
    await addFeature({ feature: 'soft-delete', flags: { column: 'left_at' } }, context);
    expect(lines).toContainEqual(
      "note: give fw/orm in tests/test-app.ts softDelete('left_at') among its plugins, so that tests have it",
    );
  });

  test('another driver keeps what the project had chosen beside, in every profile', async () => {
    const { context, text } = await project();
    await addFeature({ feature: 'migrations' }, context);
    const chosen = (await text('app.config.ts'))
      .replace(
        `schema: 'none'`,
        `schema: 'none', pendingMigrations: 'apply', plugins: [softDelete('gone_at')], ...more`,
      )
      .replace(`file: ':memory:'`, `file: ':memory:', drift: 'warn'`)
      .replace(/schema: 'create-missing'\s*\},?\s*\}/, `schema: 'create-missing' }, prod: false }`);
    await context.write('app.config.ts', chosen);
    await addFeature({ feature: 'orm', flags: { driver: SERVED.name, force: true } }, context);
    const flat = (await text('app.config.ts')).replace(/\s+/g, ' ').replaceAll(', }', ' }');
    expect(flat).toContain(
      `{ driver: '${SERVED.name}', url: env.${SERVED.address.variable}, schema: 'none', pendingMigrations: 'apply', plugins: [softDelete('gone_at')], ...more }, { test: { temporaryDatabase: true, drift: 'warn', schema: 'create-missing' }, prod: false }`,
    );
    const before = await text('app.config.ts');
    expect(await addFeature({ feature: 'orm', flags: { driver: SERVED.name } }, context)).toMatchObject({
      result: 'unchanged',
    });
    expect(await text('app.config.ts')).toBe(before);
  });

  test('declares what a feature takes from the environment, wherever a person looks for it', async () => {
    const { context, text } = await project();
    await addFeature({ feature: 'jwt', flags: { refresh: true } }, context);
    await addFeature({ feature: 'fleet', flags: { service: 'shop' } }, context);
    await addFeature({ feature: 'mcp' }, context);
    const environment = await text('app/environment.ts');
    expect(environment).toContain(
      `JWT_ACCESS_SECRET: Type.String({ minLength: 32, description: 'signs the access tokens`,
    );
    expect(environment).toContain(`description: 'name of the service in traces' }), 'shop'),`);
    expect(environment).toMatch(/FW_APP_MCP_PORT: withDefault\(\s*Type\.Integer\(/);
    const config = await text('app.config.ts');
    expect(config).toContain('accessSecret: env.JWT_ACCESS_SECRET,');
    expect(config).not.toContain('process.env');
    expect(await text('.env.example')).toContain('# name of the service in traces\n#FLEET_SERVICE_NAME=shop\n');
    expect(await text('.env.example')).toMatch(/\nJWT_ACCESS_SECRET=\n/);
    expect(await text('.env.test')).toMatch(/^JWT_ACCESS_SECRET=.{32,}\nJWT_ACCESS_SECRET_REFRESH=.{32,}\n$/);
    expect(await text('README.md')).toMatch(
      /\| `JWT_ACCESS_SECRET` \| signs the access tokens[^|]*\| has to be set \|\n/,
    );
    // Once more says nothing twice.
    await addFeature({ feature: 'jwt', flags: { refresh: true, force: true } }, context);
    expect(await text('app/environment.ts')).toBe(environment);
  });

  test('reads process.env in a project that declares no variables', async () => {
    const { context, text } = await project();
    const before = (await text('app.config.ts')).replace(/import \{ env \}.*\n/, '');
    await context.write('app.config.ts', before.replaceAll(/\benv\.(HOST|DATABASE_\w+)/g, "process.env.$1 ?? ''"));
    await addFeature({ feature: 'mcp', flags: { port: 2200 } }, context);
    expect(await text('app.config.ts')).toContain('port: Number(process.env.FW_APP_MCP_PORT ?? 2200)');
    expect(await text('app/environment.ts')).not.toContain('FW_APP_MCP_PORT');
  });

  test.each<[string, Record<string, string | number>, string]>([
    ['jwt', { methods: 'GET,EXPLODE' }, 'methods.1 '],
    ['mcp', { port: 99_999 }, 'port '],
    ['cors', { origins: 5 }, 'allowOrigins '],
    ['cors', { methods: 'GET;POST' }, 'allowMethods '],
    ['ratelimit', { per: '5 apples' }, 'per '],
    ['fleet', { 'sample-rate': 7 }, 'sampleRate '],
  ])('refuses what the plugin of %s would not take: %j', async (feature, flags, named) => {
    const { context, text } = await project('minimal');
    const before = await text('app.config.ts');
    await expect(addFeature({ feature, flags }, context)).rejects.toMatchObject({
      code: 'FW_CONFIG_OPTIONS',
      message: expect.stringContaining(named),
    });
    expect(await text('app.config.ts')).toBe(before);
  });

  test.each(['0s', '0.5ms', '30d', 'often'])(
    'refuses an interval of a job that no timer can wait: %s',
    async (every) => {
      const { context } = await project('minimal');
      const request = { kind: 'job', name: 'Cleanup', fields: [], flags: { every } };
      await expect(generate(request, context)).rejects.toMatchObject({ code: 'FW_SCHEMATIC_FLAG' });
    },
  );

  test.each(['model', 'resource'])('refuses a table that is no name, for a %s', async (kind) => {
    const { context } = await project();
    const request = { kind, name: 'Thing', fields: ['a:string'], flags: { table: 'x; drop' } };
    await expect(generate(request, context)).rejects.toMatchObject({ code: 'FW_SCHEMATIC_FLAG' });
  });

  test('sets an option wherever the entry leaves room for it, and nothing else', () => {
    const set = (entry: string, profile?: string) => {
      const before = `export default defineApp({ plugins: [\n  ${entry}, // kept\n] });`;
      const config = new ConfigSource(before);
      const after = config.withOption(config.entries[0] as never, { profile, option: 'a', value: '1' });
      return after.slice(after.indexOf('\n') + 3, after.indexOf(', // kept'));
    };
    expect(set(`plugin(() => import('x'))`)).toBe(`plugin(() => import('x'), { a: 1 })`);
    expect(set(`plugin(() => import('x'), {})`)).toBe(`plugin(() => import('x'), { a: 1 })`);
    expect(set(`plugin(() => import('x'), { b: 2, /* c */ })`)).toBe(
      `plugin(() => import('x'), { b: 2, a: 1, /* c */ })`,
    );
    expect(set(`plugin(() => import('x'), { a: 0, b })`)).toBe(`plugin(() => import('x'), { a: 1, b })`);
    expect(set(`plugin(() => import('x'))`, 'test')).toBe(`plugin(() => import('x'), {}, { test: { a: 1 } })`);
    expect(set(`plugin(() => import('x'), {}, { dev: {} })`, 'test')).toBe(
      `plugin(() => import('x'), {}, { dev: {}, test: { a: 1 } })`,
    );
    expect(set(`plugin(() => import('x'), {}, { test: false })`, 'test')).toBe(
      `plugin(() => import('x'), {}, { test: false })`,
    );
    expect(() => set(`plugin(() => import('x'), options)`)).toThrow(/"options" is not an object literal/);
  });

  test('reads a configuration whose list is on one line', () => {
    const config = new ConfigSource(`export default defineApp({ plugins: [plugin(() => import('fw/http'))] });`);
    expect(config.inserted(`plugin(() => import('./a.js'))`, 9, () => 0)).toBe(
      `export default defineApp({ plugins: [plugin(() => import('fw/http')), plugin(() => import('./a.js')),] });`,
    );
    expect(() => new ConfigSource('export default 3')).toThrow(/its default export is not defineApp/);
  });
});

describe('fw generate', () => {
  test('refuses to overwrite what another generator made, and its own without force', async () => {
    const { context } = await project();
    const resource = { kind: 'resource', name: 'Customer', fields: ['email:string'] };
    await generate(resource, context);
    const handler = { kind: 'handler', name: 'Customer', flags: { force: true } };
    await expect(generate(handler, context)).rejects.toThrow(/made by `fw generate resource`/);
    await expect(generate({ ...resource, fields: [] }, context)).rejects.toThrow(/Repeat with force/);
    await expect(generate({ ...resource, fields: [], flags: { force: true } }, context)).resolves.toBeUndefined();
  });

  test.each(['api', 'minimal'])('and fw new (%s) write as .prettierrc says', async (template) => {
    const { context } = await project(template);
    const made: readonly [kind: string, name: string, ...fields: string[]][] = [
      ['resource', 'Customer', 'name:string', 'email:string:email,unique', 'age:int', 'photo:json'],
      ['resource', 'Order', 'customer:Customer', 'total:decimal', 'placedOn:date', 'number:bigint:unique'],
      ['handler', 'Report'],
      ['event', 'OrderPaid', 'orderId:int'],
      ['listener', 'OrderPaid'],
      ['job', 'Cleanup'],
      ['middleware', 'Tenant'],
      ['plugin', 'Mailer'],
      ['tool', 'CountOrders'],
      ['ws', 'Chat'],
      ['ws', 'NewsOfEverySubscriber'],
    ];
    for (const [kind, name, ...fields] of made) {
      if (template === 'api' || kind !== 'resource') await generate({ kind, name, fields }, context);
    }
    const style = JSON.parse((await context.read('.prettierrc')) ?? '') as Options;
    const written = [...context.files].filter(([file]) => /\.(ts|js|cjs|json)$/.test(file));
    expect(written.length).toBeGreaterThan(20);
    for (const [file, bytes] of written) {
      const text = bytes.toString();
      expect([file, text]).toEqual([file, await format(text, { ...style, filepath: file })]);
    }
  });

  test('follows the key that a model has, and that of the models that it leads to', async () => {
    const { context, text } = await project();
    const orm = "import { belongsTo, type BelongsTo, db, type Int, table, type Uuid } from 'fw/orm';";
    await context.write(
      'app/models/album.ts',
      `${orm}\n@table('albums')\nexport class Album {\n  @db('album_id,pk') albumId!: Uuid;\n  @db('title') title!: string;\n}\n`,
    );
    await context.write(
      'app/models/track.ts',
      `${orm}\nimport { Album } from './album.js';\n@table('tracks')\nexport class Track {\n  @db('nr,pk,autoincrement') nr!: Int;\n  @db('album_id') albumId!: Uuid;\n  @belongsTo(() => Album) album?: BelongsTo<Album>;\n}\n`,
    );
    await generate({ kind: 'resource', name: 'Track', fields: [] }, context);
    const routes = await text('app/routes/tracks.ts');
    expect(routes).toContain("'/api/tracks/:nr'");
    expect(routes).toContain('async function findTrack(nr: number)');
    expect(routes).toContain("albumId: Type.String({ format: 'uuid' })");
    expect(routes).toContain('where(album.albumId.eq(body.albumId))');
    await generate({ kind: 'resource', name: 'Album', fields: [] }, context);
    const albums = await text('app/routes/albums.ts');
    expect(albums).toContain("const AlbumPathParams = Type.Object({\n  albumId: Type.String({ format: 'uuid'");
    expect(albums).toContain('const CreateAlbumRequest = Type.Object({\n  albumId:');
    expect(albums).toContain('const UpdateAlbumRequest = Type.Object({\n  title:');
    expect(albums).toContain('async function writeAlbum(albumId: string, body: Static<typeof ChangeAlbumRequest>)');
    expect(albums).toContain('update({\n      albumId,\n      title: body.title,');
    await generate({ kind: 'model', name: 'Review', fields: ['album:Album'] }, context);
    expect(await text('app/models/review.ts')).toContain('albumId!: Uuid;');
  });

  test('reads columns of Temporal from texts of their form, and lays them out as .prettierrc says', async () => {
    const { context, text } = await project();
    const classes = ['PlainDate', 'PlainTime', 'PlainDateTime', 'Instant', 'Duration'];
    const columns = classes.map((name, at) => `  @db('c${at}') c${at}!: Temporal.${name}${at % 2 ? ' | null' : ''};\n`);
    await context.write(
      'app/models/trip.ts',
      `import { db, table, type Int } from 'fw/orm';\n@table('trips')\nexport class Trip {\n  @db('id,pk,autoincrement') id!: Int;\n  @db('day,unique') day!: Temporal.PlainDate;\n  @db('due,unique') due!: Date;\n${columns.join('')}}\n`,
    );
    await generate({ kind: 'resource', name: 'Trip', fields: [] }, context);
    const routes = await text('app/routes/trips.ts');
    expect(routes).toContain("day: Type.String({ format: 'date', description: 'A Temporal.PlainDate, as text' })");
    expect(routes).toMatch(/c3: Type\.Optional\(\s*Type\.Union\(\[Type\.String\(\{ format: 'date-time'/);
    expect(routes).toContain('day: temporalFrom(trip.day, body.day)');
    expect(routes).toContain('c3: body.c3 ? temporalFrom(trip.c3, body.c3) : null');
    expect(routes).toContain("import { Database, model, temporalFrom } from 'fw/orm'");
    const tests = await text('tests/trips.test.ts');
    expect(tests).toContain("import { trip } from '../generated/trip.js'");
    expect(tests).toContain('day: new Date(unique() * 86_400_000).toISOString().slice(0, 10)');
    expect(tests).toContain('due: new Date(unique() * 86_400_000).toISOString(),');
    const style = JSON.parse(await text('.prettierrc')) as Options;
    for (const file of ['app/routes/trips.ts', 'tests/trips.test.ts'])
      expect(await text(file)).toBe(await format(await text(file), { ...style, filepath: file }));
  });

  test('keeps what a model hides out of answers, and names it in no refusal', async () => {
    const { context, text } = await project();
    await context.write(
      'app/models/login.ts',
      `import { db, json, table, type Uuid } from 'fw/orm';
@table('logins')
export class Login {
  @db('id,pk') id!: Uuid;
  @db('name') name!: string;
  @db('password') @json('password,writeonly') password?: string;
  @db('badge,unique') @json('-') badge!: bigint;
}
`,
    );
    await generate({ kind: 'resource', name: 'Login', fields: [] }, context);
    const routes = await text('app/routes/logins.ts');
    const [, answer = ''] = /const LoginResponse = Type.Object\(\{([^]*?)\n\}\);/.exec(routes) ?? [];
    expect(answer).toContain('name:');
    expect(answer).not.toMatch(/password|badge/);
    expect(routes).not.toContain('sent(');
    expect(routes).toContain('password: Type.Optional(Type.String({ writeOnly: true }))');
    expect(routes).toContain("field: 'badge', value: 'that was sent'");
    expect(routes).toContain('same.id !== id');
  });

  test('refuses a resource of a model that has no key, or several', async () => {
    const { context } = await project();
    const keys = "@db('a,pk') a!: Int;\n  @db('b,pk') b!: Int;";
    await context.write(
      'app/models/pair.ts',
      `import { db, type Int, table } from 'fw/orm';\n@table('pairs')\nexport class Pair {\n  ${keys}\n}\n`,
    );
    await expect(generate({ kind: 'resource', name: 'Pair', fields: [] }, context)).rejects.toThrow(
      /one key.*2 of them/,
    );
  });

  test('refuses a resource of a model whose key is hidden: nobody could learn how a row is found', async () => {
    const { context } = await project();
    const head = "import { db, type Int, json, table } from 'fw/orm';\n@table('vaults')\nexport class Vault {\n";
    const key = "  @db('id,pk,autoincrement') @json('-') id!: Int;\n";
    await context.write('app/models/vault.ts', `${head}${key}  @db('name') name!: string;\n}\n`);
    await expect(generate({ kind: 'resource', name: 'Vault', fields: [] }, context)).rejects.toMatchObject({
      code: 'FW_SCHEMATIC_FIELD',
      message: expect.stringContaining('the key id of this model is hidden'),
    });
    expect(await context.read('app/routes/vaults.ts')).toBeUndefined();
  });

  test('makes no second model of a name that a model in another file has', async () => {
    const { context } = await project();
    const file = 'app/models/shop/every.ts';
    await context.write(
      file,
      `import { db, table } from 'fw/orm';\n@table('its')\nexport class It { @db(',pk') key!: string; }\n`,
    );
    await context.write('generated/it.ts', withBanner('it.ts', 'export {};', { sources: [file] }));
    for (const kind of ['model', 'resource']) {
      await expect(generate({ kind, name: 'It', fields: ['name:string'] }, context)).rejects.toMatchObject({
        code: 'FW_SCHEMATIC_EXISTS',
        message: expect.stringMatching(
          /shop\/every\.ts exists already and declares the model It\. .*app\/models\/it\.ts/,
        ),
      });
    }
    expect(await context.read('app/models/it.ts')).toBeUndefined();
  });

  test('names the key of the other side where the table does not lead to it', async () => {
    const { context, text } = await project();
    await generate({ kind: 'model', name: 'House', fields: ['street:string'], flags: { table: 'buildings' } }, context);
    await generate({ kind: 'model', name: 'Room', fields: ['house:House'] }, context);
    expect(await text('app/models/room.ts')).toContain("@db('house_id");
    expect(await text('app/models/house.ts')).toContain(
      "  @hasMany(() => Room, { fk: 'house_id' })\n  rooms?: HasMany<Room>;",
    );
  });

  test('keeps the other sides of relations when a model is written anew', async () => {
    const { context, text, lines } = await project();
    await generate({ kind: 'model', name: 'Customer', fields: ['name:string'] }, context);
    await generate({ kind: 'model', name: 'Order', fields: ['customer:Customer'] }, context);
    const before = await text('app/models/customer.ts');
    const noted = before.replace('  @hasMany', '  // The newest first.\n  @hasMany');
    await context.write('app/models/customer.ts', noted);
    const again = { kind: 'model', name: 'Customer', fields: ['name:string', 'city:string'], flags: { force: true } };
    await generate(again, context);
    const after = await text('app/models/customer.ts');
    expect(after).toMatch(
      /city!: string;[\s\S]*\/\/ The newest first\.\n  @hasMany\(\(\) => Order\)\n  orders\?: HasMany<Order>;/,
    );
    const [imports] = before.split('/**');
    expect(after.split('/**')[0]).toBe(imports);
    await generate(again, context);
    expect(await text('app/models/customer.ts')).toBe(after);
    await generate({ kind: 'model', name: 'Order', fields: ['number:string'], flags: { force: true } }, context);
    expect(lines).toContain('note: Order leads to no Customer any more: take orders out of app/models/customer.ts');
  });

  test('keeps what sounds secret from answers, says so, and takes the word of who writes the field', async () => {
    const { context, text, lines } = await project();
    const fields = [
      'name:string',
      'password:string',
      'apiKey:string',
      'pageToken:string:public',
      'notes:text?:private',
    ];
    await generate({ kind: 'resource', name: 'User', fields }, context);
    const model = await text('app/models/user.ts');
    expect(model).toContain("@json('password,writeonly')\n  @validate('required')\n  password?: string;");
    expect(model).toContain("@json('-')\n  @validate('required')\n  apiKey!: string;");
    expect(model).toContain("@json('-')\n  notes: Text | null = null;");
    expect(model).not.toMatch(/@json[^\n]*\n[^;]*pageToken/);
    const routes = await text('app/routes/users.ts');
    const parts = [
      /CreateUserRequest = Type.Object\(\{([^}]*(?:\}[^}]*)*?)\n\}\);/,
      /UserResponse = Type.Object\(\{([^;]*)\}\);/,
    ];
    const [created = '', answered = ''] = parts.map((part) => part.exec(routes)?.[1] ?? '');
    for (const name of ['password', 'apiKey', 'notes']) {
      expect(created).toContain(`  ${name}: `);
      expect(answered).not.toContain(name);
      expect(lines.filter((line) => line.startsWith(`User.${name} is `))).toHaveLength(1);
    }
    expect(answered).toContain('pageToken: Type.String()');
    expect(routes).toContain('password: Type.Optional(Type.String({ minLength: 1, writeOnly: true })),');
    // The model that is there says so too.
    await generate({ kind: 'resource', name: 'User', flags: { force: true } }, context);
    expect(await text('app/routes/users.ts')).toBe(routes);
    await expect(generate({ kind: 'model', name: 'Visit', fields: ['user:User:private'] }, context)).rejects.toThrow(
      /a relation cannot be private/,
    );
  });

  test('assigns each column by name, and bounds numbers that clients make', async () => {
    const { context, text } = await project();
    await generate({ kind: 'resource', name: 'Room', fields: ['name:string', 'size:int?'] }, context);
    const routes = await text('app/routes/rooms.ts');
    expect(routes).not.toMatch(/\.\.\.|Object\.assign/);
    expect(routes).toContain('page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000');
    expect(routes).toContain('id: Type.Integer({ minimum: 1, maximum: 2_147_483_647');
    expect(routes).toContain('update({\n      id,\n      name: body.name,\n      size: body.size,\n    })');
  });

  test('makes columns and routes of bigints and of JSON', async () => {
    const { context, text } = await project();
    const fields = ['balance:bigint', 'credit:bigint?', 'serial:bigint:unique', 'settings:Json', 'extra:json?'];
    await generate({ kind: 'resource', name: 'Account', fields }, context);
    expect(await text('app/models/account.ts')).toMatch(
      /balance!: bigint;[\s\S]*credit: bigint \| null = null;[\s\S]*settings!: Json<unknown>;/,
    );
    const routes = await text('app/routes/accounts.ts');
    for (const part of [
      String.raw`balance: Type.String({ pattern: '^-?\\d{1,18}$'`,
      String.raw`balance: Type.String({ pattern: '^-?\\d+$'`,
      'settings: Type.Union([\n    Type.Record(Type.String(), Type.Unknown())',
      'balance: row.balance.toString(),\n    credit: row.credit?.toString() ?? null,',
      'balance: BigInt(body.balance),',
      'credit: body.credit ? BigInt(body.credit) : null,',
      "credit: typeof body.credit === 'string' ? BigInt(body.credit) : body.credit,",
      'const wanted = BigInt(body.serial);',
      'rows.map(sent)',
    ])
      expect(routes).toContain(part);
    // The model that is there says what the fields are, and leads to the same routes.
    await generate({ kind: 'resource', name: 'Account', flags: { force: true } }, context);
    expect(await text('app/routes/accounts.ts')).toBe(routes);
  });

  test.each([
    ['email', /it has no type/],
    ['Email:string', /must start with a small letter/],
    ['id:int', /id is taken/],
    ['email:strin', /there is no type "strin"/],
    ['age:int:email', /email is for strings/],
    ['age:int:min', /needs a number/],
    ['age:int:min=3,max=2', /min is larger than max/],
    ['kind:string:oneof=a,b', /there is no rule "b".*spaces separate the words of oneof/],
    ['isOpen:boolean:min=1', /min and max are for string, text, int, number and decimal/],
    ['owner:Owner', /there is no model Owner/],
  ])('refuses the field %s with a reason', async (field, reason) => {
    const { context } = await project();
    await expect(generate({ kind: 'model', name: 'Thing', fields: [field] }, context)).rejects.toThrow(reason);
  });

  test('lets a model lead to itself when it may be null, and says so when it may not', async () => {
    const { context, text } = await project();
    const tree = (field: string) =>
      generate({ kind: 'resource', name: 'Tree', fields: ['name:string', field] }, context);
    await expect(tree('parent:Tree')).rejects.toThrow(/must be nullable.*parent:Tree\?/);
    await tree('parent:Tree?');
    expect(await text('app/models/tree.ts')).toContain('parent?: BelongsTo<Tree>;');
    expect(await text('tests/trees.test.ts')).not.toMatch(/newTree|parent/);
  });

  test.each([
    ['Class', /does not use itself/],
    ['Delete', /does not use itself/],
    ['order', /the first a capital/],
    ['Über', /letters and digits/],
    ['Order-Line', /letters and digits/],
  ])('refuses the name %s', async (name, reason) => {
    const { context } = await project();
    await expect(generate({ kind: 'resource', name, fields: ['a:string'] }, context)).rejects.toThrow(reason);
  });

  test('refuses a path that leads elsewhere, and leaves out an update of rows without fields', async () => {
    const { context, text } = await project();
    const up = generate({ kind: 'resource', name: 'Gadget', fields: ['a:string'], flags: { path: '../x' } }, context);
    await expect(up).rejects.toThrow(/is not a path/);
    await generate({ kind: 'resource', name: 'Token' }, context);
    expect(await text('app/routes/tokens.ts')).not.toContain('router.put');
  });

  test('takes the name of a column, and the types of other toolchains', async () => {
    const { context, text } = await project();
    const fields = ['email:string:column=e_mail,unique', 'count:uint32', 'bornAt:time.Time?', 'tags:[]string'];
    await generate({ kind: 'model', name: 'Thing', fields }, context);
    const model = await text('app/models/thing.ts');
    expect(model).toContain("@db('e_mail,unique')\n  email!: string;");
    expect(model).toMatch(/count!: Int;[\s\S]*bornAt: Date \| null = null;[\s\S]*tags!: string\[\];/);
    await expect(generate({ kind: 'model', name: 'Other', fields: ['a:string:column=b c'] }, context)).rejects.toThrow(
      /needs the name of a column/,
    );
  });

  test('writes a migration, later than every other, and none of the same name twice', async () => {
    const { context, text } = await project();
    const migration = (name: string, flags = {}) => generate({ kind: 'migration', name, flags }, context);
    await migration('AddPhone');
    await migration('AddAddress', { seed: true });
    const files = await context.list('app/migrations');
    expect(files.map((file) => file.replace(/^\d{14}_/, ''))).toEqual([
      'add_phone.down.sql',
      'add_phone.up.sql',
      'add_address.down.sql',
      'add_address.seed.sql',
      'add_address.up.sql',
    ]);
    expect(new Set(files.map((file) => file.slice(0, 14))).size).toBe(2);
    expect(await text(`app/migrations/${files[1]}`)).toMatch(/^-- add phone: /);
    await expect(migration('AddPhone')).rejects.toMatchObject({ code: 'FW_SCHEMATIC_EXISTS' });
  });

  test('writes a migration in code, which moves rows in batches', async () => {
    const { context, text } = await project();
    const migration = (name: string, flags = {}) => generate({ kind: 'migration', name, flags }, context);
    await migration('FillSlugs', { code: true });
    const [file] = await context.list('app/migrations');
    expect(file).toMatch(/^\d{14}_fill_slugs\.ts$/);
    expect(await text(`app/migrations/${file}`)).toMatch(
      /from 'fw\/orm\/migrations';[\s\S]*export const move: MoveStep/,
    );
    await expect(migration('FillSlugs')).rejects.toMatchObject({ code: 'FW_SCHEMATIC_EXISTS' });
    await expect(migration('Plans', { code: true, seed: true })).rejects.toMatchObject({ code: 'FW_SCHEMATIC_FLAG' });
  });

  test('writes a WebSocket endpoint as a route module of the list', async () => {
    const { context, text } = await project();
    await generate({ kind: 'ws', name: 'Chat' }, context);
    expect(await text('app/routes/chat-socket.ts')).toContain(
      `router.websocket('/ws/chat', options, function connectChat`,
    );
    expect(await text('app/route-modules.ts')).toContain(`from './routes/chat-socket.js'`);
  });

  test('takes a name where there can be several, and none where there is one', async () => {
    const { context } = await project();
    await expect(generate({ kind: 'client', name: 'Client' }, context)).rejects.toThrow(/no name for the kind client/);
    await expect(generate({ kind: 'model' }, context)).rejects.toMatchObject({ code: 'FW_SCHEMATIC_NAME' });
  });

  test('names what the framework does without', async () => {
    const { context } = await project();
    for (const kind of ['workflow', 'view', 'grpc']) {
      await expect(generate({ kind, name: 'Thing' }, context)).rejects.toThrow(/part of the framework/);
    }
  });
});

describe('a project document', () => {
  const document = {
    module: 'my-shop',
    server: { host: '0.0.0.0', port: 4100 },
    websocket: { enabled: true, path: '/live' },
    middleware: [{ name: 'gzip' }, { name: 'ratelimit', rps: 7 }],
    models: [
      {
        name: 'Order',
        fields: [
          { name: 'id', type: 'int64', primary_key: true },
          { name: 'customer', type: 'Customer' },
          { name: 'paid', type: 'Date | null' },
        ],
      },
      { name: 'Customer', table: 'clients', fields: [{ name: 'email', type: 'string', column: 'mail' }] },
    ],
    routes: [
      { resource: 'orders', path: '/v1/orders', methods: ['GET', 'POST'], model: 'Order' },
      { resource: 'health-checks', methods: ['GET'] },
    ],
  };

  test.each(['api', 'minimal'])('becomes server, features, models and routes of the template %s', async (template) => {
    const context = contextInMemory('/project', () => undefined);
    await writeProject({ name: 'shop', template, document }, { name: 'fw.tgz', bytes: Buffer.alloc(0) }, context);
    const text = async (file: string) => (await context.read(file)) ?? '';
    const config = await text('app.config.ts');
    for (const part of [
      `name: 'my-shop'`,
      `host: env.HOST, port: env.PORT`,
      `import('fw/websocket'), { path: '/live' }`,
      `import('fw/middleware/rate-limit'), { requests: 7, per: '1s' }`,
      `import('fw/middleware/compression')`,
      `import('fw/orm')`,
    ])
      expect(config).toContain(part);
    expect(await text('app/models/customer.ts')).toMatch(/@table\('clients'\)[\s\S]*@db\('mail'\)\s+email!: string/);
    expect(await text('app/models/order.ts')).toMatch(/customerId!: Int;[\s\S]*paid: Date \| null/);
    const orders = await text('app/routes/orders.ts');
    expect(orders).toContain(`router.post(\n    '/v1/orders'`);
    expect(orders).not.toContain('router.delete');
    expect(await text('app/routes/health-checks.ts')).toContain('listHealthChecks');
  });
});

describe('the database of a new project', () => {
  const choices: readonly [{ driver?: string; client?: string }, string, string, string][] = [
    [{}, `{ driver: 'sqlite', file: env.DATABASE_FILE,`, 'better-sqlite3, fw', '>=20.19.0'],
    [{ client: 'better-sqlite3' }, `{ driver: 'sqlite', file: env.DATABASE_FILE,`, 'better-sqlite3, fw', '>=20.19.0'],
    [{ client: 'node:sqlite' }, `{ driver: 'sqlite', client: 'node:sqlite', file: env.DATABASE_FILE,`, 'fw', '>=24'],
    [
      { driver: SERVED.name },
      `{ driver: '${SERVED.name}', url: env.${SERVED.address.variable},`,
      `${SERVED_BY}, fw`,
      '>=20.19.0',
    ],
  ];

  test.each(choices)(
    '%j is named in app.config.ts, and nowhere else decided',
    async (chosen, named, packages, node) => {
      const { text } = await project('api', chosen);
      expect(await text('app.config.ts')).toContain(named);
      const tested = (await text('tests/test-app.ts')).replace(/\{\s+/g, '{ ').replace(/,\s+/g, ', ');
      expect(tested).toContain(named.split(', ').slice(0, -1).join(', '));
      const manifest = JSON.parse(await text('package.json')) as Record<
        'dependencies' | 'engines',
        Record<string, string>
      >;
      expect(Object.keys(manifest.dependencies).sort().join()).toBe(packages.split(', ').sort().join());
      expect(manifest.engines['node']).toBe(node);
      expect(await text('README.md')).toContain(`Needs Node ${node === '>=24' ? '24' : '20.19'} or newer.`);
    },
  );

  test.each([
    [{ driver: 'oracle' }, 'driver', '"oracle" is not among sqlite, '],
    [{ client: 'sql.js' }, 'client', 'SQLite can be reached through: better-sqlite3, node:sqlite'],
    [{ driver: SERVED.name, client: 'node:sqlite' }, 'client', `${SERVED.title} can be reached through: ${SERVED_BY}`],
  ])('%j is refused with what there is', async (chosen, flag, problem) => {
    await expect(project('api', chosen)).rejects.toThrow(
      expect.objectContaining({ code: 'FW_SCHEMATIC_FLAG', message: expect.stringContaining(problem) }),
    );
    await expect(project('api', chosen)).rejects.toThrow(`--${flag}`);
  });

  test('can be another one later', async () => {
    const { context, text } = await project();
    await addFeature({ feature: 'orm', flags: { client: 'node:sqlite', force: true } }, context);
    expect(await text('app.config.ts')).toMatch(
      /driver: 'sqlite',\s+client: 'node:sqlite',\s+file: env\.DATABASE_FILE/,
    );
  });

  test('says what is of no use behind another dialect', async () => {
    const { context, text } = await project();
    await context.write('app/migrations/1_first.up.sql', 'CREATE TABLE things (id INTEGER PRIMARY KEY);\n');
    const { notes } = await addFeature({ feature: 'orm', flags: { driver: SERVED.name, force: true } }, context);
    expect(await text('Dockerfile')).toContain('DATABASE_FILE=/data/app.sqlite');
    expect(notes.join('\n')).toContain(
      'better-sqlite3 in package.json, DATABASE_FILE in app/environment.ts, DATABASE_FILE in Dockerfile any more',
    );
    expect(notes.join('\n')).toContain('app/migrations has SQL of sqlite');
  });
});

describe('the section docs of a project document', () => {
  test.each([
    [{ enabled: false }, false],
    [{ title: 'Mine' }, true],
    [undefined, true],
  ])('%j decides about the API reference of the template api', async (docs, documented) => {
    const context = contextInMemory('/project', () => undefined);
    const tarball = { name: 'fw.tgz', bytes: Buffer.alloc(0) };
    await writeProject({ name: 'shop', document: { ...(docs && { docs }) } }, tarball, context);
    const has = async (file: string, part: string) => ((await context.read(file)) ?? '').includes(part);
    expect(await has('app.config.ts', `import('fw/docs')`)).toBe(documented);
    expect(await has('README.md', '/docsui')).toBe(documented);
    expect(await has('tests/status.test.ts', '/openapi.json')).toBe(documented);
  });
});

describe('a generated block', () => {
  const BODY = "import a from './a.js';\nexport const LIST = [a];\n";
  const file = async () => (await project()).text('app/route-modules.ts');

  test('survives a formatter, and not an edit', async () => {
    const text = await file();
    expect(blocksOf(text)).toMatchObject([{ name: 'routes', pristine: true }]);
    const formatted = text.replaceAll("'", '"').replace('[statusRoutes]', '[\n  statusRoutes,\n]').replaceAll(';', '');
    expect(blocksOf(formatted)).toMatchObject([{ pristine: true }]);
    expect(blocksOf(text.replace('[statusRoutes]', '[]'))).toMatchObject([{ pristine: false }]);
  });

  test('is replaced when nobody edited it, and otherwise only with force', async () => {
    const text = await file();
    const replaced = replaceBlock('f', text, 'routes', BODY);
    expect(blocksOf(replaced.text)).toMatchObject([{ body: BODY, pristine: true }]);
    const edited = text.replace('[statusRoutes]', '[]');
    expect(() => replaceBlock('f', edited, 'routes', BODY)).toThrow(/edited by hand/);
    expect(replaceBlock('f', edited, 'routes', BODY, true).changed).toBe(true);
    expect(() => replaceBlock('f', 'nothing', 'routes', BODY)).toThrow(/There is no block "routes"/);
  });
});

describe('a project on disk', () => {
  test('is changed as a whole or not at all, and said to be only when it was', async () => {
    const scratch = await scratchProject();
    try {
      const lines: string[] = [];
      const work = (fields: string[], dryRun = false) =>
        applyToProject(
          scratch.root,
          (line) => lines.push(line),
          async (context) => {
            await generate({ kind: 'model', name: 'Thing', fields: ['a:string'] }, context);
            await generate({ kind: 'model', name: 'Other', fields }, context);
          },
          { dryRun },
        );
      await expect(work(['a:nothing'])).rejects.toMatchObject({ code: 'FW_SCHEMATIC_FIELD' });
      const planned = await work(['a:string'], true);
      expect(planned.files.map(({ path: file }) => file)).toEqual(['app/models/other.ts', 'app/models/thing.ts']);
      expect([lines, (await readdir(path.join(scratch.root, 'app'))).includes('models')]).toEqual([[], false]);
      await work(['a:string']);
      expect(lines).toContain('wrote app/models/thing.ts');
    } finally {
      await scratch.remove();
    }
  });

  test('has resources of models whose base classes are reached by an alias, through a package, or not written yet', async () => {
    const scratch = await scratchProject();
    const put = async (file: string, text: string) => {
      await mkdir(path.dirname(path.join(scratch.root, file)), { recursive: true });
      await writeFile(path.join(scratch.root, file), text);
    };
    const said = { kind: 'string', nullable: false };
    const library = {
      format: 1,
      classes: [{ name: 'Kept', members: { kept: { marks: { db: [''] }, column: said } } }],
    };
    const member = (name: string) => `@db(',pk') key!: string;\n  @db('') ${name}!: Int;`;
    try {
      const settings = JSON.parse(await readFile(path.join(scratch.root, 'tsconfig.json'), 'utf8')) as object;
      const { compilerOptions } = settings as { compilerOptions: object };
      await put(
        'tsconfig.json',
        JSON.stringify({ ...settings, compilerOptions: { ...compilerOptions, paths: { '@/*': ['./app/shared/*'] } } }),
      );
      await put(
        'app/shared/base.ts',
        `import { db, type Int } from 'fw/orm';\nexport class Base {\n  ${member('far')}\n}\n`,
      );
      const manifest = {
        name: 'acme',
        version: '1.0.0',
        type: 'module',
        types: './index.d.ts',
        fw: { models: './models.json' },
      };
      await put('node_modules/acme/package.json', JSON.stringify(manifest));
      await put('node_modules/acme/index.d.ts', 'export declare abstract class Kept { kept: string }\n');
      await put('node_modules/acme/models.json', JSON.stringify(library));
      await put('app/models/aliased.ts', extending('Aliased', '@/base.js', 'Base', ''));
      await put('app/models/packed.ts', extending('Packed', 'acme', 'Kept', member('own')));
      await applyToProject(
        scratch.root,
        () => undefined,
        async (context) => {
          await context.write(
            'app/shared/staged.ts',
            `import { db, type Int } from 'fw/orm';\nexport class Staged {\n  ${member('soon')}\n}\n`,
          );
          await context.write('app/models/staging.ts', extending('Staging', '../shared/staged.js', 'Staged', ''));
          for (const name of ['Aliased', 'Packed', 'Staging'])
            await generate({ kind: 'resource', name, fields: [] }, context);
          await context.write('app/models/shop/far.ts', extending('Far', '../../shared/staged.js', 'Staged', ''));
          const leading = "@db('far_id') farId!: string; @belongsTo(() => Far) far?: BelongsTo<Far>;";
          await context.write(
            'app/models/near.ts',
            `import { belongsTo, type BelongsTo } from 'fw/orm';\nimport { Far } from './shop/far.js';\n${extending('Near', '../shared/staged.js', 'Staged', leading)}`,
          );
          await expect(generate({ kind: 'resource', name: 'Near', fields: [] }, context)).rejects.toMatchObject({
            code: 'FW_SCHEMATIC_FIELD',
            message: expect.stringMatching(
              /"far" cannot be read: it leads to Far of .*models\/shop\/far\.ts.* app\/models\/far\.ts; write/,
            ),
          });
          expect(await context.read('app/routes/aliaseds.ts')).toContain('far: Type.Integer()');
          expect(await context.read('app/routes/packeds.ts')).toMatch(
            /kept: Type.String\(\),\n {2}key: .*\n {2}own: Type.Integer\(\)/,
          );
          expect(await context.read('app/routes/stagings.ts')).toContain('soon: Type.Integer()');
        },
      );
    } finally {
      await scratch.remove();
    }
  });

  test('is found from a folder inside it', async () => {
    const scratch = await scratchProject();
    try {
      const inside = path.join(scratch.root, 'app/deep/down');
      await mkdir(inside, { recursive: true });
      expect(projectRoot(inside)).toBe(await realpath(scratch.root));
      expect(projectRoot('/')).toBe('/');
    } finally {
      await scratch.remove();
    }
  });
});
