import { serve } from '../../../kernel/cli/index.js';
import type { CommandAction } from '../../../kernel/contracts/command.js';
import { standaloneAggregator } from '../standalone/index.js';

/** `fw start aggregator`: the Fleet aggregator by itself, configured by `FLEET_*` environment variables. */
const aggregator: CommandAction = ({ cwd }) => serve(standaloneAggregator(process.env), cwd);

export default aggregator;
