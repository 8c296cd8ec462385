import type { OpenChangeSet } from './change-sets.js';

/**
 * Files whose content a commit would lose, sorted: those that it deletes, and those that a call with `force` overwrites. Without `force`
 * the generators only add to files and do not replace edited parts.
 */
export function lossesOf({ files, calls }: OpenChangeSet): readonly string[] {
  const changes = new Map(files.changes().map(({ path, change }) => [path, change]));
  const forced = calls.filter(({ arguments: given }) => isForced(given)).flatMap((call) => call.changes);
  const overwritten = forced.map(({ path }) => path).filter((path) => changes.get(path) === 'modified');
  const deleted = [...changes].filter(([, change]) => change === 'deleted').map(([path]) => path);
  return [...new Set([...overwritten, ...deleted])].sort();
}

/** The question to a person before files are lost. */
export function questionAbout({ id, files }: OpenChangeSet, losses: readonly string[]): string {
  const shown = losses.slice(0, 10).join(', ');
  const more = losses.length > 10 ? ` and ${losses.length - 10} more` : '';
  return `Commit change set ${id} to ${files.root}? It replaces or deletes what stands in ${shown}${more}.`;
}

function isForced(given: Readonly<Record<string, unknown>>): boolean {
  return (given['flags'] as Readonly<Record<string, unknown>> | undefined)?.['force'] === true;
}
