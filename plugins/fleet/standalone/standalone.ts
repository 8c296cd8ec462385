import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type AppConfig, defineApp, fwError, type Plugin, plugin, type PluginEntry } from '../../../kernel/index.js';
import http from '../../http/index.js';
import { AGGREGATOR_ERRORS } from '../aggregator/index.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Packages by the name that `FLEET_EVENTS` takes. */
const BACKENDS: Readonly<Record<string, string>> = { nats: '@fw/backend-nats', kafka: '@fw/backend-kafka' };

/**
 * An application that is only an aggregator: `fw start aggregator`. Reads `FLEET_HOST` (127.0.0.1), `FLEET_PORT` (9000), `FLEET_BASE_PATH`
 * (/fleet), `FLEET_USERNAME`, `FLEET_PASSWORD`, `FLEET_INGEST_TOKEN`, `FLEET_SERVICE_TOKEN`, `FLEET_FETCH_ALLOWED_HOSTS` (comma-separated)
 * and `FLEET_OPEN_DOORS` (`openDoors` of fw/http). With `FLEET_EVENTS` (nats or kafka) it also reads spans from the broker at
 * `FLEET_BROKERS` (host:port, comma-separated) as the group `FLEET_GROUP_ID` (fleet-aggregator); the broker's package is looked up from the
 * current folder. With `FLEET_WEBHOOK_URL` and `FLEET_WEBHOOK_SECRET` it sends messages about incidents. With `FLEET_OTLP` (1) it takes
 * OTLP at `{basePath}/v1/traces`; with `FLEET_OTLP_URL` and `FLEET_OTLP_HEADERS` (`name=value`, comma-separated) it forwards spans over
 * OTLP.
 *
 * @throws FwError `FW_FLEET_EVENTS_BACKEND`
 */
export function standaloneAggregator(env: Environment): AppConfig {
  const { FLEET_HOST: host = '127.0.0.1', FLEET_PORT: port = '9000', FLEET_BASE_PATH: basePath = '/fleet' } = env;
  // Checked with the options of the plugin, which name what is expected.
  const openDoors = (env['FLEET_OPEN_DOORS'] ?? 'development') as 'development';
  return defineApp({
    name: 'fleet-aggregator',
    plugins: [
      ...backendOf(env),
      plugin(() => Promise.resolve(http), { host, port: Number(port), openDoors }),
      plugin(() => import('../aggregator/index.js'), {
        basePath,
        username: env['FLEET_USERNAME'] ?? '',
        password: env['FLEET_PASSWORD'] ?? '',
        ingestToken: env['FLEET_INGEST_TOKEN'] ?? '',
        serviceToken: env['FLEET_SERVICE_TOKEN'] ?? '',
        webhookURL: env['FLEET_WEBHOOK_URL'] ?? '',
        webhookSecret: env['FLEET_WEBHOOK_SECRET'] ?? '',
        fetchAllowedHosts: listOf(env['FLEET_FETCH_ALLOWED_HOSTS']),
      }),
      ...otlpOf(env),
      plugin(() => import('./health-plugin.js')),
    ],
  });
}

// Loaded only if configured.
function otlpOf(env: Environment): readonly PluginEntry[] {
  const { FLEET_OTLP: receives = '', FLEET_OTLP_URL: url = '', FLEET_OTLP_HEADERS: headers = '' } = env;
  if (receives === '' && url === '') return [];
  return [
    plugin(() => import('../otlp/index.js'), {
      receive: /^(?:1|true|on|yes)$/i.test(receives),
      url,
      forward: url !== '',
      headers: Object.fromEntries(listOf(headers).map(headerOf)),
    }),
  ];
}

// The format of OTEL_EXPORTER_OTLP_HEADERS: `name=value`, values percent-encoded where they have to be.
function headerOf(pair: string): readonly [string, string] {
  const at = pair.indexOf('=');
  const [name, value] = at === -1 ? [pair, ''] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
  try {
    return [name, decodeURIComponent(value)];
  } catch {
    return [name, value];
  }
}

function backendOf(env: Environment): readonly PluginEntry[] {
  const name = env['FLEET_EVENTS'] ?? '';
  if (name === '') return [];
  const file = fileOf(name);
  const options = { brokers: listOf(env['FLEET_BROKERS']), groupId: env['FLEET_GROUP_ID'] ?? 'fleet-aggregator' };
  return [plugin(() => import(file) as Promise<{ default: Plugin<typeof options> }>, options)];
}

// The package is resolved from the project that runs the aggregator, which may not be the folder of fw.
function fileOf(name: string): string {
  const known = Object.keys(BACKENDS).join(' or ');
  const refused = (reason: string, cause?: unknown) =>
    fwError(AGGREGATOR_ERRORS.FW_FLEET_EVENTS_BACKEND, { name, reason }, { cause });
  const specifier = Object.hasOwn(BACKENDS, name) ? (BACKENDS[name] as string) : undefined;
  if (specifier === undefined) throw refused(`expected is ${known}`);
  try {
    return pathToFileURL(createRequire(path.join(process.cwd(), 'package.json')).resolve(specifier)).href;
  } catch (cause) {
    throw refused(`the package ${specifier} is not installed in ${process.cwd()}`, cause);
  }
}

function listOf(text = ''): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
