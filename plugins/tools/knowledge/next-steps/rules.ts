import type { ModelFacts } from '../../../../kernel/index.js';
import { PROJECT_FW } from '../../../../kernel/invocation/index.js';
import type { RouteEntry } from '../../../../codegen/routes/index.js';
import type { ProjectState } from './project-state.js';
import type { NextStepRule } from './suggestion.js';

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const shownRoutes = ({ routes }: ProjectState) => routes.filter(({ path, hidden }) => path.startsWith('/') && !hidden);
const keyOf = ({ method, path }: RouteEntry) => `${method} ${path}`;

const mistakes: NextStepRule = {
  kind: 'sources-with-mistakes',
  severity: 'error',
  find: ({ mistakes: why }) =>
    why === undefined
      ? []
      : [
          {
            rationale: `fw codegen cannot read the sources: ${why}`,
            action: 'Correct what the message names; fw_verify_project shows the lines.',
            call: { tool: 'fw_verify_project', arguments: { skip_tests: true } },
          },
        ],
};

const staleGenerated: NextStepRule = {
  kind: 'stale-generated',
  severity: 'error',
  find: ({ stale }) =>
    stale.length === 0
      ? []
      : [
          {
            subject: stale.join(', '),
            rationale:
              'The sources have changed since generated/ was written: validators, accessors and route lists are old.',
            action: `Run ${PROJECT_FW} codegen; npm test, npm start and npm run build do it first.`,
          },
        ],
};

const editedBlocks: NextStepRule = {
  kind: 'edited-blocks',
  severity: 'warning',
  find: ({ facts }) =>
    facts.edited.map(({ block, file }) => ({
      subject: `${file}: ${block}`,
      rationale: 'A generated block was edited by hand, so that the generators refuse to replace it.',
      action: 'Move the change out of the block, and generate it again with the flag force.',
    })),
};

const modelWithoutRoutes: NextStepRule = {
  kind: 'model-without-routes',
  severity: 'warning',
  find: (state) =>
    state.models
      .filter(({ name }) => !shownRoutes(state).some((route) => mentions(route, name)))
      .map(({ name }) => ({
        subject: name,
        rationale: `No route shows the model ${name}.`,
        action: 'Generate a resource, or leave it when other models are all that uses it.',
        call: { tool: 'fw_generate', arguments: { kind: 'resource', name } },
      })),
};

function mentions({ block, path, handler, outputModel, output }: RouteEntry, model: string): boolean {
  const words = [block, path, handler, outputModel ?? '', String(output?.['title'] ?? '')].join(' ');
  return words.toLowerCase().replaceAll(/[-_]/g, '').includes(model.toLowerCase());
}

const routeWithoutDocs: NextStepRule = {
  kind: 'route-without-docs',
  severity: 'warning',
  find: (state) =>
    state.feature('docs') === undefined
      ? []
      : shownRoutes(state)
          .filter(({ title, websocket, output, outputExample, status }) => {
            const hasAnswer = output !== undefined || outputExample !== undefined || status === 204 || websocket;
            return title === '' || !hasAnswer;
          })
          .map((route) => ({
            subject: keyOf(route),
            rationale: 'The API reference says nothing of what this route is or answers.',
            action: `Give it a title and an output schema, in ${route.file}:${route.line}.`,
          })),
};

const writeWithoutAuth: NextStepRule = {
  kind: 'write-without-auth',
  severity: 'warning',
  find: (state) => {
    const open = shownRoutes(state).filter((route) => WRITES.has(route.method) && !isGuarded(route, state));
    const jwt = state.feature('jwt');
    return open.map((route) => ({
      subject: keyOf(route),
      rationale: jwt
        ? 'JWT authentication is on, but does not protect this path.'
        : 'Anybody who reaches the service can change data by it.',
      ...protection(state, 'Add JWT authentication for the methods that write.', { methods: [...WRITES].join(',') }),
    }));
  },
};

// Existing options are a person's choice: fw_add would refuse to replace them.
function protection(state: ProjectState, action: string, flags: Readonly<Record<string, string>>) {
  if (state.feature('jwt'))
    return { action: 'Give the route `roles`, or say `public: true` when anybody may call it.' };
  return { action, call: { tool: 'fw_add', arguments: { feature: 'jwt', flags } } };
}

// A route that declares its callers is guarded. Its own middleware may check them, too; only a person can tell.
function isGuarded({ path, method, middleware, roles, public: isPublic }: RouteEntry, state: ProjectState): boolean {
  const jwt = state.feature('jwt');
  if (middleware > 0 || roles !== undefined || isPublic) return true;
  if (!jwt) return false;
  const { protect, methods } = jwt.options;
  const covered = !Array.isArray(protect) || protect.some((pattern) => matches(String(pattern), path));
  return covered && (!Array.isArray(methods) || methods.length === 0 || methods.includes(method));
}

// `/api/**`: two stars match any number of segments, one star a part of a segment.
function matches(pattern: string, path: string): boolean {
  const source = pattern
    .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('/**', '\0')
    .replaceAll('*', '[^/]*')
    .replaceAll('\0', '(?:/.*)?');
  return new RegExp(`^${source}$`).test(path);
}

const handlerWithoutTest: NextStepRule = {
  kind: 'handler-without-test',
  severity: 'warning',
  find: (state) => {
    const files = new Map<string, RouteEntry[]>();
    for (const route of shownRoutes(state)) files.set(route.file, [...(files.get(route.file) ?? []), route]);
    return [...files]
      .filter(([, routes]) => !routes.some((route) => isTested(route, state)))
      .map(([file, routes]) => ({
        subject: file,
        rationale: `No test calls ${routes.map(keyOf).join(', ')}.`,
        action: 'Write a test that boots the application and requests one of them; tests/status.test.ts shows how.',
      }));
  },
};

function isTested({ path }: RouteEntry, { tests }: ProjectState): boolean {
  const fixed = path.split(/\/[:*]/)[0] ?? path;
  return tests.some((text) => (fixed === '' || fixed === '/' ? /['"`/]\/['"`?]/.test(text) : text.includes(fixed)));
}

const missingMigration: NextStepRule = {
  kind: 'missing-migration',
  severity: 'warning',
  find: (state) => {
    const orm = state.feature('orm');
    if (!orm || orm.options['schema'] === 'create-missing') return [];
    const missing = state.models.filter(({ table }) => !state.migrations.some((text) => hasName(text, table)));
    const [first, ...also] = missing;
    if (first && also.length > 0 && state.has('fw_write_migration')) return [migrationOfAll(first, also)];
    return missing.map(({ name, table }) => ({
      subject: name,
      rationale: `No migration names the table ${table}, and nothing creates it in the profile prod.`,
      action: `Write a migration for the table ${table}, which ${PROJECT_FW} migrate diff does from the models, and run ${PROJECT_FW} migrate up.`,
      call: state.has('fw_write_migration')
        ? { tool: 'fw_write_migration', arguments: { name: `create ${table}` } }
        : { tool: 'fw_generate', arguments: { kind: 'migration', name: `Create${inPascalCase(table)}` } },
    }));
  },
};

// Not as a part of a longer name. A table may be called anything.
function hasName(text: string, name: string): boolean {
  return new RegExp(`(?<!\\w)${name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?!\\w)`).test(text);
}

// One call writes the tables of all models: a suggestion for each would be called once for each.
function migrationOfAll(first: ModelFacts, also: readonly ModelFacts[]) {
  const tables = [first, ...also].map(({ table }) => table);
  return {
    subject: first.name,
    also: also.map(({ name }) => name),
    rationale: `No migration names the tables ${tables.join(', ')}, and nothing creates them in the profile prod.`,
    action: 'Write one migration for all of them, from the models, and apply it with fw_migrate.',
    call: { tool: 'fw_write_migration', arguments: { name: `create ${first.table} and ${also.length} more` } },
  };
}

const inPascalCase = (table: string): string =>
  table.replaceAll(
    /[^A-Za-z0-9]*([A-Za-z0-9])([A-Za-z0-9]*)/g,
    (_, first: string, rest: string) => first.toUpperCase() + rest,
  );

const fleetOff: NextStepRule = {
  kind: 'fleet-off',
  severity: 'info',
  find: (state) =>
    state.feature('fleet') || state.routes.length === 0
      ? []
      : [
          {
            subject: 'fleet',
            rationale: 'Requests are not traced: across services, nobody sees which one was slow or failed.',
            action: 'Add Fleet tracing.',
            call: { tool: 'fw_add', arguments: { feature: 'fleet' } },
          },
        ],
};

const fleetWithoutDocs: NextStepRule = {
  kind: 'fleet-without-docs',
  severity: 'warning',
  find: (state) =>
    state.feature('fleet') && !state.feature('docs')
      ? [
          {
            subject: 'docs',
            rationale: 'Fleet checks contracts by the OpenAPI document of a service, and this one has none.',
            action: 'Add the API reference.',
            call: { tool: 'fw_add', arguments: { feature: 'docs' } },
          },
        ]
      : [],
};

const fleetWithoutAggregator: NextStepRule = {
  kind: 'fleet-without-aggregator',
  severity: 'error',
  find: (state) => {
    const { aggregatorURL: url, transport } = state.feature('fleet')?.options ?? {};
    const exportsNowhere = url === '' && transport !== 'events' && !state.facts.plugins.includes('fw/fleet/aggregator');
    return exportsNowhere
      ? [
          {
            subject: 'fleet',
            rationale: 'The URL of the aggregator is empty, so that spans are collected and dropped.',
            action: 'Set aggregatorURL, or run an aggregator in this application.',
            call: { tool: 'fw_add', arguments: { feature: 'fleet', flags: { aggregator: true, force: true } } },
          },
        ]
      : [];
  },
};

const noDocs: NextStepRule = {
  kind: 'no-docs',
  severity: 'warning',
  find: (state) =>
    state.feature('docs') || state.feature('fleet') || state.routes.length === 0
      ? []
      : [
          {
            subject: 'docs',
            rationale: 'The service has routes, but no API reference: no OpenAPI document, no llms.txt.',
            action: 'Add the API reference.',
            call: { tool: 'fw_add', arguments: { feature: 'docs' } },
          },
        ],
};

const websocketWithoutAuth: NextStepRule = {
  kind: 'websocket-without-auth',
  severity: 'warning',
  find: (state) =>
    state.routes
      .filter((route) => route.websocket === true && !isGuarded(route, state))
      .map((route) => ({
        subject: route.path,
        rationale: 'Anybody who reaches the service can open this socket.',
        ...protection(state, 'Add JWT authentication that protects its path.', { protect: route.path }),
      })),
};

const WRITE_LLMS = { tool: 'fw_generate_llms_txt', arguments: { write: true } };

const llmsMissing: NextStepRule = {
  kind: 'llms-missing',
  severity: 'info',
  find: ({ llms }) =>
    llms === 'missing'
      ? [{ rationale: 'There is no llms.txt for agents that use the service.', action: 'Write it.', call: WRITE_LLMS }]
      : [],
};

const llmsStale: NextStepRule = {
  kind: 'llms-stale',
  severity: 'warning',
  find: ({ llms }) =>
    llms === 'stale' || llms === 'edited'
      ? [{ rationale: 'llms.txt says something else than the sources.', action: 'Write it anew.', call: WRITE_LLMS }]
      : [],
};

/** Every rule, the most pressing first. */
export const NEXT_STEP_RULES: readonly NextStepRule[] = [
  mistakes,
  staleGenerated,
  fleetWithoutAggregator,
  writeWithoutAuth,
  websocketWithoutAuth,
  missingMigration,
  handlerWithoutTest,
  routeWithoutDocs,
  modelWithoutRoutes,
  noDocs,
  fleetWithoutDocs,
  editedBlocks,
  llmsStale,
  llmsMissing,
  fleetOff,
];
