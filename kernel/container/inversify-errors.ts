import { type FwError, fwError } from '../errors/index.js';
import { CONTAINER_ERRORS } from './errors.js';

// Inversify does not export its error class; its errors carry this symbol in every copy of the package.
const INVERSIFY_ERROR = Symbol.for('@inversifyjs/core/InversifyCoreError');
const SERVICE = String.raw`"Symbol\((.*)\)(?: \(Root service\))?"`;
const UNBOUND = new RegExp(`^No bindings found for service: ${SERVICE}[^]*Trying to resolve bindings for ${SERVICE}`);
const CIRCLE = /^Circular dependency found: (.*)$/m;

/** Turns Inversify's error about a class that it cannot bind into one of ours. */
export function classError(error: unknown, details: { token: string; owner: string; name: string }): unknown {
  if (!isInversifyError(error)) return error;
  return fwError(CONTAINER_ERRORS.FW_CONTAINER_CLASS, { ...details, reason: firstSentence(error) }, { cause: error });
}

/** Turns Inversify's error about a service that it cannot make into one of ours. */
export function resolutionError(error: unknown): unknown {
  return isInversifyError(error) ? translatedResolution(error) : error;
}

function translatedResolution(cause: Error): FwError {
  const circle = CIRCLE.exec(cause.message)?.[1];
  if (circle !== undefined) {
    const names = circle.replace(/Symbol\(([^)]*)\)/g, '$1');
    return fwError(CONTAINER_ERRORS.FW_CONTAINER_CIRCLE, { circle: names }, { cause });
  }
  const [, token, service] = UNBOUND.exec(cause.message) ?? [];
  if (token !== undefined && service !== undefined) {
    return fwError(CONTAINER_ERRORS.FW_CONTAINER_NEED_UNBOUND, { token, service }, { cause });
  }
  return fwError(CONTAINER_ERRORS.FW_CONTAINER_RESOLUTION, { reason: firstSentence(cause) }, { cause });
}

function isInversifyError(error: unknown): error is Error {
  return error instanceof Error && INVERSIFY_ERROR in error;
}

function firstSentence({ message }: Error): string {
  return message.split('\n', 1)[0] ?? message;
}
