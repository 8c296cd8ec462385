import { fwError } from '../../../kernel/errors/index.js';
import { withoutEnd } from '../../../kernel/values/index.js';
import { serverOptions } from '../../../plugins/orm/dialect/options.js';
import type { DialectFacts } from '../../../plugins/orm/registry/index.js';
import { type Feature, findFeature } from '../../../plugins/tools/introspection/feature-catalogue.js';
import type { Import } from '../engine/imports.js';
import type { Dependencies } from '../engine/manifest.js';
import { literal } from '../engine/literal.js';
import type { FlagValue } from '../engine/schematic.js';
import { textVariable, type Variable } from '../environment/index.js';
import { SCHEMATICS_ERRORS } from '../errors.js';
import { databaseEntry } from './database-entry.js';

/** The parts of a project that a feature adds. */
interface FeatureEntry {
  /** Modules and the further arguments of their `plugin(...)` calls, in order. */
  readonly plugins: readonly { readonly module: string; readonly options: string; readonly variants: string }[];
  /** Options that the entry is about: when it replaces a listed one, all others stay as the project has them. Undefined for all of them. */
  readonly replaces: readonly string[] | undefined;
  readonly dependencies: Dependencies;
  /** Environment variables that the options use, as `env.NAME`. */
  readonly variables: readonly Variable[];
  /** Options to set in entries that are listed already. */
  readonly settings: readonly Setting[];
  /** Elements to add to list options of entries that are listed already. */
  readonly elements: readonly ListElement[];
  /** Columns that models get. */
  readonly columns: readonly AddedColumn[];
  /** Entries that the tests' plugin list needs too, because routes do not work without them. */
  readonly inTests: readonly { readonly module: string; readonly call: string }[];
  /** npm scripts to add. */
  readonly scripts: Readonly<Record<string, string>>;
  /** Files to write unless they exist. */
  readonly files: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

/** An option of a plugin, and its new value. */
export interface Setting {
  readonly module: string;
  /** The variant that it belongs to; undefined for the options of every profile. */
  readonly profile?: 'test' | undefined;
  readonly option: string;
  /** Source text. */
  readonly value: string;
}

/** An element to add to a list option, with the variables that it uses. */
export interface ListElement {
  readonly module: string;
  readonly option: string;
  /** Source text. */
  readonly value: string;
  readonly imports: readonly Import[];
}

/** A column that a model gets. */
export interface AddedColumn {
  readonly model: string;
  /** Name in the table. */
  readonly column: string;
  /** Type of the property, and the options of the tag. */
  readonly type: string;
  readonly options: string;
  /** Whether no answer has it. */
  readonly isPrivate: boolean;
}

/** Flags of a call, with the types of the catalogue. */
export class FeatureFlags {
  constructor(
    readonly feature: Feature,
    readonly given: Readonly<Record<string, FlagValue>>,
    /** Whether app.config.ts lists a module. */
    readonly isListed: (module: string) => boolean,
    /** The dialects that the project can use. */
    readonly dialects: readonly DialectFacts[],
  ) {}

  /** The same flags, as those of another feature. */
  of(name: string): FeatureFlags {
    return new FeatureFlags(findFeature(name) ?? this.feature, this.given, this.isListed, this.dialects);
  }

  has(name: string): boolean {
    return name in this.given;
  }

  value(name: string): FlagValue {
    const spec = this.feature.flags.find((flag) => flag.name === name);
    return this.given[name] ?? spec?.default ?? '';
  }

  text(name: string): string {
    return String(this.value(name));
  }

  /** A member of an options literal. */
  member(option: string, name: string): string {
    return `${option}: ${literal(this.value(name))}`;
  }

  /** The same, when the flag was given. */
  whenGiven(option: string, name: string): readonly string[] {
    return this.has(name) && this.text(name) !== '' ? [this.member(option, name)] : [];
  }

  refuse(flag: string, problem: string): Error {
    return fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_FLAG, {
      flag: `--${flag}`,
      what: `feature ${this.feature.name}`,
      problem,
    });
  }
}

type Make = (flags: FeatureFlags) => Partial<FeatureEntry> & {
  /** Members of the options literal; ignored if `plugins` gives the entries. */
  readonly options?: readonly string[];
  readonly variants?: string;
  readonly before?: FeatureEntry['plugins'];
  /** Whether routes ask for its services, which the tests of routes need then, too. */
  readonly servesRoutes?: boolean;
};

/** The entry of a feature. */
export function entryOf(flags: FeatureFlags): FeatureEntry {
  const made = MAKERS[flags.feature.name]?.(flags) ?? {};
  const { options = [], variants = '', before = [], dependencies = {}, files = {}, notes = [] } = made;
  const { replaces, variables = [], settings = [], elements = [], columns = [], inTests = [], scripts = {} } = made;
  const own = {
    module: flags.feature.plugin,
    options: options.length === 0 ? '' : `{ ${options.join(', ')} }`,
    variants,
  };
  const ownCall = `plugin(() => import('${own.module}'), ${own.options || '{}'})`;
  return {
    plugins: made.plugins ?? [...before, own],
    replaces,
    dependencies,
    variables,
    settings,
    elements,
    columns,
    inTests: made.servesRoutes === true ? [{ module: own.module, call: ownCall }] : inTests,
    scripts,
    files,
    notes,
  };
}

/** A TCP port. */
export const portVariable = (name: string, description: string, fallback: number): Variable => ({
  ...{ name, description, type: 'Integer', constraints: 'minimum: 0, maximum: 65535', default: fallback },
});

const secretVariable = (name: string, description: string, inTests: string): Variable => ({
  ...{
    name,
    description: `${description}; 32 characters or more`,
    type: 'String',
    constraints: 'minLength: 32',
    inTests,
  },
});

// Login routes, whose callers have no token yet.
const LOGINS = ['/api/login', '/api/auth/login'];

const isBelow = (path: string, pattern: string): boolean =>
  pattern.endsWith('/**') && path.startsWith(pattern.slice(0, -'**'.length));

const AGGREGATOR_CREDENTIALS =
  '{ username: env.FLEET_USERNAME, password: env.FLEET_PASSWORD, ingestToken: env.FLEET_INGEST_TOKEN }';

const INGEST_TOKEN = textVariable('FLEET_INGEST_TOKEN', 'lets services report to the Fleet Aggregator', '');
const AGGREGATOR_VARIABLES = [
  textVariable('FLEET_USERNAME', 'who may read the traces of the fleet', ''),
  textVariable('FLEET_PASSWORD', 'password of who may read the traces of the fleet', ''),
  INGEST_TOKEN,
];

const MAKERS: Readonly<Record<string, Make>> = {
  events: (flags) => ({
    options: [
      flags.member('concurrency', 'workers'),
      flags.member('queueCapacity', 'queue-size'),
      ...flags.whenGiven('recorded', 'recorded'),
    ],
    servesRoutes: true,
    notes: ['make events with fw generate event, and listeners with fw generate listener'],
  }),
  logging: () => ({ variants: '{ test: false }' }),
  fleet: (flags) => ({
    options: [
      'enabled: true',
      'serviceName: env.FLEET_SERVICE_NAME',
      ...(flags.given['aggregator'] === true
        ? []
        : [
            'aggregatorURL: env.FLEET_WRITE_URL',
            'ingestToken: env.FLEET_INGEST_TOKEN',
            'serviceToken: env.FLEET_SERVICE_TOKEN',
            'advertiseURL: env.FLEET_ADVERTISE_URL',
          ]),
      ...flags.whenGiven('transport', 'transport').map((text) => text.replace(`'ws'`, `'websocket'`)),
      ...flags.whenGiven('sampleRate', 'sample-rate'),
    ],
    variants: '{ test: { enabled: false } }',
    variables: [
      textVariable('FLEET_SERVICE_NAME', 'name of the service in traces', flags.text('service')),
      ...(flags.given['aggregator'] === true
        ? AGGREGATOR_VARIABLES
        : [
            textVariable('FLEET_WRITE_URL', 'address of the Fleet Aggregator', flags.text('aggregator-url')),
            INGEST_TOKEN,
            textVariable('FLEET_SERVICE_TOKEN', 'token that the Fleet Aggregator knows the service by', ''),
            textVariable('FLEET_ADVERTISE_URL', 'address by which the Fleet Aggregator reaches the service', ''),
          ]),
    ],
    before:
      flags.given['aggregator'] === true
        ? [{ module: 'fw/fleet/aggregator', options: AGGREGATOR_CREDENTIALS, variants: '' }]
        : [],
    notes:
      flags.given['aggregator'] === true
        ? [
            'set FLEET_USERNAME and FLEET_PASSWORD to read the traces in production, FLEET_INGEST_TOKEN to take those of other services',
          ]
        : [
            'set FLEET_WRITE_URL, FLEET_INGEST_TOKEN and FLEET_SERVICE_TOKEN where the aggregator is elsewhere',
            'set FLEET_ADVERTISE_URL where the aggregator reaches the service by another address',
            'services of yours go on with the trace where they are called by tracedFetch(ctx)(url) of fw/fleet in place of fetch(url)',
          ],
  }),
  dashboard: (flags) => ({
    options: [
      ...flags.whenGiven('basePath', 'basepath'),
      ...(flags.has('user') ? [flags.member('username', 'user')] : ['username: env.DASHBOARD_USERNAME']),
      ...(flags.has('pass') ? [flags.member('password', 'pass')] : ['password: env.DASHBOARD_PASSWORD']),
    ],
    variables: [
      ...(flags.has('user') ? [] : [textVariable('DASHBOARD_USERNAME', 'who may see the dashboard', '')]),
      ...(flags.has('pass') ? [] : [textVariable('DASHBOARD_PASSWORD', 'password of the dashboard', '')]),
    ],
    notes: [
      'set DASHBOARD_USERNAME and DASHBOARD_PASSWORD; without both only this machine reaches the dashboard, and nobody in production',
    ],
  }),
  ratelimit: (flags) => ({
    options: [
      flags.member('requests', 'requests'),
      flags.member('per', 'per'),
      ...flags.whenGiven('message', 'message'),
    ],
  }),
  i18n: (flags) => {
    const locales = list(flags.text('locales'));
    const dir = folder(flags, 'dir');
    if (locales.length === 0 || locales.some((locale) => !/^[A-Za-z]{2,3}(-[A-Za-z0-9]+)*$/.test(locale))) {
      throw flags.refuse('locales', `"${flags.text('locales')}" is not a list of locales such as en,de`);
    }
    const catalog = (locale: string) =>
      `${JSON.stringify({ greeting: 'Hello, {name}!', locale_name: locale }, null, 2)}\n`;
    return {
      options: [`dir: ${literal(dir)}`, `defaultLocale: ${literal(locales[0] ?? 'en')}`],
      files: Object.fromEntries(locales.map((locale) => [`${dir}/${locale}.json`, catalog(locale)])),
    };
  },
  cors: (flags) => {
    if (flags.value('credentials') === true && flags.text('origins') === '*') {
      throw flags.refuse(
        'credentials',
        'browsers refuse credentials together with the origin *; name the origin with --origins',
      );
    }
    return {
      options: [
        flags.member('allowOrigins', 'origins'),
        `allowMethods: ${literal(list(flags.text('methods')).join(', '))}`,
        `allowHeaders: ${literal(list(flags.text('headers')).join(', '))}`,
        ...flags.whenGiven('exposeHeaders', 'expose'),
        ...(flags.value('credentials') === true ? [`allowCredentials: 'true'`] : []),
        `maxAge: '${flags.text('max-age')}'`,
      ],
    };
  },
  security: (flags) => ({
    options: [
      ...flags.whenGiven('contentSecurityPolicy', 'csp'),
      ...flags.whenGiven('xFrameOptions', 'frame-options'),
      ...flags.whenGiven('referrerPolicy', 'referrer-policy'),
    ],
  }),
  jwt: (flags) => {
    const secret = flags.text('secret-env');
    if (!/^[A-Z][A-Z0-9_]*$/.test(secret))
      throw flags.refuse('secret-env', `"${secret}" is not the name of an environment variable`);
    const refresh = flags.value('refresh') === true;
    const protect = list(flags.text('protect'));
    const open = LOGINS.filter((login) => protect.some((pattern) => isBelow(login, pattern)));
    const methods = list(flags.text('methods')).map((method) => method.toUpperCase());
    return {
      options: [
        `accessSecret: env.${secret}`,
        ...(refresh ? ['enableRefreshToken: true', `refreshSecret: env.${secret}_REFRESH`] : []),
        ...(flags.has('context-key') ? [flags.member('userContextKey', 'context-key')] : []),
        `protect: [${protect.map(literal).join(', ')}]`,
        ...(open.length > 0 ? [`except: [${open.map(literal).join(', ')}]`] : []),
        ...(methods.length > 0 ? [`methods: [${methods.map(literal).join(', ')}]`] : []),
      ],
      variables: [
        secretVariable(secret, 'signs the access tokens', 'a secret that only tests know: 0123456789'),
        ...(refresh
          ? [secretVariable(`${secret}_REFRESH`, 'signs the refresh tokens', 'another secret that only tests know: 01')]
          : []),
      ],
      variants: `{ test: { accessSecret: 'a secret that only tests know: 0123456789'${refresh ? `, refreshSecret: 'another secret that only tests know: 01'` : ''} } }`,
      // Without it, routes with roles would not boot in tests.
      inTests: [
        {
          module: 'fw/middleware/jwt',
          call: `plugin(() => import('fw/middleware/jwt'), { accessSecret: 'a secret that only tests know: 0123456789', protect: [] })`,
        },
      ],
      notes: [
        `what lies below the protected paths is closed${open.length > 0 ? `, but for ${open.join(' and ')}, where nobody has a token yet` : ''}; another route that anybody may call says \`public: true\`, and \`roles: [...]\` in the options of a route or group says who may`,
        `put ${secret}${refresh ? ` and ${secret}_REFRESH` : ''} (32 characters or more) into .env or the environment; the start fails without`,
      ],
    };
  },
  etag: () => ({ options: ['maxEntries: 10_000'] }),
  docs: (flags) => ({
    options: [
      ...flags.whenGiven('title', 'title'),
      ...flags.whenGiven('version', 'api-version'),
      ...flags.whenGiven('description', 'description'),
      ...flags.whenGiven('jsonPath', 'json-path'),
      ...(flags.has('ui-path') ? [flags.member('uiPath', 'ui-path')] : []),
    ],
  }),
  static: (flags) => {
    const prefix = flags.text('prefix');
    if (!/^(\/[\w.~-]+)+$/.test(prefix)) throw flags.refuse('prefix', `"${prefix}" is not a path such as /public`);
    const root = folder(flags, 'root');
    return {
      options: [`prefix: ${literal(prefix)}`, `root: ${literal(root)}`],
      files: { [`${root}/.gitkeep`]: '' },
      notes: [`what lies in ${root} is served to everybody at ${prefix}, but for hidden files`],
    };
  },
  websocket: (flags) => {
    const path = flags.text('path');
    if (!/^(\/[\w.~-]+)+$/.test(path)) throw flags.refuse('path', `"${path}" is not a path such as /ws`);
    return {
      servesRoutes: true,
      options: [`path: ${literal(path)}`, ...flags.whenGiven('broadcast', 'broadcast')],
      notes: ['plugins and routes send with services.get(WebSocketHub) of fw/websocket'],
    };
  },
  'soft-delete': (flags) => {
    const column = flags.text('column');
    if (!/^[a-z_][a-z0-9_]*$/i.test(column)) throw flags.refuse('column', `"${column}" is no name of a column`);
    const orm = flags.isListed('fw/orm') ? undefined : entryOf(flags.of('orm'));
    const model = flags.text('model');
    return {
      plugins: orm?.plugins ?? [],
      dependencies: orm?.dependencies ?? {},
      variables: orm?.variables ?? [],
      inTests: orm?.inTests ?? [],
      elements: [
        {
          module: 'fw/orm',
          option: 'plugins',
          value: `softDelete(${literal(column)})`,
          imports: [{ module: 'fw/orm', name: 'softDelete', text: 'softDelete' }],
        },
      ],
      columns: model === '' ? [] : [{ model, column, type: 'Date | null', options: 'index', isPrivate: true }],
      notes: [
        ...(orm?.notes ?? []),
        model === ''
          ? `models with the column ${column} are meant; add the feature again with the flag model to give it to one, or fw codegen after writing it`
          : `${model} has the column ${column} now; no answer has it, unless you take @json('-') away and declare it`,
        'where the schema comes from migrations, npm run migrate:diff -- --name soft-delete',
      ],
    };
  },
  migrations: (flags) => {
    const listed = flags.isListed('fw/orm');
    if (listed && flags.has('driver')) {
      throw flags.refuse('driver', 'app.config.ts lists fw/orm already, with a driver of its own; leave the flag out');
    }
    const orm = listed ? undefined : entryOf(flags.of('orm'));
    return {
      plugins: orm?.plugins ?? [],
      dependencies: orm?.dependencies ?? {},
      variables: orm?.variables ?? [],
      inTests: orm?.inTests ?? [],
      settings: [
        { module: 'fw/orm', option: 'schema', value: `'none'` },
        { module: 'fw/orm', profile: 'test', option: 'schema', value: `'create-missing'` },
      ],
      scripts: {
        migrate: 'npm run -s build && fw migrate up',
        'migrate:diff': 'npm run -s build && fw migrate diff',
        'migrate:down': 'npm run -s build && fw migrate down',
        'migrate:status': 'npm run -s build && fw migrate status',
      },
      files: { 'app/migrations/.gitkeep': '' },
      notes: [
        ...(orm?.notes ?? []),
        'npm run migrate:diff writes a migration from the models, npm run migrate applies it; do both before npm start',
      ],
    };
  },
  mcp: (flags) => ({
    options: [`mode: 'app-runtime'`, 'port: env.FW_APP_MCP_PORT', 'host: env.FW_APP_MCP_HOST'],
    variants: '{ test: false }',
    variables: [
      portVariable('FW_APP_MCP_PORT', 'port for agents', Number(flags.text('port'))),
      textVariable('FW_APP_MCP_HOST', 'address for agents', '127.0.0.1'),
    ],
    notes: ['set FW_MCP_TOKEN, or read the token that the start prints once'],
  }),
  orm: (flags) => {
    const wanted = { driver: flags.text('driver'), client: flags.text('client') };
    const entry = databaseEntry(wanted, flags.dialects, (flag, problem) => flags.refuse(flag, problem));
    const { variable, options, variants, dependencies, optionsInTests, notes } = entry;
    const tested = [...optionsInTests, CREATED].join(', ');
    return {
      variables: [variable],
      options: [...options, CREATED],
      replaces: [
        'driver',
        'client',
        'temporaryDatabase',
        ...Object.keys(serverOptions.properties),
        ...addressOptions(flags.dialects),
      ],
      variants,
      dependencies,
      inTests: [{ module: 'fw/orm', call: `plugin(() => import('fw/orm'), { ${tested} })` }],
      notes,
    };
  },
};

const addressOptions = (dialects: readonly DialectFacts[]) => dialects.map(({ address }) => address.option);

const CREATED = `schema: 'create-missing'`;

const list = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

function folder(flags: FeatureFlags, name: string): string {
  const text = withoutEnd(flags.text(name).replace(/^\.\//, ''), '/');
  if (/^[\w.-]+(\/[\w.-]+)*$/.test(text) && !text.split('/').includes('..')) return text;
  throw flags.refuse(name, `"${flags.text(name)}" is not a folder inside the project, such as locales`);
}
