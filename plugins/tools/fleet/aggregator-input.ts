import { Type } from 'typebox';
import type { ToolContext } from '../../../kernel/index.js';
import { foundAddress, liveBase, normalPath, queryOf } from '../runtime/index.js';

/** Inputs of every tool that reads a Fleet Aggregator. */
export const AggregatorInput = {
  aggregator_url: Type.Optional(Type.String({ description: 'default the running one' })),
  base_path: Type.Optional(Type.String({ description: 'default /fleet' })),
  username: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
  token: Type.Optional(Type.String()),
};

/** Names of {@link AggregatorInput}; all of them are text. */
export const AGGREGATOR_TEXTS = ['aggregator_url', 'base_path', 'username', 'password', 'token'] as const;

interface Aggregator {
  readonly aggregator_url?: string;
  readonly base_path?: string;
  readonly username?: string;
  readonly password?: string;
  readonly token?: string;
}

const NOT_THERE =
  'There is no such endpoint (404): no Fleet Aggregator listens here, or it is mounted elsewhere (base_path).';

const LEFT_OUT = { argument: 'aggregator_url', what: 'Fleet aggregator', label: 'Fleet aggregator' };

/**
 * Where an endpoint of an aggregator is: of the one that the call names, else of the one that runs in the workspace. An address that ends
 * in the base path already is taken as it is.
 *
 * @throws FwError `FW_TOOLS_LIVE_...`
 */
export async function aggregatorEndpoint(
  input: Aggregator,
  context: ToolContext,
  endpoint: string,
  query: Readonly<Record<string, unknown>> = {},
) {
  const { aggregator_url: named } = input;
  const given = named === undefined ? await foundAddress(LEFT_OUT, input, context) : liveBase('aggregator_url', named);
  // What was found has its path already, wherever the aggregator is mounted.
  const isWhole = named === undefined && context.application === undefined;
  const path = isWhole ? '' : normalPath(input.base_path ?? '/fleet');
  const base = path !== '' && given.endsWith(path) ? given : `${given}${path}`;
  const { username, password, token } = input;
  return { base, url: `${base}/api/${endpoint}${queryOf(query)}`, username, password, token, missing: NOT_THERE };
}
