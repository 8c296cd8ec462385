import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { CollectedBytes } from '../../kernel/bounded/index.js';
import { BindingError } from './binding-error.js';
import { type BodyRules, malformed, tooSlow } from './body-rules.js';
import { HTTP_ERRORS } from './errors.js';
import { DEFAULT_DEPTH_LIMIT, DEFAULT_FIELD_LIMIT, formFields, plainPairs, refuseTooDeep } from './input-bounds.js';
import { withoutPrototypeKeys } from './prototype-keys.js';

/** A body, decoded. `text` means that its values are text and may be coerced to the types of the schema. */
export interface DecodedBody {
  readonly value: unknown;
  readonly text: boolean;
  /** Paths of files that were uploaded with it. */
  readonly stored?: ReadonlySet<string>;
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/;
const FORM_TYPE = 'application/x-www-form-urlencoded';
const MULTIPART_TYPE = 'multipart/form-data';
const READABLE = 'application/json, application/x-www-form-urlencoded or multipart/form-data';
const UTF8 = new Set(['utf-8', 'utf8', 'us-ascii']);

/** Whether a request carries a body (RFC 9112, section 6.3; RFC 9113, section 8.1). */
export function hasBody(request: IncomingMessage): boolean {
  const { headers } = request;
  if (request.httpVersionMajor > 1) return !(request as unknown as Http2ServerRequest).stream.endAfterHeaders;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Reads and decodes the body by its Content-Type.
 *
 * @param rules - limits, and the folder of files
 * @param closed - emits `close` when uploaded files may be deleted: the response
 * @throws BindingError 400 undecodable or too deep, 408 too slow, 413 over a limit, 415 another type
 * @throws FwError `FW_HTTP_UPLOAD_STORAGE` when a file cannot be stored
 */
export async function decodeBody(
  request: IncomingMessage,
  rules: BodyRules,
  closed: EventEmitter,
): Promise<DecodedBody> {
  const type = bodyTypeOf(request, rules);
  if (type === MULTIPART_TYPE) {
    const { decodeMultipart } = await import('./multipart/decode-multipart.js');
    return { ...(await decodeMultipart(request, rules, closed)), text: true };
  }
  const bytes = await readBody(request, rules.limit, rules.timeLimit);
  return type === FORM_TYPE
    ? { value: decodeForm(bytes, rules), text: true }
    : { value: decodeJson(bytes, type, rules), text: false };
}

/**
 * Reads the whole body.
 *
 * @param limit - largest size in bytes; a declared length over it is refused before anything is read
 * @param timeLimit - how long that may take, in milliseconds; 0 for no end
 * @throws BindingError 413 over the limit, 408 when it takes longer, 400 when the client goes away
 */
export function readBody(request: IncomingMessage, limit: number, timeLimit = 0): Promise<Buffer> {
  const tooLarge = () => new BindingError(HTTP_ERRORS.FW_HTTP_BODY_TOO_LARGE, { limit });
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.reject(tooLarge());
  const aborted = (cause?: unknown) => new BindingError(HTTP_ERRORS.FW_HTTP_BODY_ABORTED, {}, { cause });
  // It has told of its end already where the client left before anything read the body.
  if (request.destroyed) return Promise.reject(aborted());
  return new Promise((resolve, reject) => {
    const body = new CollectedBytes();
    const late = () => settle(() => (request.pause(), reject(tooSlow(timeLimit))));
    const timer = timeLimit > 0 ? setTimeout(late, timeLimit) : undefined;
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('error', onAbort).off('close', onAbort);
      finish();
    };
    const onData = (chunk: Buffer) => {
      if (body.size + chunk.length > limit) settle(() => (request.pause(), reject(tooLarge())));
      else body.add(chunk);
    };
    const onEnd = () => settle(() => resolve(body.take()));
    const onAbort = (cause?: unknown) => settle(() => reject(aborted(cause)));
    request.on('data', onData).on('end', onEnd).on('error', onAbort).on('close', onAbort);
  });
}

/** The media type of the body. @throws BindingError 415 for a type that cannot be decoded */
export function bodyTypeOf(
  { headers }: IncomingMessage,
  { takesFiles = false }: Pick<BodyRules, 'takesFiles'>,
): string {
  const expected = takesFiles ? MULTIPART_TYPE : READABLE;
  const unsupported = (found: string) => new BindingError(HTTP_ERRORS.FW_HTTP_BODY_TYPE, { found, expected });
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    // RFC 9110, section 12.5.3.
    throw Object.assign(unsupported('encoded (Content-Encoding)'), { headers: { 'Accept-Encoding': 'identity' } });
  }
  const header = headers['content-type'];
  if (header === undefined) throw unsupported('without a Content-Type');
  const [type = '', ...parameters] = header
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const isReadable = type === MULTIPART_TYPE || (!takesFiles && (type === FORM_TYPE || JSON_TYPE.test(type)));
  if (!isReadable) throw unsupported(printable(type));
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '');
  if (charset !== undefined && !UTF8.has(charset)) throw unsupported(`${type} in the charset ${printable(charset)}`);
  return type;
}

// Made printable, because the message is sent to the client and logged.
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 80) || 'without a Content-Type';
}

function textOf(bytes: Buffer, type: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw malformed(type, 'it is not valid UTF-8', cause);
  }
}

function decodeJson(bytes: Buffer, type: string, rules: BodyRules): unknown {
  const { depthLimit = DEFAULT_DEPTH_LIMIT, keepsConstructor } = rules;
  const text = textOf(bytes, type);
  if (text.trim() === '') throw malformed(type, 'it is empty');
  const value = parsedJson(text, type);
  // Each level takes two characters, so a short text cannot be too deep.
  if (text.length > 2 * depthLimit) refuseTooDeep(value, depthLimit);
  return withoutPrototypeKeys(value, text, keepsConstructor);
}

function parsedJson(text: string, type: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw malformed(type, cause instanceof Error ? jsonProblem(cause.message) : 'it is malformed', cause);
  }
}

// V8's message quotes a piece of the body; only the position is kept, so that nothing of the body is echoed.
function jsonProblem(message: string): string {
  const position = /at position (\d+)/.exec(message)?.[1];
  return position === undefined ? 'it ends too early or is malformed' : `it is malformed at position ${position}`;
}

function decodeForm(bytes: Buffer, { fieldLimit = DEFAULT_FIELD_LIMIT, keepsConstructor }: BodyRules): unknown {
  const text = textOf(bytes, FORM_TYPE);
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) throw malformed(FORM_TYPE, 'a "%" is not followed by two hexadecimal digits');
  return withoutPrototypeKeys(plainPairs(formFields(text, fieldLimit)), text, keepsConstructor);
}
