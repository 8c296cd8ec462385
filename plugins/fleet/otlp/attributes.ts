import { isSecret } from '../recorded/index.js';
import type { AnyValue, KeyValue } from './codec/trace-request.js';

/** Names that older conventions had for the same. */
const RENAMED: Readonly<Record<string, string>> = {
  'http.method': 'http.request.method',
  'http.status_code': 'http.response.status_code',
  'http.scheme': 'url.scheme',
  'net.peer.name': 'server.address',
  'net.peer.port': 'server.port',
  'net.host.name': 'server.address',
  'net.host.port': 'server.port',
  'db.system': 'db.system.name',
  'db.operation': 'db.operation.name',
  'db.name': 'db.namespace',
  'db.sql.table': 'db.collection.name',
  'messaging.operation': 'messaging.operation.type',
  'messaging.destination': 'messaging.destination.name',
  'rpc.grpc.status_code': 'rpc.response.status_code',
};

/** Attributes of the semantic conventions that are recorded: they tell what was done, where, and how it ended, but not what was sent. */
const KEPT: ReadonlySet<string> = new Set([
  'http.request.method', 'http.response.status_code', 'http.route', 'http.request.resend_count',
  'url.scheme', 'url.template', 'server.address', 'server.port', 'network.protocol.name', 'network.protocol.version',
  'network.transport', 'error.type', 'exception.type',
  'db.system.name', 'db.operation.name', 'db.collection.name', 'db.namespace', 'db.response.status_code', 'db.operation.batch.size',
  'messaging.system', 'messaging.operation.name', 'messaging.operation.type', 'messaging.destination.name',
  'messaging.destination.partition.id', 'messaging.consumer.group.name', 'messaging.batch.message_count',
  'rpc.system', 'rpc.system.name', 'rpc.service', 'rpc.method', 'rpc.response.status_code',
  'graphql.operation.type', 'faas.trigger', 'code.function.name', 'thread.name', 'peer.service',
]); // prettier-ignore

/** Namespaces of the semantic conventions: other names in them are dropped, because they may hold any data. */
const CONVENTIONS =
  /^(?:artifact|aspnetcore|aws|azure|browser|cassandra|client|cloud|code|container|cpu|db|deployment|destination|device|disk|dns|elasticsearch|enduser|error|event|exception|faas|feature_flag|file|gcp|gen_ai|geo|graphql|heroku|host|http|k8s|linux|log|mcp|messaging|net|network|oci|openai|opentracing|os|peer|process|profile|rpc|server|service|session|signalr|source|sql|system|telemetry|test|thread|tls|url|user|user_agent|vcs|webengine)\./;

/** Attributes of one span by name, with the names of today's conventions; the first value of a name counts. */
export type Attributes = ReadonlyMap<string, string | number>;

/** Reads a list of attributes; only texts, numbers and booleans are kept. */
export function attributesFrom(list: unknown): Attributes {
  const found = new Map<string, string | number>();
  if (!Array.isArray(list)) return found;
  for (const each of list as readonly (Partial<KeyValue> | null)[]) {
    const key = each?.key;
    const value = scalarOf(each?.value);
    if (typeof key !== 'string' || key === '' || value === undefined) continue;
    const name = Object.hasOwn(RENAMED, key) ? (RENAMED[key] as string) : key;
    if (!found.has(name)) found.set(name, value);
  }
  return found;
}

function scalarOf(value: unknown): string | number | undefined {
  const { stringValue, boolValue, intValue, doubleValue } = (value ?? {}) as Partial<Record<keyof AnyValue, unknown>>;
  if (typeof stringValue === 'string') return stringValue;
  if (typeof boolValue === 'boolean') return String(boolValue);
  const given = intValue ?? doubleValue;
  // Turning anything else into a number may throw.
  const number = typeof given === 'number' || typeof given === 'string' ? Number(given) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/**
 * The attributes of a span that may be recorded: those of the semantic conventions that hold no value of a query, a header or a statement
 * and no person's name or address, and an application's own, unless their names sound secret. Those of the conventions come first, because
 * verdicts need them, and the aggregator keeps only so many of one span.
 */
export function recordedAttributes(attributes: Attributes): Readonly<Record<string, string | number>> {
  const known: Record<string, string | number> = {};
  const own: Record<string, string | number> = {};
  for (const [name, value] of attributes) {
    if (!CONVENTIONS.test(name)) {
      if (!isSecret(name.split('.').at(-1) as string)) own[name] = recordedValue(value);
    } else if (KEPT.has(name)) known[name] = recordedValue(value);
  }
  return { ...known, ...own };
}

function recordedValue(value: string | number): string | number {
  return typeof value === 'string' ? withoutQuery(value) : value;
}

const URL_LIKE = /^[a-z][a-z0-9+.-]*:\/\//i;

// Removes user name, password and query from a URL in an application's own attribute.
function withoutQuery(text: string): string {
  if (!URL_LIKE.test(text)) return text;
  const end = text.search(/[?#]/);
  return (end === -1 ? text : text.slice(0, end)).replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1');
}

const NO_SQL =
  /^(?:redis|valkey|keydb|dragonfly|memcached|mongodb|(?:aws\.)?dynamodb|elasticsearch|opensearch|couchdb|hbase|geode|hazelcast)$/i;

/**
 * Whether the statements of a database are no SQL, so that their literals cannot be told from the rest: documents as JSON, and commands with
 * their arguments.
 *
 * @param system - its `db.system.name`
 */
export function hasNoSql(system: unknown): boolean {
  return NO_SQL.test(String(system));
}
