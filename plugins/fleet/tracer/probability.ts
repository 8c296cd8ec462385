import { samplingProbability } from '../recorded/index.js';
import type { RequestTrace } from './request-trace.js';

/**
 * The share of spans like a sampled one that are recorded, as members of JSON. Not for a failure: it is always recorded, so it stands only
 * for itself.
 */
export function probabilityText({ tracestate }: RequestTrace): string {
  const probability = samplingProbability(tracestate);
  return probability < 1 ? `,"probability":${probability}` : '';
}
