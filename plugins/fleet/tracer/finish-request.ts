import { causeOf, type HttpContext } from '../../../kernel/index.js';
import { copiedText } from '../../../kernel/log/index.js';
import { attachedTrace, isRecorded, traceOf } from './active-trace.js';
import { attributesText } from './client-call.js';
import { thrownType } from './error-type.js';
import { FinishedSpan } from './finished-span.js';
import { HeaderNames } from './header-names.js';
import { TRACE_HEADERS } from './headers.js';
import { MAX_CALLER_NAME, maskedPath } from '../recorded/index.js';
import { capturedResponse } from './payload-capture.js';
import type { RequestTrace } from './request-trace.js';
import { probabilityText } from './probability.js';
import { epochMs } from './trace-clock.js';
import type { Tracer } from './tracer.js';

/** From this status on a request counts as failed; a 4xx does not. */
const FAILURE = 500;

/** Records a request whose chain returned. */
export function finishedRequest(tracer: Tracer, context: HttpContext, startMs: number): void {
  record(tracer, context, startMs, statusWritten(context));
}

/** Records a request whose chain threw: with the status that the error response will have. */
export function failedRequest(
  tracer: Tracer,
  context: HttpContext,
  startMs: number,
  errorStatus: number,
  error: unknown,
): void {
  const { headerSent } = context;
  record(tracer, context, startMs, headerSent ? context.status : errorStatus, { error, isAnswered: headerSent });
}

// A handler that took the response over (`ctx.respond = false`) and wrote nothing yet has no status.
function statusWritten(context: HttpContext): number {
  return context.respond === false && !context.headerSent ? 0 : context.res.statusCode;
}

/** What a chain threw, and whether it had answered before: otherwise its body is not the one that will be sent. */
interface Thrown {
  readonly error: unknown;
  readonly isAnswered: boolean;
}

function record(tracer: Tracer, context: HttpContext, startMs: number, status: number, thrown?: Thrown): void {
  const failed = status >= FAILURE;
  const durationMs = Math.max(0, epochMs() - startMs);
  const caller = callerOf(context);
  tracer.observe(failed, durationMs, caller);
  attachedTrace(context)?.endCalls();
  if (!failed && !isRecorded(context)) return;
  const trace = traceOf(context) as RequestTrace;
  const { traceId, spanId, parentId, sampled } = trace;
  const pattern = context.route?.path;
  const route = pattern ?? copiedText(maskedPath(context.path), MAX_PATH);
  tracer.record(
    new FinishedSpan(
      traceId,
      spanId,
      parentId,
      'server',
      route,
      context.method,
      status,
      startMs,
      durationMs,
      // Never the error's message, which may contain a user's data.
      failed ? `HTTP ${status}` : undefined,
      trace.allTags(),
      headerNames.of(context.req.headers),
      parentId === undefined ? undefined : caller,
      requestText(
        context,
        pattern === undefined ? route : undefined,
        failed ? (thrown?.error ?? causeOf(context)) : undefined,
      ) +
        (sampled && !failed ? probabilityText(trace) : '') +
        (sampled && tracer.isDescribed
          ? contentText(tracer, context, trace, status, thrown?.isAnswered !== false)
          : ''),
    ),
  );
}

// Attributes of a request. Its scheme and version are told where they are not the usual ones, `http` and 1.1, which costs nothing. The type
// of what was thrown tells a request that failed on its own from one that failed with a call; the type alone, as OpenTelemetry has it.
function requestText(context: HttpContext, path: string | undefined, error: unknown): string {
  const { httpVersion } = context.req;
  const isTls = context.protocol === 'https';
  if (path === undefined && error === undefined && httpVersion === '1.1') return isTls ? TLS_TEXT : '';
  return attributesText({
    ...(isTls && TLS),
    // Says that the place of the route is taken by a masked path.
    ...(path !== undefined && { 'url.path': path }),
    ...(httpVersion !== '1.1' && { 'network.protocol.version': httpVersion.replace(/^2\.0$/, '2') }),
    ...(error !== undefined && { 'error.type': thrownType(error) }),
  });
}

const TLS = { 'url.scheme': 'https' } as const;
const TLS_TEXT = attributesText(TLS);

const headerNames = new HeaderNames();

/** Longest path of a request without a route, in characters. */
const MAX_PATH = 512;

function callerOf({ req }: HttpContext): string | undefined {
  const name = req.headers[TRACE_HEADERS.service];
  return typeof name === 'string' && name !== '' && name.length <= MAX_CALLER_NAME ? name : undefined;
}

// What is checked against the OpenAPI document: JSON bodies while they are captured, and the media types of the others in any case.
function contentText(
  tracer: Tracer,
  context: HttpContext,
  { requestPayload }: RequestTrace,
  status: number,
  isAnswered: boolean,
): string {
  const { headers } = context.req;
  const request = memberText('request', requestPayload, hasContent(headers) ? headers['content-type'] : undefined);
  if (!isAnswered) return request;
  const response = tracer.config.capturePayloads() ? capturedResponse(context) : undefined;
  return (
    request + memberText('response', response, answersContent(context, status) ? responseType(context) : undefined)
  );
}

function hasContent(headers: HttpContext['req']['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

// The words that servers add to a redirect are for people.
function answersContent({ method }: HttpContext, status: number): boolean {
  return method !== 'HEAD' && status >= 200 && status !== 204 && status !== 205 && !(status >= 300 && status < 400);
}

function responseType({ res }: HttpContext): string | undefined {
  const type = res.getHeader('Content-Type');
  return typeof type === 'string' ? type : undefined;
}

// Without parameters, because the boundary of a form is arbitrary text.
const MEDIA_TYPE = /^\s*([\w!#$&^.+-]{1,64}\/[\w!#$&^.+-]{1,64})\s*(?:;|$)/;
/** The media type that a body without a recorded one is taken for. */
const USUAL = 'application/json';

function memberText(of: 'request' | 'response', payload: string | undefined, contentType: string | undefined): string {
  const type = MEDIA_TYPE.exec(contentType ?? '')?.[1]?.toLowerCase();
  const body = payload === undefined ? '' : `,"${of}_payload":${payload}`;
  return type === undefined || (type === USUAL && body === '') ? body : `${body},"${of}_media_type":"${type}"`;
}
