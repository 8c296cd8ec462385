import path from 'node:path';
import { PROJECT_FW } from '../../../kernel/invocation/index.js';
import { builtInDialects, driverPackage } from '../../../plugins/orm/registry/index.js';
import { DOCKERIGNORE, productionDockerfile } from './production-image.js';
import { blockText } from '../engine/blocks.js';
import { routeListBody } from '../engine/route-list.js';
import type { DatabaseEntry } from '../add/database-entry.js';
import { portVariable } from '../add/feature-entries.js';
import { laidOut } from '../engine/lay-out.js';
import { literal } from '../engine/literal.js';
import { environmentFiles, type Variable, variableRow } from '../environment/index.js';

/** Names of the templates. */
export const TEMPLATES = ['api', 'minimal'] as const;
export type TemplateName = (typeof TEMPLATES)[number];

/** Values for a template. */
interface TemplateFacts {
  readonly name: string;
  readonly template: TemplateName;
  /** Whether the template has the API reference; a document may switch it off. */
  readonly docs: boolean;
  /** Name of the packed framework in vendor/. */
  readonly tarball: string;
  readonly host: string;
  readonly port: number;
  /** Database of the template `api`. */
  readonly database: DatabaseEntry;
}

/**
 * Versions of tools in a new project; the framework itself is tested with them. ESLint needs the interface of TypeScript 6; 7, in machine code,
 * checks types in a fifth of the time.
 */
const DEVELOPMENT = {
  '@jest/globals': '30.5.2',
  '@types/node': '20.19.43',
  esbuild: '0.28.2',
  eslint: '10.15.0',
  jest: '30.5.2',
  typescript: '6.0.3',
  'typescript-7': 'npm:typescript@7.0.2',
  'typescript-eslint': '8.73.0',
};

const CREATED = `schema: 'create-missing'`;
/** Releases of Node that the framework runs on. */
const NODE = '>=20.19.0';
/** Drivers whose installation compiles or downloads a binary. */
const COMPILED = Object.fromEntries(
  builtInDialects.map(driverPackage).flatMap((driver) => (driver?.compiled ? [[driver.package, true]] : [])),
);

/** Lines of its .gitignore. */
export const IGNORED_BY_GIT = [
  ...['node_modules/', 'dist/', 'coverage/', '.fw/'],
  ...['.env', '.env.local', '.env.*.local', '*.log'],
];

/** Every text file of a new project, by path. */
export function templateFiles(facts: TemplateFacts): Readonly<Record<string, string>> {
  const api = facts.template === 'api';
  return {
    'package.json': manifest(facts),
    'tsconfig.json': TSCONFIG,
    'eslint.config.js': ESLINT,
    'jest.config.js': JEST,
    'tests/typescript.cjs': TRANSFORM,
    'tests/test-app.ts': testApp(api ? facts.database : undefined),
    'tests/status.test.ts': statusTest(api && facts.docs),
    // Files of generated/ have the same bytes on every system, and reviews collapse them.
    '.gitattributes': '* text=auto eol=lf\ngenerated/** linguist-generated=true\n',
    '.prettierrc': '{ "printWidth": 120, "singleQuote": true, "trailingComma": "all" }\n',
    '.gitignore': `${IGNORED_BY_GIT.join('\n')}\n`,
    '.mcp.json': MCP,
    '.dockerignore': DOCKERIGNORE,
    Dockerfile: productionDockerfile({
      port: facts.port,
      node: nodeOf(facts),
      ...(api && { database: databaseFile(facts.database) }),
    }),
    'README.md': readme(facts),
    'app.config.ts': config(facts),
    ...environmentFiles(variablesOf(facts)),
    'app/index.ts': appPlugin(facts),
    'app/errors.ts': ERRORS,
    'app/route-modules.ts': `// The list is written from the files of app/routes that have a default export, by \`fw codegen\` and \`fw generate\`; one that was edited by hand stays.\n${blockText('routes', routeListBody(['status.ts']))}\n`,
    'app/routes/status.ts': STATUS,
  };
}

// A database without a server is a file, which has to outlive the container.
function databaseFile({ facts: { address } }: DatabaseEntry) {
  const { option, variable, default: fallback = '' } = address;
  return option === 'file' ? { variable, file: path.posix.basename(fallback) } : undefined;
}

const nodeOf = ({ template, database }: TemplateFacts): string => (template === 'api' && database.node) || NODE;

/** The part of package.json that is the same for all new projects. */
export const newManifest = () => ({
  scripts: {
    dev: 'fw dev',
    codegen: 'fw codegen',
    build: 'fw codegen && fw build',
    bundle: 'fw codegen && fw build --bundle',
    // A script of its own, so that `start` is a single command: most shells then replace themselves by it, and it receives the signals that
    // npm gets.
    prestart: 'fw codegen && fw build',
    start: 'fw start',
    typecheck: 'fw codegen && node node_modules/typescript-7/bin/tsc',
    lint: 'eslint .',
    test: 'fw codegen && node --experimental-vm-modules --no-warnings node_modules/jest/bin/jest.js',
  },
  devDependencies: DEVELOPMENT,
  // The install scripts that are needed: npm asks about others at every install, and later releases run only those that are named
  // (https://docs.npmjs.com/cli/commands/npm-install-scripts).
  allowScripts: {
    ...COMPILED,
    esbuild: true,
    '@parcel/watcher': false,
    '@scarf/scarf': false,
    'unrs-resolver': true,
  },
  // Later versions depend on packages that the registry lacks for some systems, so that `npm ci` refuses the lock file.
  overrides: { 'unrs-resolver': '1.12.2' },
  // A package of the API reference reports installations to its maker unless this is set.
  scarfSettings: { enabled: false },
});

function manifest(facts: TemplateFacts): string {
  const { name, template, tarball, database } = facts;
  const { scripts, ...rest } = newManifest();
  const text = {
    name: packageName(name),
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: nodeOf(facts) },
    scripts,
    dependencies: {
      ...(template === 'api' && database.dependencies.dependencies),
      fw: `file:vendor/${tarball}`,
    },
    ...rest,
  };
  return `${JSON.stringify(text, null, 2)}\n`;
}

/** A name that npm accepts, from a folder's name. */
function packageName(name: string): string {
  const scoped = /^@[a-z0-9~-][\w.~-]*\/[a-z0-9~-][\w.~-]*$/.test(name);
  return scoped
    ? name
    : name
        .toLowerCase()
        .replace(/[^a-z0-9._~-]+/g, '-')
        .replace(/^[._-]+|-+$/g, '') || 'app';
}

const TSCONFIG = `{
  "compilerOptions": {
    "target": "ES2022",
    "lib": ["ES2023"],
    "module": "nodenext",
    "moduleResolution": "nodenext",
    "types": ["node"],
    "rootDir": ".",
    "noEmit": true,
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "noImplicitOverride": true,
    "experimentalDecorators": true,
    "emitDecoratorMetadata": false,
    "useDefineForClassFields": false,
    "verbatimModuleSyntax": true,
    "isolatedModules": true,
    "skipLibCheck": true
  },
  "include": ["app", "generated", "tests", "bench", "app.config.ts"]
}
`;

const MCP = `{
  "mcpServers": {
    "fw": {
      "command": "node_modules/.bin/fw-mcp",
      "args": ["--mode", "generator"]
    }
  }
}
`;

const ESLINT = `import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
  globalIgnores(['dist/', 'generated/', 'coverage/', 'vendor/']),
  tseslint.configs.recommended,
  // For every file: without it the parser looks for a folder, and gives up where another project lies in this one.
  { languageOptions: { parserOptions: { tsconfigRootDir: import.meta.dirname } } },
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
);
`;

const JEST = `/** Native ES modules; TypeScript goes through esbuild with the settings of tsconfig.json. */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\\\.{1,2}/.*)\\\\.js$': '$1' },
  transform: { '^.+\\\\.ts$': '<rootDir>/tests/typescript.cjs' },
  testMatch: ['<rootDir>/{app,tests}/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  collectCoverageFrom: ['app/**/*.ts'],
  coverageProvider: 'v8',
  // For hooks, too: a busy machine may take longer than Jest's five seconds to start an application and its database.
  testTimeout: 60_000,
};
`;

const TRANSFORM = `const { readFileSync } = require('node:fs');
const path = require('node:path');
const esbuild = require('esbuild');

const tsconfigRaw = readFileSync(path.join(__dirname, '../tsconfig.json'), 'utf8');

module.exports = {
  process: (source, file) =>
    esbuild.transformSync(source, {
      loader: 'ts',
      format: 'esm',
      target: 'node20',
      sourcefile: file,
      sourcemap: 'inline',
      tsconfigRaw,
    }),
};
`;

function config({ name, template, docs, database }: TemplateFacts): string {
  const api = template === 'api';
  const entries = [
    `plugin(() => import('fw/http'), { host: env.HOST, port: env.PORT }, { test: { host: '127.0.0.1', port: 0 } })`,
    `plugin(() => import('fw/middleware/recovery'))`,
    `plugin(() => import('fw/middleware/logging'), {}, { test: false })`,
    ...(api
      ? [
          `plugin(() => import('fw/middleware/security-headers'))`,
          ...(docs ? [`plugin(() => import('fw/docs'), { title: ${literal(name)} })`] : []),
          `plugin(
      () => import('fw/orm'),
      { ${[...database.options, CREATED].join(', ')} },${database.variants === '' ? '' : `\n      ${database.variants},`}
    )`,
        ]
      : []),
    `plugin(() => import('./app/index.js'))`,
  ];
  return `import { defineApp, plugin } from 'fw';
import { env } from './app/environment.js';

/** The application. Middlewares wrap each other in the order of this list, the first outermost. */
export default defineApp({
  name: ${literal(name)},
  version: '0.1.0',
  models: ['app/models/**/*.ts'],
  routes: ['app/routes/**/*.ts'],
  generated: () => import('./generated/index.js'),
  plugins: [
${entries.map((entry) => `    ${entry},\n`).join('')}  ],
});
`;
}

function appPlugin({ name }: TemplateFacts): string {
  return `import { definePlugin, HttpRoutes } from 'fw';
import { ROUTE_MODULES } from './route-modules.js';

/** The application itself: a plugin like any other. */
export default definePlugin({
  id: 'app',
  category: 'app',
  description: ${literal(`Routes of ${name}`)},
  needs: ['http'],
  optionalNeeds: ['orm'],
  register({ contribute }) {
    for (const module of ROUTE_MODULES) contribute(HttpRoutes, () => module);
  },
});
`;
}

const ERRORS = `import { defineErrors } from 'fw';

/** Every error that the routes of the application answer with: a code, a sentence, a status. */
export const APP_ERRORS = defineErrors('app', {
  FW_APP_NOT_FOUND: {
    message: 'There is no {what} with the id {id}.',
    status: 404,
    cause: 'The id in the path belongs to nothing.',
    remedy: 'List what exists, and use one of its ids.',
  },
  FW_APP_REFERENCE: {
    message: '{field} names a {what} that does not exist: {id}.',
    status: 422,
    cause: 'A body refers to a row that is not there.',
    remedy: 'Create that row first, or use the id of one that exists.',
  },
  FW_APP_TAKEN: {
    message: 'The {field} {value} is taken.',
    status: 409,
    cause: 'Another row has the same value, which must be unique.',
    remedy: 'Choose another value.',
  },
});
`;

const STATUS = `import { Type } from 'fw';
import { routes } from 'fw/http';

const Status = Type.Object({ status: Type.String() });

/** Says that the application is up. */
export default routes((router) => {
  router.get('/', { title: 'Status', public: true, tags: ['status'], output: Status }, function readStatus() {
    return { status: 'ok' };
  });
}, 'status');
`;

function testApp(database: DatabaseEntry | undefined): string {
  const orm = database
    ? `\n      ${laidOut(`plugin(() => import('fw/orm'), { ${[...database.optionsInTests, CREATED].join(', ')} })`, '      ')},`
    : '';
  const env = orm.includes('env.') ? `import { env } from '../app/environment.js';\n` : '';
  return `import { HttpServer, plugin } from 'fw';
import { bootTestApp, type BootedTestApp } from 'fw/testing';
${env}
/** An answer with its body read. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** The application under test. */
export interface TestApp extends BootedTestApp {
  call(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** Boots the routes of the application on a free port${ownDatabase(database)}. */
export async function startTestApp(): Promise<TestApp> {
  const app = await bootTestApp({
    printErrors: true,
    generated: () => import('../generated/index.js'),
    plugins: [
      // Without the middlewares of app.config.ts.
      plugin(() => import('fw/http'), { port: 0 }),${orm}
      plugin(() => import('../app/index.js')),
    ],
  });
  const { url } = app.services.get(HttpServer);
  return Object.assign(app, { call: (method: string, path: string, body?: unknown) => call(url + path, method, body) });
}

async function call(url: string, method: string, body: unknown): Promise<Answer> {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(url, { method, ...(body !== undefined && { headers, body: JSON.stringify(body) }) });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
}
`;
}

const ownDatabase = (database: DatabaseEntry | undefined): string =>
  database === undefined ? '' : database.isOwnInTests ? ' and a database of their own' : ` and ${database.facts.title}`;

function statusTest(documented: boolean): string {
  const docs = `
  test('documents its routes', async () => {
    const document = (await (await fetch(\`\${url}/openapi.json\`)).json()) as { paths: Record<string, unknown> };
    expect(Object.keys(document.paths)).toContain('/');
  });
`;
  return `import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { HttpServer } from 'fw';
import { bootTestApp, type BootedTestApp } from 'fw/testing';
import config from '../app.config.js';

let app: BootedTestApp;
let url: string;
beforeAll(async () => {
  app = await bootTestApp({ ...config, root: process.cwd(), printErrors: true });
  ({ url } = app.services.get(HttpServer));
});
afterAll(() => app.stop());

describe('the application as app.config.ts has it', () => {
  test('answers', async () => {
    const answer = await fetch(url);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ status: 'ok' });
  });
${documented ? docs : ''}});
`;
}

function readme(facts: TemplateFacts): string {
  const { name, template, docs, port } = facts;
  const api = template === 'api';
  const resource = api ? 'Customer name:string email:string:email,unique' : 'Customer';
  const address = `http://127.0.0.1:${port}`;
  const rows = [
    [
      '`npm run dev`',
      `serves at ${address}, and again with every file that you save; what is wrong is shown there and in the browser`,
    ],
    ['`npm start`', `generates, builds and serves at ${address}`],
    ['`npm run bundle`', 'puts it into `dist/bundle`: with Node, `node dist/bundle/start.js` serves it in production'],
    ['`npm test`', 'runs the tests'],
    ['`npm run typecheck`, `npm run lint`', 'check types and style'],
    [`\`${PROJECT_FW} routes\``, 'lists the routes'],
    [`\`${PROJECT_FW} generate\`, \`${PROJECT_FW} add\``, 'list what can be generated and added'],
  ];
  const files = [
    ['`app.config.ts`', 'everything that runs, in the order in which requests pass through it'],
    ['`app/environment.ts`', 'what it takes from its environment'],
    ['`app/routes`', 'route modules; `app/route-modules.ts` lists them'],
    ...(api ? [['`app/models`', 'classes with columns and relations; they say what the tables are']] : []),
    ['`app/errors.ts`', 'every error that the routes answer with'],
    ['`tests`', `tests over HTTP, on a free port${ownDatabase(api ? facts.database : undefined)}`],
    ['`generated`', 'written by `fw codegen`: commit it, never edit it'],
    ['`Dockerfile`', 'an image of it: `docker build -t ' + packageName(name).replace(/^@.*\//, '') + ' .`'],
    ['`vendor`', 'the framework itself, packed'],
    ['`.mcp.json`', 'lets an agent use the tools of the framework in this folder'],
  ];
  return `# ${name}

Needs Node ${nodeOf(facts).replace(/^>=|(?:\.0)+$/g, '')} or newer.

\`\`\`
npm install
npm run dev
\`\`\`
${api && docs ? `\nThe API reference is at ${address}/docsui, its document at ${address}/openapi.json.\n` : ''}
| Command | What it does |
|---|---|
${table(rows)}

\`\`\`
${PROJECT_FW} generate ${api ? 'resource' : 'handler'} ${resource}
${PROJECT_FW} add cors --origins https://app.example
\`\`\`

| Where | What |
|---|---|
${table(files)}

| Variable | What it says | Default |
|---|---|---|
| \`FW_PROFILE\` | \`dev\`, \`test\` or \`prod\`; not in a file | \`prod\` under \`NODE_ENV=production\`, else \`dev\` |
${variablesOf(facts).map(variableRow).join('\n')}

Set them where the application is started, or in a file \`.env\` (\`.env.example\` is a start), \`.env.dev\`, \`.env.test\` or
\`.env.prod\`. Declare your own in \`app/environment.ts\`: what is missing or wrong is said all at once, before anything starts.
`;
}

const variablesOf = ({ template, host, port, database }: TemplateFacts): readonly Variable[] => [
  portVariable('PORT', 'port that it listens on; 0 for any that is free', port),
  { name: 'HOST', description: 'address that it listens on', type: 'String', default: host },
  ...(template === 'api' ? [database.variable] : []),
];

const table = (rows: readonly (readonly string[])[]): string => rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
