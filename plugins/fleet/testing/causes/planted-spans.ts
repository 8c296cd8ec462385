import type { SpanKind, SpanRecord } from '../../../../kernel/contracts/fleet-wire.js';
import type { Planted } from './planted.js';

/** When a planted trace begins: milliseconds since the epoch. */
const BEGIN_MS = 1_750_000_000_000;
const LINE =
  /^(?<indent> *)(?:#(?<name>\w+) )?(?<hidden>~)?(?<kind>server|client|query|producer|consumer|event|internal) (?<rest>.+?) (?<from>\d+)-(?<to>\d+)(?: (?<status>\d+|-))?(?: (?<error>.+))?$/;

/** The spans of a planted failure, and the ids of those with names. */
export interface PlantedSpans {
  readonly spans: readonly SpanRecord[];
  readonly ids: ReadonlyMap<string, string>;
}

interface Open {
  readonly indent: number;
  readonly id: string;
  readonly service: string;
}

/** The spans of a planted failure as tracers would send them, with their clock errors. */
export function plantedSpans(planted: Planted, traceId: string): PlantedSpans {
  const ids = new Map<string, string>();
  const spans: SpanRecord[] = [];
  const above: Open[] = [];
  const lines = planted.happened.split('\n').filter((line) => line.trim() !== '');
  for (const [at, line] of lines.entries()) {
    const { indent = '', name, hidden, kind, rest, from, to, status = '-', error } = parsed(planted, line);
    while ((above.at(-1)?.indent ?? -1) >= indent.length) above.pop();
    const parent = above.at(-1);
    const id = (at + 1).toString(16).padStart(16, '0');
    const words = (rest as string).split(' ');
    // An internal span belongs to the service of its parent; only a root names its service.
    const isOwn = kind === 'server' || kind === 'consumer' || (kind === 'internal' && parent === undefined);
    const service = isOwn ? (words[0] as string) : (parent?.service ?? '');
    above.push({ indent: indent.length, id, service });
    if (name !== undefined) ids.set(name, id);
    const code = status === '-' ? 0 : Number(status);
    const failure = error ?? (code >= 500 ? `HTTP ${code}` : undefined);
    if (hidden !== undefined || (planted.sampled === false && failure === undefined)) continue;
    const start = BEGIN_MS + Number(from) + (planted.skew?.[service] ?? 0);
    spans.push({
      trace_id: traceId,
      span_id: id,
      ...(parent && { parent_span_id: parent.id }),
      service,
      route: words.slice(2).join(' '),
      method: words[1] ?? '',
      status: code,
      start_ns: `${start}000000`,
      duration_ms: Number(to) - Number(from),
      ...(kind !== 'server' && { kind: kind as SpanKind }),
      ...(failure !== undefined && { error: failure }),
      ...attributesOf(kind as SpanKind, words),
    });
  }
  return { spans, ids };
}

function parsed({ name }: Planted, line: string): Record<string, string | undefined> {
  const groups = LINE.exec(line)?.groups;
  if (groups === undefined) throw new SyntaxError(`"${name}" has a line that is no span: ${line.trim()}`);
  return groups;
}

function attributesOf(kind: SpanKind, [who = '', verb, what]: readonly string[]): Pick<SpanRecord, 'attributes'> {
  const target = kind === 'internal' && verb === 'CONNECT' ? (what ?? '') : who;
  const [host = '', port] = target.split(':');
  if (kind === 'client' || target !== who)
    return { attributes: { 'server.address': host, ...(port !== undefined && { 'server.port': Number(port) }) } };
  if (kind === 'query') return { attributes: { 'db.system.name': target } };
  if (kind === 'producer') return { attributes: { 'messaging.system': target } };
  return {};
}
