import { snakeCase } from '../core/index.js';

const SECOND = 1_000;

/**
 * Start of the file names of a new migration, `20260131120000_add_phone`: the time in UTC, so that versions sort; of two that are made
 * within a second, the other gets the next second.
 *
 * @param files - names of the files in the folder
 * @returns undefined when the name has neither letters nor digits
 */
export function migrationStem(name: string, files: readonly string[], now: Date): string | undefined {
  const slug = snakeCase(name)
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
  if (slug === '') return undefined;
  const taken = new Set(files.map((file) => /^\d+/.exec(file)?.[0]));
  let time = now.getTime();
  while (taken.has(versionOf(time))) time += SECOND;
  return `${versionOf(time)}_${slug}`;
}

const versionOf = (time: number): string => new Date(time).toISOString().replace(/\D/g, '').slice(0, 14);
