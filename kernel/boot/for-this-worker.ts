import { resolveOptions } from '../config/index.js';
import { thisWorker } from '../workers/index.js';
import type { LoadedPlugin } from './load-plugins.js';

/** Which plugins this process runs, and which ones another process runs. */
interface Share {
  readonly enabled: readonly LoadedPlugin[];
  readonly elsewhere: readonly LoadedPlugin[];
}

/**
 * The plugins that this process boots. Of several worker processes, only the first boots plugins with `oneWorker` and the plugins that need
 * them; the others forward requests below the paths of these plugins to it.
 *
 * @param isForReading - true when no plugin is started: then all plugins are wanted
 */
export function forThisWorker(all: readonly LoadedPlugin[], isForReading: boolean): Share {
  const worker = thisWorker();
  if (worker === undefined || worker.isFirst || isForReading) return { enabled: all, elsewhere: [] };
  const single = all.filter(({ manifest }) => manifest.oneWorker !== undefined);
  worker.hold(
    single.flatMap(({ manifest, given }) => manifest.oneWorker?.(resolveOptions(manifest, given) as never) ?? []),
  );
  const gone = new Set(single.map(({ manifest }) => manifest.id));
  // Transitive needs: the set grows while the loop walks it.
  for (const id of gone) {
    const manifest = all.find((each) => each.manifest.id === id)?.manifest;
    const lost = new Set(manifest?.provides?.filter((token) => !manifest.otherWorkers?.provides.includes(token)));
    for (const { manifest, broughtBy } of all) {
      const needs = manifest.needs?.includes(id) || manifest.uses?.some((token) => lost.has(token));
      if (needs || broughtBy === id) gone.add(manifest.id);
    }
  }
  return {
    enabled: all.flatMap((loaded) => (gone.has(loaded.manifest.id) ? inOtherWorker(loaded) : [loaded])),
    elsewhere: all.filter(({ manifest }) => gone.has(manifest.id) && !manifest.otherWorkers),
  };
}

// What the other workers boot in place of a plugin that only the first worker runs: enough to reach it there.
function inOtherWorker(loaded: LoadedPlugin): readonly LoadedPlugin[] {
  const { id, category, description, options, needs, otherWorkers } = loaded.manifest;
  if (otherWorkers === undefined) return [];
  const manifest = { id, category, description, ...(options && { options }), ...(needs && { needs }), ...otherWorkers };
  return [{ ...loaded, manifest }];
}
