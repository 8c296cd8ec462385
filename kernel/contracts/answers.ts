import type { Readable } from 'node:stream';
import type { Static, TSchema } from 'typebox';
import type { Sendable } from './sendable.js';

/** What a route answers with one status (OpenAPI 3.1, Response Object). */
export interface RouteResponse {
  /** Default the reason phrase of the status (RFC 9110, section 15). */
  readonly description?: string;
  /** Shape of the body: a schema, a model class (or an array of one), or an example value; sent as JSON, and text as `text/plain`. */
  readonly output?: unknown;
  /** Shapes of the body by media type, in place of `output`; the first one is sent where an answer names none. */
  readonly content?: Readonly<Record<string, unknown>>;
  /** Schema of an object whose members are headers of the answer. */
  readonly headers?: TSchema;
  /** Example bodies by name, for the API reference. */
  readonly examples?: Readonly<Record<string, unknown>>;
}

/** What a route answers, by status. */
export type RouteResponses = Readonly<Record<number, RouteResponse>>;

/** Values of headers by name; a list is sent as several lines. */
export type AnswerHeaders = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** A body with the status, media type and headers that it is sent with; made by `answer` of `fw/http`. */
export class Answer<
  Status extends number = number,
  Body = unknown,
  Type extends string | undefined = string | undefined,
  Headers = AnswerHeaders,
> {
  constructor(
    readonly status: Status,
    readonly body: Body,
    /** Media type; undefined for the one that the route declares first. */
    readonly type: Type,
    readonly headers: Headers,
  ) {}
}

/**
 * What a handler returns to answer with one of the statuses that its route declares in `responses`. The types of the route hold
 * the body to the status.
 *
 * @param status - HTTP status; one that the route does not declare is an error
 * @param body - as a handler may return it; without one, a status from 400 is answered with problem details (RFC 9457)
 * @param options - media type, where the route declares several of the status, and headers
 *
 * @example
 * router.post('/jobs', { output: Job, status: 201, responses: { 202: { output: Ticket } } }, async (ctx) =>
 *   (await isBusy()) ? answer(202, { ticket: 7 }, { headers: { 'retry-after': 5 } }) : makeJob(ctx.input.body),
 * );
 */
export function answer<const Status extends number>(status: Status): Answer<Status, undefined, undefined, NoHeaders>;
export function answer<const Status extends number, Body>(
  status: Status,
  body: Body,
): Answer<Status, Body, undefined, NoHeaders>;
export function answer<const Status extends number, Body, const Type extends string>(
  status: Status,
  body: Body,
  options: { readonly type: Type; readonly headers?: undefined },
): Answer<Status, Body, Type, NoHeaders>;
export function answer<const Status extends number, Body, Headers extends object>(
  status: Status,
  body: Body,
  options: { readonly type?: undefined; readonly headers: Headers },
): Answer<Status, Body, undefined, Headers>;
export function answer<const Status extends number, Body, const Type extends string, Headers extends object>(
  status: Status,
  body: Body,
  options: { readonly type: Type; readonly headers: Headers },
): Answer<Status, Body, Type, Headers>;
export function answer(
  status: number,
  body?: unknown,
  { type, headers = {} }: { readonly type?: string | undefined; readonly headers?: object | undefined } = {},
): Answer {
  return new Answer(status, body, type, headers as AnswerHeaders);
}

// Overloads: an argument that is left out must not be inferred from the return type of the handler.
type NoHeaders = Readonly<Record<never, never>>;

/** The answers that a route may give by its `responses`. */
export type AnswersOf<Responses> = {
  [Status in keyof Responses & number]: AnswerOf<Status, Responses[Status]>;
}[keyof Responses & number];

type AnswerOf<Status extends number, Response> = Response extends { readonly content: infer Content }
  ? {
      [Type in keyof Content & string]: Answer<
        Status,
        BodyAs<Type, Content[Type]>,
        Type | undefined,
        HeadersOf<Response>
      >;
    }[keyof Content & string]
  : Answer<
      Status,
      Response extends { readonly output: infer Output } ? BodyOrItems<Output> : undefined | null,
      undefined,
      HeadersOf<Response>
    >;

type HeadersOf<Response> = Response extends { readonly headers: infer Schema extends TSchema }
  ? NoInfer<Static<Schema>>
  : AnswerHeaders | Record<never, never>;

/**
 * The value that a shape stands for, as far as its type says. NoInfer keeps the compiler from looking for a schema in what a handler
 * returns, which takes it a million instantiations, some seconds, in every project.
 */
type BodyOf<Shape> = Shape extends TSchema ? NoInfer<Sendable<Static<Shape>>> : unknown;

/** {@link BodyOf}, or item by item where it is a list or a text. */
type BodyOrItems<Shape> = Shape extends TSchema
  ? NoInfer<Sendable<Static<Shape>> | StreamedItems<Static<Shape>>>
  : unknown;

type BodyAs<Type extends string, Shape> = Type extends `${string}/json` | `${string}+json`
  ? BodyOrItems<Shape>
  : BodyOf<Shape> | string | Uint8Array | Readable | ReadableStream | Streamed<BodyOf<Shape> | string | Uint8Array>;

/** What is sent item by item: what an async generator or an iterator gives. */
type Streamed<Item> = AsyncIterable<Item> | IterableIterator<Item>;

/** The stream of items that may come in the place of a list; never for other shapes. */
export type StreamedItems<Output> = Output extends readonly (infer Item)[]
  ? Streamed<Sendable<Item>>
  : Output extends string
    ? Streamed<string>
    : never;

/** Type of a value returned without `answer` where a route has `responses`: its `output`, or what it declares for 200 as JSON or as lines of JSON. */
export type PlainAnswer<Output, Responses> = [Output] extends [undefined]
  ? Responses extends { readonly 200: { readonly output: infer Own } }
    ? BodyOrItems<Own>
    : Responses extends { readonly 200: { readonly content: infer Content } }
      ? { [Type in keyof Content & LinesType]: Streamed<BodyOf<Content[Type]>> }[keyof Content & LinesType]
      : never
  : BodyOrItems<Output>;

/** Media types of lines of JSON. */
type LinesType = `application/${'x-' | ''}${'ndjson' | 'jsonl' | 'jsonlines'}`;

/**
 * The status of what a handler returns without `answer`: what the route says; else 200, or the first success that its `responses`
 * declare where it declares nothing of 200.
 */
export function successStatus(
  status: number | undefined,
  output: unknown,
  responses: Readonly<Record<number, unknown>> = {},
): number {
  if (status !== undefined) return status;
  if (output !== undefined || Object.hasOwn(responses, 200)) return 200;
  return Object.keys(responses).map(Number).find((each) => each > 199 && each < 400) ?? 200; // prettier-ignore
}
