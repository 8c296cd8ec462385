import type { PositionalRow, SqlHandle, StatementOptions } from '../index.js';

/** A handle that answers every read with one row, and notes what it was asked. */
export class RecordingHandle implements SqlHandle {
  readonly driver = undefined;
  readonly sql: string[] = [];
  readonly parameters: (readonly unknown[])[] = [];
  readonly options: (StatementOptions | undefined)[] = [];

  query(sql: string, parameters: readonly unknown[], options?: StatementOptions): readonly PositionalRow[] {
    this.sql.push(sql);
    this.parameters.push(parameters);
    this.options.push(options);
    return [];
  }

  queryFirst(sql: string, parameters: readonly unknown[]): PositionalRow {
    this.query(sql, parameters);
    return [1, 0, 0, 0, null, null];
  }

  execute(sql: string, parameters: readonly unknown[]) {
    this.query(sql, parameters);
    return { affected: 1, insertId: 1, ...(/RETURNING|OUTPUT/.test(sql) && { rows: [[1, 0]] }) };
  }

  async *stream(): AsyncGenerator<readonly PositionalRow[]> {}

  script(sql: string): void {
    this.query(sql, []);
  }

  async begin() {
    const end = async () => undefined;
    return Object.assign(Object.create(this) as this, {
      commit: end,
      rollback: end,
      savepoint: end,
      release: end,
      rollbackTo: end,
    });
  }

  async ping(): Promise<void> {}

  async close(): Promise<void> {}

  stats() {
    return { statements: { size: 0, hits: 0, misses: 0, evicted: 0 }, connections: { open: 0, idle: 0, waiting: 0 } };
  }
}
