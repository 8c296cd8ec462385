import type { FollowedUp } from '../fs/index.js';
import { loadFunction } from './load-contribution.js';
import { roomManifests } from './rooms.js';

/** Does what follows from a write, for `recoverWrites`: by the room that knows that kind of work, which is loaded here. */
export async function goOnWith(kind: string, root: string): Promise<FollowedUp> {
  const rooms = await roomManifests();
  const by = rooms.find(({ manifest }) => Object.hasOwn(manifest.followUps ?? {}, kind));
  if (by === undefined) return { isDone: false, text: 'this version of fw does not know that work' };
  const module = by.manifest.followUps?.[kind] as string;
  const run = await loadFunction<(root: string) => Promise<FollowedUp>>({ by, field: `followUps.${kind}`, module });
  return run(root);
}
