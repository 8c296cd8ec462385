import { causeOf, type HttpContext } from '../../../kernel/index.js';
import { copiedText } from '../../../kernel/log/index.js';
import { attachedTrace, isRecorded, traceOf } from './active-trace.js';
import { attributesText } from './client-call.js';
import { thrownType } from './error-type.js';
import { FinishedSpan } from './finished-span.js';
import { HeaderNames } from './header-names.js';
import { TRACE_HEADERS } from './headers.js';
import { MAX_CALLER_NAME, maskedPath, samplingProbability } from '../recorded/index.js';
import { capturedResponse } from './payload-capture.js';
import type { RequestTrace } from './request-trace.js';
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
  record(tracer, context, startMs, context.headerSent ? context.status : errorStatus, error);
}

// A handler that took the response over (`ctx.respond = false`) and wrote nothing yet has no status.
function statusWritten(context: HttpContext): number {
  return context.respond === false && !context.headerSent ? 0 : context.res.statusCode;
}

function record(tracer: Tracer, context: HttpContext, startMs: number, status: number, thrown?: unknown): void {
  const failed = status >= FAILURE;
  const durationMs = Math.max(0, epochMs() - startMs);
  const caller = callerOf(context);
  tracer.observe(failed, durationMs, caller);
  attachedTrace(context)?.endCalls();
  if (!failed && !isRecorded(context)) return;
  const trace = traceOf(context) as RequestTrace;
  const { traceId, spanId, parentId, sampled } = trace;
  tracer.record(
    new FinishedSpan(
      traceId,
      spanId,
      parentId,
      'server',
      context.route?.path ?? copiedText(maskedPath(context.path), MAX_PATH),
      context.method,
      status,
      startMs,
      durationMs,
      // Never the error's message, which may contain a user's data.
      failed ? `HTTP ${status}` : undefined,
      trace.allTags(),
      headerNames.of(context.req.headers),
      parentId === undefined ? undefined : caller,
      (failed ? exceptionText(thrown ?? causeOf(context)) : sampled ? probabilityText(trace) : '') +
        (sampled && tracer.config.capturePayloads() ? payloads(context, trace) : ''),
    ),
  );
}

// Tells a request that failed on its own from one that failed with a call. The type alone, as OpenTelemetry has it.
function exceptionText(error: unknown): string {
  return error === undefined ? '' : attributesText({ 'error.type': thrownType(error) });
}

// A failure is always recorded, so it represents only itself and has no probability.
function probabilityText({ tracestate }: RequestTrace): string {
  const probability = samplingProbability(tracestate);
  return probability < 1 ? `,"probability":${probability}` : '';
}

const headerNames = new HeaderNames();

/** Longest path of a request without a route, in characters. */
const MAX_PATH = 512;

function callerOf({ req }: HttpContext): string | undefined {
  const name = req.headers[TRACE_HEADERS.service];
  return typeof name === 'string' && name !== '' && name.length <= MAX_CALLER_NAME ? name : undefined;
}

function payloads(context: HttpContext, { requestPayload }: RequestTrace): string {
  const response = capturedResponse(context);
  const { req } = context;
  return (
    (requestPayload === undefined
      ? ''
      : `,"request_payload":${requestPayload}${mediaType('request', req.headers['content-type'])}`) +
    (response === undefined
      ? ''
      : `,"response_payload":${response}${mediaType('response', context.response.get('Content-Type'))}`)
  );
}

// Without parameters, because the boundary of a form is arbitrary text.
const MEDIA_TYPE = /^\s*([\w!#$&^.+-]{1,64}\/[\w!#$&^.+-]{1,64})\s*(?:;|$)/;

function mediaType(of: 'request' | 'response', contentType = ''): string {
  const [, essence] = MEDIA_TYPE.exec(contentType) ?? [];
  return essence === undefined ? '' : `,"${of}_media_type":"${essence.toLowerCase()}"`;
}
