import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type AppConfig, defineApp, fwError, type Plugin, plugin, type PluginEntry } from '../../../kernel/index.js';
import http from '../../http/index.js';
import { AGGREGATOR_ERRORS } from './errors.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Packages by the name that `FLEET_EVENTS` takes. */
const BACKENDS: Readonly<Record<string, string>> = { nats: '@fw/backend-nats', kafka: '@fw/backend-kafka' };

/**
 * An application that is an aggregator and nothing else: `fw start aggregator`. Reads `FLEET_HOST` (127.0.0.1), `FLEET_PORT`
 * (9000), `FLEET_BASE_PATH` (/fleet), `FLEET_USERNAME`, `FLEET_PASSWORD`, `FLEET_INGEST_TOKEN`, `FLEET_SERVICE_TOKEN`,
 * `FLEET_FETCH_ALLOWED_HOSTS` (comma-separated) and `FLEET_OPEN_DOORS` (`openDoors` of fw/http). With `FLEET_EVENTS` (nats or kafka) it also reads spans from the broker at
 * `FLEET_BROKERS` (host:port, comma-separated) as the group `FLEET_GROUP_ID` (fleet-aggregator); the broker's package is
 * looked up from the current folder.
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
      plugin(() => import('./index.js'), {
        basePath,
        username: env['FLEET_USERNAME'] ?? '',
        password: env['FLEET_PASSWORD'] ?? '',
        ingestToken: env['FLEET_INGEST_TOKEN'] ?? '',
        serviceToken: env['FLEET_SERVICE_TOKEN'] ?? '',
        fetchAllowedHosts: listOf(env['FLEET_FETCH_ALLOWED_HOSTS']),
      }),
      plugin(() => import('./health-plugin.js')),
    ],
  });
}

function backendOf(env: Environment): readonly PluginEntry[] {
  const name = env['FLEET_EVENTS'] ?? '';
  if (name === '') return [];
  const file = fileOf(name);
  const options = { brokers: listOf(env['FLEET_BROKERS']), groupId: env['FLEET_GROUP_ID'] ?? 'fleet-aggregator' };
  return [plugin(() => import(file) as Promise<{ default: Plugin<typeof options> }>, options)];
}

// The package belongs to the project that runs the aggregator, which need not be where fw itself is.
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
