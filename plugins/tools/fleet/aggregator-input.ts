import { Type } from 'typebox';
import { liveBase, normalPath, queryOf } from '../runtime/index.js';

/** Inputs that every tool has which reads a Fleet Aggregator. */
export const AggregatorInput = {
  aggregator_url: Type.String({ description: 'Fleet Aggregator address' }),
  base_path: Type.Optional(Type.String({ description: 'default /fleet' })),
  username: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
  token: Type.Optional(Type.String()),
};

/** Names of {@link AggregatorInput}; all of them are text. */
export const AGGREGATOR_TEXTS = ['aggregator_url', 'base_path', 'username', 'password', 'token'] as const;

interface Aggregator {
  readonly aggregator_url: string;
  readonly base_path?: string;
  readonly username?: string;
  readonly password?: string;
  readonly token?: string;
}

const NOT_THERE =
  'There is no such endpoint (404): no Fleet Aggregator listens here, or it is mounted elsewhere (base_path).';

/** Where an endpoint of an aggregator is. An address that ends in the base path already is taken as it is. */
export function aggregatorEndpoint(input: Aggregator, endpoint: string, query: Readonly<Record<string, unknown>> = {}) {
  const given = liveBase('aggregator_url', input.aggregator_url);
  const path = normalPath(input.base_path ?? '/fleet');
  const base = path !== '' && given.endsWith(path) ? given : `${given}${path}`;
  const { username, password, token } = input;
  return { base, url: `${base}/api/${endpoint}${queryOf(query)}`, username, password, token, missing: NOT_THERE };
}
