import type { FollowedUp } from '../fs/index.js';
import { loadFunction } from './load-contribution.js';
import { roomManifests } from './rooms.js';

/** Does the follow-up work of a write, for `recoverWrites`: loads the module of the room that handles that kind of work. */
export async function goOnWith(kind: string, root: string): Promise<FollowedUp> {
  const rooms = await roomManifests();
  const by = rooms.find(({ manifest }) => Object.hasOwn(manifest.followUps ?? {}, kind));
  if (by === undefined) return { isDone: false, text: 'this version of fw does not know that work' };
  const module = by.manifest.followUps?.[kind] as string;
  const run = await loadFunction<(root: string) => Promise<FollowedUp>>({ by, field: `followUps.${kind}`, module });
  return run(root);
}
