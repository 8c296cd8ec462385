import type { Contributor, RoomManifest } from './manifest.js';

/** A room of the framework with its fw.json, as the build collects them. */
export interface CollectedRoom {
  /** Its folder, relative to the framework. */
  readonly room: string;
  readonly manifest: RoomManifest;
}

/** The manifests of the framework's rooms. The build collects them; there is no other list. */
export async function roomManifests(): Promise<readonly Contributor<RoomManifest>[]> {
  const { rooms, locate } = await import('#rooms');
  return rooms.map(({ room, manifest }) => ({
    owner: room,
    file: `${room}/fw.json`,
    prefix: '',
    manifest,
    locate: (module) => locate(room, module),
  }));
}
