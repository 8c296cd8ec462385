import { readFileSync } from 'node:fs';
import path from 'node:path';
import { globSync } from 'tinyglobby';
import type { RoomManifest } from './manifest.js';
import type { CollectedRoom } from './rooms.js';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Replaces the list that the build collects (kernel/build/collect-rooms.mjs) when the sources run directly. */
export const rooms: readonly CollectedRoom[] = globSync(['{kernel,plugins,codegen}/**/fw.json'], {
  cwd: ROOT,
  ignore: ['**/node_modules/**'],
})
  .sort()
  .map((file) => ({
    room: path.posix.dirname(file),
    manifest: JSON.parse(readFileSync(path.join(ROOT, file), 'utf8')) as RoomManifest,
  }));

/** The source behind a module of a room. */
export const locate = (room: string, module: string): string =>
  path.join(ROOT, room, module.replace(/\.([cm]?)js$/, '.$1ts'));
