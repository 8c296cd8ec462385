import { pino, type DestinationStream } from 'pino';
import { currentRequestContext } from '../context/index.js';
import type { Logger } from '../contracts/logger.js';
import { fwError } from '../errors/index.js';
import { thisWorker } from '../workers/worker.js';
import { errorFields } from './error-fields.js';
import { LOG_ERRORS } from './errors.js';
import { BufferedLines } from './buffered-lines.js';
import { prettyStream } from './pretty-stream.js';
import { readableFields } from './readable-fields.js';

/** How a logger writes. */
export interface LoggerOptions {
  /** Name of the application, in each line. */
  readonly name: string;
  /** trace, debug, info, warn, error, fatal or silent; default `FW_LOG_LEVEL`, else info (warn in the test profile). */
  readonly level?: string;
  readonly profile?: string;
  /** `json` (one object a line) or `pretty`; default `FW_LOG_FORMAT`, else pretty on a terminal, json elsewhere. */
  readonly format?: 'json' | 'pretty';
  /** Where lines go; default standard output. */
  readonly destination?: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/**
 * The framework's logger: pino, with the trace and request id of the current request in each line.
 *
 * @throws FwError `FW_LOG_LEVEL`
 */
export function createLogger(options: LoggerOptions): Logger {
  const destination = options.destination ?? process.stdout;
  const worker = thisWorker();
  const json = () => (options.destination ? destination : standardOutput());
  const stream = formatOf(options, destination) === 'pretty' ? prettyStream(destination) : json();
  return pino(
    {
      name: options.name,
      level: levelOf(options),
      base: { name: options.name, ...(worker && { worker: worker.index }) },
      hooks: { logMethod },
      serializers: { err: errorFields },
      mixin: requestFields,
      mixinMergeStrategy: (line, request) => (request === NO_REQUEST ? line : Object.assign(request, line)),
    },
    stream as DestinationStream,
  ) as unknown as Logger;
}

// Pino throws what a field or an error throws while it is read, and a log call must not end what it tells of.
function logMethod(this: unknown, args: unknown[], write: (...args: unknown[]) => void): void {
  try {
    write.apply(this, args);
  } catch {
    const [first, ...rest] = args;
    write.apply(this, typeof first === 'object' && first !== null ? [readableFields(first), ...rest] : args);
  }
}

let buffered: BufferedLines | undefined;

// One for all loggers of the process, so that their lines keep their order.
function standardOutput(): BufferedLines {
  return (buffered ??= new BufferedLines(process.stdout));
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

// Of a variable that is empty, as in files for containers, the default counts.
function levelOf({ level, profile }: LoggerOptions): string {
  const given = level ?? (process.env['FW_LOG_LEVEL'] || (profile === 'test' ? 'warn' : 'info'));
  if (!LEVELS.includes(given)) throw fwError(LOG_ERRORS.FW_LOG_LEVEL, { given, known: LEVELS });
  return given;
}

function formatOf({ format }: LoggerOptions, destination: { readonly isTTY?: boolean }): string {
  return format ?? (process.env['FW_LOG_FORMAT'] || (destination.isTTY ? 'pretty' : 'json'));
}

const NO_REQUEST = Object.freeze({});

function requestFields(): object {
  const context = currentRequestContext();
  if (!context) return NO_REQUEST;
  const { requestId, traceId, spanId } = context;
  return { requestId, ...(traceId && { traceId }), ...(spanId && { spanId }) };
}
