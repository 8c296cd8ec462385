import { readFileSync } from 'node:fs';

/** A place in a source. */
export interface Place {
  /** Absolute path. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1. */
  readonly column: number;
}

const AROUND = 2;
const WIDEST = 160;

/** The lines around a place with their numbers, and a caret below the place; empty where there are none. */
export function codeFrame({ file, line, column }: Place): string {
  const lines = linesOf(file);
  if (line < 1 || line > lines.length) return '';
  const from = Math.max(1, line - AROUND);
  const to = Math.min(lines.length, line + AROUND);
  const width = String(to).length;
  const shown: string[] = [];
  for (let at = from; at <= to; at++) {
    const text = (lines[at - 1] ?? '').slice(0, WIDEST);
    shown.push(`${at === line ? '>' : ' '} ${String(at).padStart(width)} | ${text}`.trimEnd());
    if (at === line && column >= 1 && column <= WIDEST) {
      // Tabs are kept, so that the caret stands below its column for any tab width.
      const before = text.slice(0, column - 1).replace(/[^\t]/g, ' ');
      shown.push(`  ${' '.repeat(width)} | ${before}^`);
    }
  }
  return shown.join('\n');
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/);
  } catch {
    return [];
  }
}
