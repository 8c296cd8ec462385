import type { Played } from './play.js';

/** The sessions as a table, with what was missing below it. */
export function reportOf(sessions: readonly Played[]): string {
  const rows = sessions.map(({ kind, name, calls, bytes, longest, problems }) => {
    return [kind, name, String(calls), String(bytes), String(longest), problems.length === 0 ? 'sufficient' : 'NOT'];
  });
  const all = [['kind', 'task', 'calls', 'bytes', 'longest', 'answers'], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  const table = all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const problems = sessions.flatMap(({ name, problems: found }) => found.map((problem) => `${name}: ${problem}`));
  const sum = (of: (session: Played) => number) => sessions.reduce((total, each) => total + of(each), 0);
  const totals = `${sessions.length} sessions, ${sum(({ calls }) => calls)} calls, ${sum(({ bytes }) => bytes)} bytes`;
  return [...table, '', totals, ...problems].join('\n');
}
