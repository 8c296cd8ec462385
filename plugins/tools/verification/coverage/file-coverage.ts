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

interface Lines {
  readonly from: number;
  to: number;
}

/** Two gaps are one when the second begins so many lines behind the end of the first. */
const NEAR = 3;

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
  // What a report says is somebody's text.
  const sound = counted.filter(({ from, to, statements = 1 }) => [from, to, statements].every(Number.isSafeInteger));
  const sum = (lines: readonly CountedLines[]) => lines.reduce((total, { statements = 1 }) => total + statements, 0);
  const [statements, covered] = [sum(sound), sum(sound.filter(({ ran }) => ran))];
  return { file: relative, statements, covered, percent: percentOf(covered, statements), uncovered: [...gaps(sound)] };
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
function gaps(counted: readonly CountedLines[]): readonly Lines[] {
  const ran = joined(counted.filter((lines) => lines.ran));
  const found: Lines[] = [];
  let next = 0;
  for (const missed of joined(counted.filter((lines) => !lines.ran))) {
    const last = found.at(-1);
    while (last && (ran[next]?.to ?? Infinity) <= last.to) next++;
    const between = ran[next];
    // Nearby gaps, for example with a comment between them, count as one.
    const isNear = last && missed.from - last.to <= NEAR && !(between && between.from < missed.from);
    if (isNear) last.to = missed.to;
    else found.push(missed);
  }
  return found;
}

// In order, those that overlap or touch as one. A statement may have as many lines as a report says, so none is looked at alone.
function joined(counted: readonly CountedLines[]): readonly Lines[] {
  const found: Lines[] = [];
  for (const { from, to } of [...counted].sort((a, b) => a.from - b.from)) {
    const last = found.at(-1);
    if (last && from <= last.to + 1) last.to = Math.max(last.to, to);
    else if (from <= to) found.push({ from, to });
  }
  return found;
}
