import { createHash } from 'node:crypto';
import { type Clock, currentRequestContext, isFwError, type LogLine } from '../../../kernel/index.js';
import { cutText, maskSecrets } from '../../../kernel/log/index.js';
import { messageOf, stackFrames } from '../../../kernel/errors/index.js';
import type { ErrorGroup, ErrorsAnswer, FailedResponses, LogLevel, RequestDetail } from '../wire/api.js';
import { BoundedMap } from '../../../kernel/bounded/index.js';
import { causeFacts } from './cause-facts.js';
import { PerMinute } from './per-minute.js';

const MAX_GROUPS = 200;
const MAX_TRACES = 5;
const MAX_ROUTES = 5;
const MAX_REASON = 300;

type Mutable<Record> = { -readonly [Key in keyof Record]: Record[Key] };
type Kept<Answer> = Mutable<Omit<Answer, 'per_minute'>> & { readonly minutes: PerMinute };

/** Groups errors by name, message and place, and failed responses by route and status. */
export class ErrorRecorder {
  readonly #exceptions = new BoundedMap<string, Kept<ErrorGroup>>(MAX_GROUPS);
  readonly #responses = new BoundedMap<string, Kept<FailedResponses>>(MAX_GROUPS);
  /** Group of each logged error, to add the requests that it made fail. */
  readonly #groupOf = new WeakMap<object, Kept<ErrorGroup>>();

  /** @param root - folder of the application, whose sources are its own */
  constructor(
    private readonly clock: Clock,
    private readonly root: string,
  ) {}

  /** Takes a line that was logged as an error. */
  takeLine(line: LogLine, level: LogLevel): void {
    const group = this.#take(factsOf(line, level, this.root), line.time);
    const { err } = line.fields;
    if (err instanceof Error) this.#groupOf.set(err, group);
    const traceId = textOf(line.fields['traceId']) || currentRequestContext()?.traceId;
    if (traceId) group.trace_ids = [traceId, ...group.trace_ids.filter((id) => id !== traceId)].slice(0, MAX_TRACES);
  }

  /**
   * Takes an answer with a 4xx or 5xx.
   * @param error - the error behind the response, if known
   * @param failedStatement - statement that the error came from
   */
  takeResponse(detail: RequestDetail, error?: unknown, failedStatement?: string): void {
    const { id, time, method, path, route, status } = detail;
    const group = this.#responses.use(`${status} ${method} ${route}`, () => {
      return { method, route, status, count: 0, first_seen: time, last_seen: time, last_request: id, last_path: path, minutes: new PerMinute() }; // prettier-ignore
    });
    Object.assign(group, { last_seen: time, last_request: id, last_path: path, count: group.count + 1 });
    const reason = reasonOf(error);
    if (reason !== undefined) group.reason = reason;
    const at = detail.cause?.at || detail.handler;
    if (at !== undefined) group.at = at;
    if (failedStatement !== undefined) group.statement = failedStatement;
    group.minutes.add(this.clock.now());
    if (status >= 500 && error !== undefined) this.#takeFailure(detail, error, failedStatement);
  }

  // Records an error that was not logged, too.
  #takeFailure(detail: RequestDetail, error: unknown, failedStatement: string | undefined): void {
    const known = error instanceof Error ? this.#groupOf.get(error) : undefined;
    const group = known ?? this.#take(factsOf(unlogged(error), 'error', this.root), this.clock.now());
    const { id, time, method, path, route, status, trace_id: traceId } = detail;
    group.sample = { id, time, method, path, route, status, ...(traceId !== undefined && { trace_id: traceId }) };
    if (detail.handler !== undefined) group.handler = detail.handler;
    const name = `${method} ${route || path}`;
    group.routes = [name, ...group.routes.filter((each) => each !== name)].slice(0, MAX_ROUTES);
    const statement = failedStatement ?? detail.timeline.filter(({ kind }) => kind === 'query').at(-1)?.name;
    if (statement !== undefined) group.last_statement = statement;
  }

  #take(facts: ReturnType<typeof factsOf>, at: number): Kept<ErrorGroup> {
    const time = new Date(at).toISOString();
    const group = this.#exceptions.use(facts.id, () => ({
      ...facts,
      count: 0,
      first_seen: time,
      last_seen: time,
      trace_ids: [],
      routes: [],
      minutes: new PerMinute(),
    }));
    const { message, stack, frames } = facts;
    Object.assign(group, { message, stack, frames, last_seen: time, count: group.count + 1 });
    group.minutes.add(at);
    return group;
  }

  /** All groups, newest first. */
  answer(): ErrorsAnswer {
    return {
      exceptions: this.#shown(this.#exceptions.values()),
      responses: this.#shown(this.#responses.values()),
      dropped: this.#exceptions.evicted + this.#responses.evicted,
    };
  }

  #shown<Group extends Kept<ErrorGroup> | Kept<FailedResponses>>(groups: readonly Group[]) {
    const now = this.clock.now();
    return groups
      .map(({ minutes, ...group }) => ({ ...group, per_minute: minutes.counts(now) }))
      .sort((one, other) => other.last_seen.localeCompare(one.last_seen));
  }
}

function factsOf({ message: said, fields }: Pick<LogLine, 'message' | 'fields'>, level: LogLevel, root: string) {
  const { err } = fields;
  const facts = causeFacts(err ?? said, root, textOf(fields['stack']));
  const { name, stack, at, frames } = facts;
  const message = err instanceof Error && err.message !== '' ? facts.message : cutText(maskSecrets(said), MAX_REASON);
  const place = placeOf(stack);
  const source = textOf(fields['plugin']) ?? '';
  // The key of a group: name and place of the error; without a stack, the message with numbers and ids removed.
  const key = [name, place || message.replace(/[\da-f]{8,}|\d+/gi, '#'), source].join('\n');
  const id = createHash('sha256').update(key).digest('hex').slice(0, 12);
  return { id, name, message, source, place, at, frames, stack, level };
}

function unlogged(error: unknown): Pick<LogLine, 'message' | 'fields'> {
  return { message: messageOf(error), fields: { err: error, plugin: 'http' } };
}

// The message, if the client has seen it too.
function reasonOf(error: unknown): string | undefined {
  if (isFwError(error)) return error.expose ? cutText(`${error.code}: ${error.message}`, MAX_REASON) : error.code;
  return undefined;
}

function placeOf(stack: string): string {
  const frames = stackFrames(stack);
  const own = frames.find(({ source }) => !/node_modules|^node:/.test(source)) ?? frames[0];
  return own?.text.replace(/^at /, '') ?? '';
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
