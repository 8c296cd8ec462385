import { bootApp, defineApp, definePlugin, plugin } from '../../../../dist/kernel/index.js';
import { traced } from './fw.mjs';

/** A plugin that needs ambient request contexts, as fw/fleet/tracer does for `logStamping`: the kernel switches them on. */
const ambient = definePlugin({
  id: 'ambient',
  category: 'app',
  description: 'Needs ambient request contexts.',
  requestContext: true,
  register: () => {},
});

/**
 * The tracer with the trace in Node's AsyncLocalStorage too, so that log lines, queries and events find it by themselves.
 *
 * @param {string} sink
 */
export async function install(sink) {
  await bootApp(defineApp({ name: 'bench', plugins: [plugin(async () => ambient)] }));
  return traced({ aggregatorURL: sink, enabled: true });
}
