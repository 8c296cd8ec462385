import type { HttpContext } from '../../../kernel/index.js';
import type { FormatAnswer, SpanFormat } from '../../../kernel/contracts/fleet.js';
import type { Endpoint, Parts } from './fleet-api.js';

/** Endpoint for spans in another protocol, with the credential and bounds of the native one. */
export function endpointOfFormat(format: SpanFormat): Endpoint {
  return {
    method: 'POST',
    path: { exec: (path) => (path === format.path ? [path] : null) },
    access: 'write',
    handle: (parts, context) => take(format, parts, context),
  };
}

function take(format: SpanFormat, { aggregator, bodies }: Parts, context: HttpContext): Promise<undefined> {
  const { maxBodyBytes, maxBatchSpans } = aggregator.settings;
  return bodies.use(context.req, maxBodyBytes, (body) => {
    const mediaType = mediaTypeOf(context);
    const refused = aggregator.acceptPart(format.read(body, mediaType, maxBatchSpans));
    send(context, format.answer(mediaType, refused));
    return undefined;
  });
}

/** Answers an error in the protocol of the request. @returns false for the native one */
export function refusalInFormat(
  formats: readonly SpanFormat[],
  context: HttpContext,
  path: string,
  message: string,
): boolean {
  const format = formats.find((each) => each.path === path);
  if (format === undefined) return false;
  send(context, format.refusal(mediaTypeOf(context), message));
  return true;
}

function mediaTypeOf({ req }: HttpContext): string {
  return (req.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function send(context: HttpContext, { type, body }: FormatAnswer): void {
  context.body = body;
  context.set('Content-Type', type);
}
