import { plugin, type Plugin, type PluginEntry } from '../../../kernel/index.js';
import { roomManifests } from '../../../kernel/manifests/index.js';

/** The framework's tool plugins: the rooms whose manifest has tools. Never code of the workspace. */
export async function builtInTools(): Promise<readonly PluginEntry[]> {
  const rooms = await roomManifests();
  const withTools = rooms.filter(({ manifest: { tools = [] } }) => tools.length > 0);
  return withTools.map(({ locate }) => plugin(() => import(locate('./index.js')) as Promise<{ default: Plugin }>));
}
