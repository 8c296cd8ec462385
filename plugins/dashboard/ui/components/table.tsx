import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** A column of a {@link Table}. */
export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers stand at the right. */
  readonly align?: 'right';
  /** Value to sort by; without it the column cannot be sorted. */
  readonly sort?: (row: Row) => number | string;
  /** Takes the remaining width, and truncates its content. */
  readonly wide?: boolean;
  /** Left out on narrow screens. */
  readonly optional?: boolean;
}

/** Order of a table's rows. */
interface Order {
  readonly column: string;
  readonly down: boolean;
}

/** Rows of data. A column's `cell` may hold a link with the class `row-link`, which then covers the row. */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  order: firstOrder,
  empty,
  isCurrent,
}: {
  /** Description of the table for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** Without it rows stay as they come until a heading is pressed. */
  readonly order?: Order;
  readonly empty?: ComponentChildren;
  /** Whether a row is the one that is open. */
  readonly isCurrent?: (row: Row) => boolean;
}) {
  const [order, setOrder] = useState<Order | undefined>(firstOrder);
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  return (
    <div class="table-scroll" tabIndex={0} role="group" aria-label={caption}>
      <table class="table">
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.id} column={column} order={order} setOrder={setOrder} />
            ))}
          </tr>
        </thead>
        <tbody>
          {ordered(rows, columns, order).map((row) => (
            <tr key={rowKey(row)} aria-current={isCurrent?.(row) ? 'true' : undefined}>
              {columns.map((column) => (
                <td key={column.id} class={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Heading<Row>({
  column,
  order,
  setOrder,
}: {
  readonly column: Column<Row>;
  readonly order: Order | undefined;
  readonly setOrder: (order: Order) => void;
}) {
  if (!column.sort) {
    return (
      <th scope="col" class={classOf(column)}>
        {column.title}
      </th>
    );
  }
  const active = order?.column === column.id;
  const next = { column: column.id, down: active ? !order.down : column.align === 'right' };
  return (
    <th scope="col" class={classOf(column)} aria-sort={active ? (order.down ? 'descending' : 'ascending') : undefined}>
      <button type="button" class="table-sort" onClick={() => setOrder(next)}>
        {column.title}
        <span class="table-arrow" aria-hidden="true">
          {active ? (order.down ? '↓' : '↑') : ''}
        </span>
      </button>
    </th>
  );
}

function classOf<Row>({ align, wide, optional }: Column<Row>): string {
  return [align === 'right' && 'right', wide && 'wide', optional && 'optional'].filter(Boolean).join(' ');
}

function ordered<Row>(rows: readonly Row[], columns: readonly Column<Row>[], order: Order | undefined): readonly Row[] {
  const sort = columns.find(({ id }) => id === order?.column)?.sort;
  if (!order || !sort) return rows;
  const sign = order.down ? -1 : 1;
  return [...rows].sort((one, other) => sign * compared(sort(one), sort(other)));
}

function compared(one: number | string, other: number | string): number {
  if (typeof one === 'string' && typeof other === 'string') return one.localeCompare(other);
  return Number(one) - Number(other);
}
