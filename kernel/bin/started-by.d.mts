export interface Ancestor {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly words: readonly string[];
}
export const STARTED_BY: string;
export function whenStarterEnds(ended: () => void): void;
export function runningScripts(env: Readonly<Record<string, string | undefined>>): readonly string[];
export function watchedAncestors(
  lineage: readonly Ancestor[],
  from: { readonly starter?: number | undefined; readonly scripts?: readonly string[] },
): number | 'gone';
