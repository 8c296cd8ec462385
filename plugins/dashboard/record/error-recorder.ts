import { createHash } from 'node:crypto';
import { type Clock, currentRequestContext, isFwError, type LogLine } from '../../../kernel/index.js';
import { cutText, maskSecrets } from '../../../kernel/log/index.js';
import type { ErrorGroup, ErrorsAnswer, FailedResponses, LogLevel, RequestRecord } from '../wire/api.js';
import { BoundedMap } from './bounded-map.js';
import { PerMinute } from './per-minute.js';

const MAX_GROUPS = 200;
const MAX_TRACES = 5;
const MAX_MESSAGE = 1_000;
const MAX_STACK = 6_000;

type Mutable<Record> = { -readonly [Key in keyof Record]: Record[Key] };
type Kept<Answer> = Mutable<Omit<Answer, 'per_minute'>> & { readonly minutes: PerMinute };

/** Groups what went wrong: errors by name, words and place, failed answers by route and status. */
export class ErrorRecorder {
  readonly #exceptions = new BoundedMap<string, Kept<ErrorGroup>>(MAX_GROUPS);
  readonly #responses = new BoundedMap<string, Kept<FailedResponses>>(MAX_GROUPS);

  constructor(private readonly clock: Clock) {}

  /** Takes a line that was logged as an error. */
  takeLine(line: LogLine, level: LogLevel): void {
    const facts = factsOf(line, level);
    const time = new Date(line.time).toISOString();
    const group = this.#exceptions.use(facts.id, () => ({
      ...facts,
      count: 0,
      first_seen: time,
      last_seen: time,
      trace_ids: [],
      minutes: new PerMinute(),
    }));
    Object.assign(group, { message: facts.message, stack: facts.stack, last_seen: time, count: group.count + 1 });
    group.minutes.add(line.time);
    const traceId = textOf(line.fields['traceId']) || currentRequestContext()?.traceId;
    if (traceId) group.trace_ids = [traceId, ...group.trace_ids.filter((id) => id !== traceId)].slice(0, MAX_TRACES);
  }

  /** Takes an answer with a 4xx or 5xx. */
  takeResponse({ id, time, method, route, status }: RequestRecord): void {
    const group = this.#responses.use(`${status} ${method} ${route}`, () => {
      return { method, route, status, count: 0, first_seen: time, last_seen: time, last_request: id, minutes: new PerMinute() }; // prettier-ignore
    });
    Object.assign(group, { last_seen: time, last_request: id, count: group.count + 1 });
    group.minutes.add(this.clock.now());
  }

  /** What is known, newest first. */
  answer(): ErrorsAnswer {
    return {
      exceptions: this.#shown(this.#exceptions.values()),
      responses: this.#shown(this.#responses.values()),
      dropped: this.#exceptions.dropped + this.#responses.dropped,
    };
  }

  #shown<Group extends Kept<ErrorGroup> | Kept<FailedResponses>>(groups: readonly Group[]) {
    const now = this.clock.now();
    return groups
      .map(({ minutes, ...group }) => ({ ...group, per_minute: minutes.counts(now) }))
      .sort((one, other) => other.last_seen.localeCompare(one.last_seen));
  }
}

function factsOf({ message, fields }: LogLine, level: LogLevel) {
  const { err } = fields;
  const error = err instanceof Error ? err : undefined;
  const name = (isFwError(err) ? err.code : error?.name) ?? 'Error';
  const stack = cutText(maskSecrets((textOf(fields['stack']) || error?.stack) ?? ''), MAX_STACK);
  const words = cutText(maskSecrets(error?.message || message), MAX_MESSAGE);
  const place = placeOf(stack);
  const source = textOf(fields['plugin']) ?? '';
  // Numbers and ids differ from one occurrence to the next; where there is a stack, the place says more than the words.
  const key = [name, place || words.replace(/[\da-f]{8,}|\d+/gi, '#'), source].join('\n');
  const id = createHash('sha256').update(key).digest('hex').slice(0, 12);
  return { id, name, message: words, source, place, stack, level };
}

function placeOf(stack: string): string {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  const own = frames.find((frame) => !/node_modules|node:internal|\(node:/.test(frame)) ?? frames[0];
  return own?.trim().replace(/^at /, '') ?? '';
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
