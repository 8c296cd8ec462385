import { hash } from 'node:crypto';
import { afterNext, direct, type HttpContext } from '../../../kernel/index.js';
import {
  httpDate,
  knownBody,
  outcomeOf,
  preconditionsOf,
  preconditionFailed,
  type ProbedMiddleware,
  type Validators,
  withProbe,
  writeProblem,
} from '../../http/index.js';
import type { ETagCache } from './etag-cache.js';
import { keyOfTarget } from './key-of-target.js';

/** What `etagMiddleware` does, with a given cache. */
export function handleETags(cache: ETagCache): ProbedMiddleware {
  const etag = direct(function etag(context, next) {
    // Read before the handler runs, which may change it.
    const { method, url } = context.req;
    const asked = preconditionsOf(context.req.headers);
    return afterNext(next, () => {
      if (!takesPart(method, context)) return;
      const tag = existingTag(context) ?? tagOfBody(context);
      if (tag !== undefined) {
        cache.set(keyOfTarget(url as string, String(context.res.getHeader('Content-Encoding') ?? '')), tag);
      }
      const outcome = asked ? outcomeOf(method, asked, validatorsOf(context, tag)) : 'proceed';
      if (outcome === 'failed') return writeProblem(context, preconditionFailed(context));
      if (outcome === 'proceed') return tag === undefined ? undefined : cache.counter.miss();
      cache.counter.hit();
      answerNotModified(context);
    });
  });
  return withProbe(etag, () => cache.report());
}

function takesPart(method: string | undefined, { res, headerSent }: HttpContext): boolean {
  return res.statusCode === 200 && !headerSent && (method === 'GET' || method === 'HEAD');
}

function validatorsOf({ res }: HttpContext, etag: string | undefined): Validators {
  const date = res.getHeader('Last-Modified');
  return { etag, lastModified: typeof date === 'string' ? httpDate(date) : undefined };
}

function existingTag({ res }: HttpContext): string | undefined {
  const tag = res.getHeader('ETag');
  return typeof tag === 'string' ? tag : undefined;
}

function tagOfBody(context: HttpContext): string | undefined {
  const bytes = knownBody(context);
  if (bytes === undefined) return undefined;
  const tag = `"${hash('md5', bytes)}"`;
  context.res.setHeader('ETag', tag);
  return tag;
}

// RFC 9110, section 15.4.5: headers about the body go, those that a cache needs stay.
function answerNotModified(context: HttpContext): void {
  context.status = 304;
  context.body = null;
  context.remove('Content-Encoding');
}
