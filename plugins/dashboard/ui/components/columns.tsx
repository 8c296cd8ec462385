import { ago, count, duration, preciseClock } from './format.js';
import type { Column } from './table.js';

// What the lists of the pages have in common: columns with the same content look and sort the same everywhere. Each is made for the member
// that it shows.

/** Rows with a member of some kind. */
type With<Member extends string, Value> = Readonly<Record<Member, Value>>;
type Optional = Pick<Column<never>, 'optional'>;

/** A name of the application, such as an event's; takes the remaining width. */
export function nameColumn<Member extends string>(member: Member, title: string): Column<With<Member, string>> {
  return {
    id: member,
    title,
    wide: true,
    sort: (row) => row[member],
    cell: (row) => <span class="mono">{row[member]}</span>,
  };
}

/** How many. */
export function countColumn<Member extends string>(member: Member, title: string): Column<With<Member, number>> {
  return { id: member, title, align: 'right', sort: (row) => row[member], cell: (row) => count(row[member]) };
}

/** A count of problems: subdued when it is zero. */
export function problemColumn<Member extends string>(
  member: Member,
  title: string,
  tone: 'bad' | 'warn' = 'bad',
): Column<With<Member, number>> {
  return {
    ...countColumn(member, title),
    cell: (row) => (row[member] > 0 ? <span class={tone}>{count(row[member])}</span> : <span class="muted">–</span>),
  };
}

/** How long, from milliseconds. */
export function durationColumn<Member extends string>(
  member: Member,
  title: string,
  optional: Optional = {},
): Column<With<Member, number>> {
  return { ...countColumn(member, title), cell: (row) => duration(row[member]), ...optional };
}

/** Time of the last occurrence. */
export function lastSeenColumn(optional: Optional = {}): Column<With<'last_seen', string>> {
  return {
    id: 'last_seen',
    title: 'Last',
    align: 'right',
    sort: (row) => row.last_seen,
    cell: (row) => <span class="muted">{ago(row.last_seen)}</span>,
    ...optional,
  };
}

/** Time of one occurrence; rows keep their order, newest first. */
export function timeColumn(): Column<With<'time', string>> {
  return { id: 'time', title: 'Time', cell: ({ time }) => <span class="muted">{preciseClock(time)}</span> };
}
