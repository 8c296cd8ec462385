import { randomUUID } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy, { type Busboy } from 'busboy';
import { fwError, isFwError } from '../../../kernel/index.js';
import { messageOf } from '../../../kernel/errors/index.js';
import { isObject } from '../../../kernel/values/index.js';
import { BindingError } from '../binding-error.js';
import { HTTP_ERRORS } from '../errors.js';
import { DEFAULT_FIELD_LIMIT, tooManyFields } from '../input-bounds.js';
import { isPrototypeKey } from '../prototype-keys.js';
import { type BodyRules, malformed, tooSlow } from '../body-rules.js';

const TYPE = 'multipart/form-data';
/** Files that a body may have. */
const MAX_FILES = 20;
const LIMITS = { files: MAX_FILES, fieldNameSize: 200, fieldSize: 1024 * 1024, headerPairs: 50 };

/** An uploaded file, as the handler gets it. */
interface StoredFile {
  readonly path: string;
  readonly filename: string;
  readonly mimeType: string;
  readonly size: number;
}

/** A multipart body, decoded. */
interface DecodedMultipart {
  readonly value: Readonly<Record<string, unknown>>;
  /** Paths of its files. */
  readonly stored: ReadonlySet<string>;
}

/**
 * Reads a multipart body (RFC 7578): fields as text, files streamed to a temporary folder. Several parts of one name become
 * a list.
 *
 * @param rules - the largest size of the whole body, and where the temporary folder is made
 * @param closed - emits `close` when the files may be deleted
 * @throws BindingError 400 malformed, 408 too slow, 413 over a limit
 * @throws FwError `FW_HTTP_UPLOAD_STORAGE` when a file cannot be stored
 */
export async function decodeMultipart(
  request: IncomingMessage,
  rules: BodyRules,
  closed: EventEmitter,
): Promise<DecodedMultipart> {
  const { limit, timeLimit = 0 } = rules;
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  const upload = new Upload(rules, closed);
  const late = new AbortController();
  const timer = timeLimit > 0 ? setTimeout(() => late.abort(), timeLimit) : undefined;
  try {
    const parser = upload.parser(request);
    await pipeline(request, counter(limit), parser, { signal: late.signal });
    return await upload.finished();
  } catch (cause) {
    await upload.discard(cause);
    if (late.signal.aborted) throw tooSlow(timeLimit);
    // A full disk is not the client's mistake.
    if (upload.failure !== undefined) throw upload.failure;
    throw isFwError(cause) ? cause : malformed(TYPE, problemOf(cause), cause);
  } finally {
    clearTimeout(timer);
  }
}

class Upload {
  /** In the order in which the parts appear (RFC 7578, section 5.2); a file is a promise until it is on disk. */
  readonly #values = new Map<string, unknown[]>();
  readonly #writing: Promise<StoredFile>[] = [];
  readonly #files: Readable[] = [];
  #folder: Promise<string> | undefined;
  #problem: BindingError | undefined;

  /** Why a file could not be stored. */
  failure: Error | undefined;

  readonly #parent: string;
  readonly #fieldLimit: number;
  readonly #keepsConstructor: boolean;

  constructor(
    { uploadFolder = tmpdir(), fieldLimit = DEFAULT_FIELD_LIMIT, keepsConstructor = false }: BodyRules,
    private readonly closed: EventEmitter,
  ) {
    this.#parent = uploadFolder;
    this.#fieldLimit = fieldLimit;
    this.#keepsConstructor = keepsConstructor;
  }

  parser(request: IncomingMessage): Busboy {
    const limits = { ...LIMITS, fields: this.#fieldLimit, parts: this.#fieldLimit + MAX_FILES };
    const parser = busboy({ headers: request.headers, limits, defParamCharset: 'utf8' });
    parser.on('field', (name, value, { nameTruncated, valueTruncated }) => {
      if (nameTruncated) this.#refuseForm(`the name of a field is longer than ${LIMITS.fieldNameSize} bytes`);
      else if (valueTruncated) this.#refuseForm(`the field "${name}" is longer than ${LIMITS.fieldSize} bytes`);
      else this.#add(name, value);
    });
    parser.on('file', (name, stream, { filename, mimeType }) => {
      this.#files.push(stream);
      const stored = this.#store(stream, filename, mimeType);
      this.#writing.push(stored);
      this.#add(name, stored);
      stored.catch((error: Error) => {
        // Errors of files that come from the end of the parser are ignored.
        if (parser.destroyed) return;
        if (isSystemError(error)) this.failure = this.#notStored(error);
        // Nothing reads the rest of the file, so the parser would wait for ever.
        parser.destroy(this.failure ?? error);
      });
    });
    parser.on('filesLimit', () => this.#refuseForm(`it has more than ${MAX_FILES} files`));
    parser.on('fieldsLimit', () => this.#refuse(tooManyFields(this.#fieldLimit)));
    parser.on('partsLimit', () => this.#refuse(tooManyFields(this.#fieldLimit)));
    return parser;
  }

  async finished(): Promise<DecodedMultipart> {
    const files = await Promise.all(this.#writing);
    if (this.#problem) throw this.#problem;
    const entries = [...this.#values].map(async ([name, parts]) => {
      const values = (await Promise.all(parts)).filter((part) => !isUnchosen(part));
      return values.length === 0 ? [] : [[name, values.length === 1 ? values[0] : values] as const];
    });
    const value = Object.fromEntries((await Promise.all(entries)).flat());
    return { value, stored: new Set(files.map((file) => file.path)) };
  }

  /** Deletes the stored files. @param cause - why they are of no use */
  async discard(cause: unknown): Promise<void> {
    // Behind a malformed part the parser goes on, and never ends the files that it finds there.
    for (const file of this.#files) file.destroy(cause as Error);
    await this.#remove();
  }

  async #remove(): Promise<void> {
    await Promise.allSettled(this.#writing);
    const [folder] = await Promise.allSettled([this.#folder]);
    if (folder.status === 'fulfilled' && folder.value) await removeFolder(folder.value);
  }

  #refuseForm(problem: string): void {
    this.#refuse(malformed(TYPE, problem));
  }

  #refuse(problem: BindingError): void {
    this.#problem ??= problem;
  }

  // The parser has no name for `name=""`.
  #add(name: string | undefined = '', value: unknown): void {
    if (isPrototypeKey(name, this.#keepsConstructor)) return;
    const values = this.#values.get(name) ?? [];
    values.push(value);
    this.#values.set(name, values);
  }

  async #store(stream: Readable, filename: string | undefined, mimeType: string): Promise<StoredFile> {
    // The body may break off before the folder exists, and until then there is no other error listener.
    const broken = new AbortController();
    stream.on('error', (error) => broken.abort(error));
    const folder = await (this.#folder ??= this.#makeFolder());
    broken.signal.throwIfAborted();
    const target = path.join(folder, randomUUID());
    const file = createWriteStream(target, { flags: 'wx', mode: 0o600 });
    await pipeline(stream, file);
    return { path: target, filename: path.basename(filename ?? ''), mimeType, size: file.bytesWritten };
  }

  // The reason is logged, because the response to a server error does not contain it.
  #notStored(cause: Error): Error {
    return fwError(HTTP_ERRORS.FW_HTTP_UPLOAD_STORAGE, { folder: this.#parent, reason: cause.message }, { cause });
  }

  #makeFolder(): Promise<string> {
    // Before the folder is there: the client may leave meanwhile.
    this.closed.once('close', () => void this.#remove());
    return mkdtemp(path.join(this.#parent, 'fw-upload-'));
  }
}

// A failure, e.g. because a handler still writes there, leaves files that the system clears; nobody waits for an answer to it.
async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => {});
}

// What a browser sends of a file input in which nothing was chosen
// (https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#constructing-the-form-data-set).
const isUnchosen = (part: unknown): boolean => isObject(part) && part['filename'] === '' && part['size'] === 0;

// https://nodejs.org/api/errors.html#class-systemerror
function isSystemError(error: NodeJS.ErrnoException): boolean {
  return error.syscall !== undefined;
}

function counter(limit: number): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > limit) done(tooLarge(limit));
      else done(null, chunk);
    },
  });
}

function tooLarge(limit: number): BindingError {
  return new BindingError(HTTP_ERRORS.FW_HTTP_BODY_TOO_LARGE, { limit });
}

// The parser's message, which quotes nothing of the body.
function problemOf(cause: unknown): string {
  const words = messageOf(cause);
  return words.charAt(0).toLowerCase() + words.slice(1).replace(/\.$/, '');
}
