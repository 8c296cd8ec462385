import path from 'node:path';
import { type Static, Type } from '../../../../kernel/index.js';
import { Integer, Numeric } from '../../../../kernel/schema/index.js';

/** Coverage of one file. */
export const FileCoverage = Type.Object({
  file: Type.String({ description: 'relative to the project' }),
  statements: Type.Integer({ description: 'lines, where only lines are counted' }),
  covered: Integer,
  percent: Numeric,
  uncovered: Type.Array(Type.Object({ from: Integer, to: Integer }), {
    description: 'lines that no test runs',
  }),
});
export type FileCoverage = Static<typeof FileCoverage>;

/** Coverage of a folder or a Go package. */
export const PackageCoverage = Type.Object({
  package: Type.String({ description: 'folder relative to the project' }),
  statements: Integer,
  covered: Integer,
  percent: Numeric,
});
export type PackageCoverage = Static<typeof PackageCoverage>;

/** A statement or lines, and whether they ran. */
export interface CountedLines {
  readonly from: number;
  readonly to: number;
  /** Number of statements on these lines; default 1. */
  readonly statements?: number;
  readonly ran: boolean;
}

/**
 * Coverage of a file from its counted lines.
 * @param file - absolute, or relative to the project
 * @returns undefined for a file that is not the project's own
 */
export function fileCoverage(root: string, file: string, counted: readonly CountedLines[]): FileCoverage | undefined {
  const relative = path.relative(root, path.resolve(root, file)).split(path.sep).join('/');
  if (relative.startsWith('..') || /(^|\/)node_modules\//.test(relative)) return undefined;
  const sum = (lines: readonly CountedLines[]) => lines.reduce((total, { statements = 1 }) => total + statements, 0);
  const [statements, covered] = [sum(counted), sum(counted.filter(({ ran }) => ran))];
  return { file: relative, statements, covered, percent: percentOf(covered, statements), uncovered: gaps(counted) };
}

/** Percent with two decimals; 100 for a file without statements. */
export function percentOf(covered: number, statements: number): number {
  return statements === 0 ? 100 : Math.round((covered / statements) * 10_000) / 100;
}

/** Files by their folder, sorted. */
export function byFolder(files: readonly FileCoverage[]): readonly PackageCoverage[] {
  const folders = new Map<string, { statements: number; covered: number }>();
  for (const { file, statements, covered } of files) {
    const folder = path.posix.dirname(file);
    const sum = folders.get(folder) ?? { statements: 0, covered: 0 };
    folders.set(folder, { statements: sum.statements + statements, covered: sum.covered + covered });
  }
  return [...folders]
    .map(([name, { statements, covered }]) => ({
      package: name,
      statements,
      covered,
      percent: percentOf(covered, statements),
    }))
    .sort((a, b) => (a.package < b.package ? -1 : 1));
}

// A line counts as missed when some statement on it did not run; lines without statements do not break a gap in two.
function gaps(counted: readonly CountedLines[]): { from: number; to: number }[] {
  const missed = new Set<number>();
  const ran = new Set<number>();
  for (const { from, to, ran: did } of counted) {
    for (let line = from; line <= to; line++) (did ? ran : missed).add(line);
  }
  const found: { from: number; to: number }[] = [];
  for (const line of [...missed].sort((a, b) => a - b)) {
    const last = found.at(-1);
    if (last && !between(last.to + 1, line, ran)) last.to = line;
    else found.push({ from: line, to: line });
  }
  return found;
}

function between(from: number, to: number, ran: ReadonlySet<number>): boolean {
  for (let line = from; line < to; line++) if (ran.has(line)) return true;
  // Nearby gaps, for example with a comment between them, count as one.
  return to - from > 2;
}
