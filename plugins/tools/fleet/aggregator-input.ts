import type { ToolContext } from '../../../kernel/index.js';
import { optional, optionalText, Text } from '../../../kernel/schema/index.js';
import { foundAddress, liveBase, normalPath, queryOf } from '../runtime/index.js';

/** Inputs of every tool that reads a Fleet Aggregator. */
export const AggregatorInput = {
  aggregator_url: optionalText('default the running one'),
  base_path: optionalText('default /fleet'),
  username: optional(Text),
  password: optional(Text),
  token: optional(Text),
};

/** What a call says of the aggregator to ask. */
export interface Aggregator {
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
