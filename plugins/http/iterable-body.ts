import { Readable } from 'node:stream';
import { fwError, type HttpContext, isThenable, jsonText } from '../../kernel/index.js';
import { jsonBody } from './json-body.js';
import { HTTP_ERRORS } from './errors.js';
import { isPlain } from './fast-koa/fast-context.js';

/** What an iteration gives, one after the other: text and bytes, or values that are sent as JSON. */
type Items = Iterator<unknown> | AsyncIterator<unknown>;

/** How the items of an iteration become a body. */
export interface ItemForm {
  /** `array`: one JSON array. `lines`: text and bytes as they are, anything else as a line of JSON. `text`: text and bytes only. */
  readonly as: 'array' | 'lines' | 'text';
  /** The part of an item that may be sent. */
  part?(item: unknown): unknown;
}

const LINES: ItemForm = { as: 'lines' };

/** Whether a body is an async iterable or an iterator, such as a generator gives: as JSON it would be `{}`. Lists, maps and sets are none. */
export function isIteration(body: unknown): body is AsyncIterable<unknown> | Iterable<unknown> {
  if (typeof body !== 'object' || body === null || isPlain(body) || body instanceof ReadableStream) return false;
  const { next, pipe, toJSON } = body as Record<'next' | 'pipe' | 'toJSON', unknown>;
  if (typeof pipe === 'function' || typeof toJSON === 'function') return false;
  const { [Symbol.asyncIterator]: asynchronous, [Symbol.iterator]: synchronous } = body as Partial<
    AsyncIterable<unknown> & Iterable<unknown>
  >;
  return typeof asynchronous === 'function' || (typeof next === 'function' && typeof synchronous === 'function');
}

/**
 * An iteration as a stream. Items are pulled no faster than the client reads, and the source's `return` is called when the client leaves,
 * so that its `finally` runs.
 */
export class IterableBody extends Readable {
  readonly #items: Items;
  #form: ItemForm;
  #first: Promise<IteratorResult<unknown>> | undefined;
  #isText: boolean | undefined;
  #context: HttpContext | undefined;
  #count = 0;

  constructor(source: AsyncIterable<unknown> | Iterable<unknown>, form = LINES) {
    super();
    const { [Symbol.asyncIterator]: asynchronous } = source as AsyncIterable<unknown>;
    this.#items = asynchronous ? asynchronous.call(source) : (source as Iterable<unknown>)[Symbol.iterator]();
    this.#form = form;
  }

  /** Gives the items another form, as long as none was asked for. */
  formAs(form: ItemForm): void {
    if (this.#first === undefined && this.#count === 0) this.#form = form;
  }

  /**
   * Waits for the first item and sets the media type by it, if none is set. What a reader can use item by item is not to be collected by a
   * proxy, which nginx does without `X-Accel-Buffering`.
   *
   * @throws what the source throws before its first item, which is still answered with a status
   */
  async start(context: HttpContext): Promise<void> {
    this.#context = context;
    try {
      const { done, value } = await (this.#first ??= this.#pull());
      this.#isText ??= done !== true && this.#form.as !== 'array' && isText(value);
      if (!context.headerSent) this.#describe(context, value);
    } catch (error) {
      this.destroy();
      throw error;
    }
  }

  #describe(context: HttpContext, first: unknown): void {
    const { res } = context;
    if (!res.hasHeader('Content-Type')) context.set('Content-Type', this.#typeFor(first));
    if (this.#form.as !== 'array' && !res.hasHeader('X-Accel-Buffering')) context.set('X-Accel-Buffering', 'no');
  }

  #typeFor(first: unknown): string {
    if (this.#form.as === 'array') return 'application/json; charset=utf-8';
    if (this.#isText !== true) return this.#form.as === 'text' ? TEXT : 'application/x-ndjson; charset=utf-8';
    return typeof first === 'string' ? TEXT : 'application/octet-stream';
  }

  override _read(): void {
    void this.#next();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // Not awaited: the source may be waiting for something itself.
    void Promise.resolve(this.#items.return?.()).catch(() => {});
    done(error);
  }

  async #pull(): Promise<IteratorResult<unknown>> {
    const { done = false, value } = await this.#items.next();
    // The items of a synchronous iterator may be promises, as `for await` takes them.
    return { done, value: isThenable(value) ? await value : value };
  }

  async #next(): Promise<void> {
    try {
      const { done, value } = await (this.#first ?? this.#pull());
      this.#first = undefined;
      if (this.destroyed) return;
      if (done === true) return this.#end();
      const chunk = this.#written(value);
      // Node asks for no more after an empty chunk.
      if (chunk.length > 0) this.push(chunk);
      else void this.#next();
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  #end(): void {
    if (this.#form.as === 'array') this.push(this.#count === 0 ? '[]' : ']');
    this.push(null);
  }

  #written(item: unknown): string | Uint8Array {
    this.#isText ??= this.#form.as !== 'array' && isText(item);
    const at = this.#count++;
    if (this.#isText || this.#form.as === 'text') {
      if (!isText(item)) throw fwError(HTTP_ERRORS.FW_HTTP_ITEM, { at, got: kindOf(item) });
      return item;
    }
    const part = this.#form.part === undefined ? item : this.#form.part(item);
    const text = this.#context === undefined ? jsonText(part) : jsonBody(this.#context, part);
    if (this.#form.as === 'lines') return `${text}\n`;
    return `${at === 0 ? '[' : ','}${text}`;
  }
}

const TEXT = 'text/plain; charset=utf-8';

function isText(item: unknown): item is string | Uint8Array {
  return typeof item === 'string' || item instanceof Uint8Array;
}

const kindOf = (item: unknown): string => (item === null ? 'null' : typeof item);
