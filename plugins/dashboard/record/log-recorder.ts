import { currentRequestContext, type LogFields, type LogLine } from '../../../kernel/index.js';
import { cutText, maskSecrets } from '../../../kernel/log/index.js';
import { isSecretMember } from '../../../kernel/secrets/index.js';
import type { LogEntry, LogLevel } from '../wire/api.js';
import { Ring } from '../../../kernel/bounded/index.js';

/** The kinds of lines that are told apart. */
export const LOG_LEVELS: readonly LogLevel[] = ['app', 'http', 'error', 'panic', 'warning'];

/** Which lines are wanted. */
interface LogQuery {
  /** `all` for lines of every kind. */
  readonly level: LogLevel | 'all';
  readonly limit: number;
  /** Text that the message contains, in any case. */
  readonly text?: string | undefined;
  readonly traceId?: string | undefined;
}

/** Keeps the newest log lines of each kind. */
export class LogRecorder {
  readonly #rings: Readonly<Record<LogLevel, Ring<LogEntry>>>;

  /** @param isOwn - whether a request's path is the dashboard's own; lines about those are left out */
  constructor(
    maxLogs: number,
    private readonly isOwn: (path: string) => boolean,
  ) {
    this.#rings = Object.fromEntries(LOG_LEVELS.map((level) => [level, new Ring<LogEntry>(maxLogs)])) as never;
  }

  /** Number of dropped lines. */
  get dropped(): number {
    return LOG_LEVELS.reduce((sum, level) => sum + this.#rings[level].dropped, 0);
  }

  /** Takes a line of the application's log. @returns the kept entry, undefined if the line is not kept */
  take(line: LogLine): LogEntry | undefined {
    const level = levelOf(line);
    if (level === 'http' && this.isOwn(String(line.fields['path']))) return undefined;
    const traceId = textOf(line.fields['traceId']) ?? currentRequestContext()?.traceId;
    const source = textOf(line.fields['plugin']);
    const entry = {
      time: new Date(line.time).toISOString(),
      level,
      message: maskSecrets(cutText(level === 'http' ? requestWords(line) : wordsOf(line), SHOWN_CHARACTERS)),
      ...(source !== undefined && { source }),
      ...(traceId !== undefined && { trace_id: traceId }),
    };
    this.#rings[level].push(entry);
    return entry;
  }

  /** Lines that fit, newest first. The limit counts after the filters, so that a busy service keeps a trace's lines. */
  find({ level, limit, text, traceId }: LogQuery): LogEntry[] {
    const wanted = text?.toLowerCase();
    const fits = (entry: LogEntry) =>
      (!traceId || entry.trace_id === traceId) && (!wanted || entry.message.toLowerCase().includes(wanted));
    if (level !== 'all') return this.#rings[level].newest(limit, fits);
    const found = LOG_LEVELS.flatMap((each) => this.#rings[each].newest(limit, fits));
    return found.sort((one, other) => other.time.localeCompare(one.time)).slice(0, limit);
  }
}

/** The kind of a line. */
export function levelOf({ level, fields }: LogLine): LogLevel {
  if (fields['plugin'] === 'middleware/logging') return 'http';
  if (level === 'warn') return 'warning';
  if (level === 'info') return 'app';
  return fields['plugin'] === 'middleware/recovery' ? 'panic' : 'error';
}

function requestWords({ fields, message }: LogLine): string {
  const { method, path, status, durationMs } = fields;
  return method === undefined ? message : `${String(method)} ${String(path)} ${String(status)} ${String(durationMs)}ms`;
}

const NOT_SHOWN = new Set(['plugin', 'traceId', 'spanId', 'requestId', 'err', 'level', 'name']);
const SHOWN_CHARACTERS = 4_000;

function wordsOf({ message, fields }: LogLine): string {
  const rest = Object.entries(fields).filter(([name, value]) => !NOT_SHOWN.has(name) && isPlain(value));
  const words = [message, ...rest.map(([name, value]) => fieldText(name, value)), errorText(fields)];
  return words.filter((word) => word !== '').join(' ');
}

function errorText({ err, stack }: LogFields): string {
  if (typeof stack === 'string') return `\n${stack}`;
  return err instanceof Error ? `\n${err.stack ?? err.message}` : '';
}

// Masks the value before it becomes part of the text, where the end of a value of several words would be unknown.
function fieldText(name: string, value: unknown): string {
  return `${name}=${isSecretMember(name) ? '***' : String(value)}`;
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
