import type { Dialect } from '../core/index.js';
import { foreignKeyClause, type WantedForeignKey } from './constraints.js';
import { addForeignKey } from './create-table.js';
import type { ActualForeignKey } from './introspect.js';

/** New names of columns by their old ones, per table. */
export type NewNames = ReadonlyMap<string, ReadonlyMap<string, string>>;

interface Placed<Key> {
  readonly table: string;
  readonly key: Key;
  /** Whether the database creates an index for it. */
  readonly indexed?: boolean;
  /** Whether it is added without validating the rows. */
  readonly unchecked?: boolean;
}

interface Lifted extends Placed<ActualForeignKey> {
  readonly when: 'both' | 'down';
}

/**
 * Changes to foreign keys around the other changes of a schema. Removed keys, and keys that block a change of a column or index, are
 * dropped first; new keys, and those that were dropped temporarily, are added last, when every table exists.
 */
export class KeySteps {
  readonly #removed: Placed<ActualForeignKey>[] = [];
  readonly #added: Placed<WantedForeignKey>[] = [];
  readonly #vanished: Placed<ActualForeignKey>[] = [];
  readonly #lifted = new Map<string, Lifted>();

  constructor(private readonly dialect: Dialect) {}

  /** @param indexed - whether the database created an index for it, which is dropped with it */
  remove(table: string, key: ActualForeignKey, indexed = false): void {
    this.#removed.push({ table, key, indexed });
  }

  /** @param how - whether it gets such an index, and whether it is added without validating the rows */
  add(table: string, key: WantedForeignKey, how: Pick<Placed<unknown>, 'indexed' | 'unchecked'>): void {
    this.#added.push({ table, key, ...how });
  }

  /** How many keys change on the way up. */
  get size(): number {
    const lifted = [...this.#lifted.values()].filter(({ when }) => when === 'both');
    return this.#removed.length + this.#added.length + this.#vanished.length + lifted.length;
  }

  /** Statements that validate the rows for keys that were added without validation. */
  get validate(): readonly string[] {
    return this.#added.flatMap((each) => (each.unchecked ? (this.#unchecked(each)?.validate ?? []) : []));
  }

  /** Records a key that is dropped with its table, and added when the table is restored. */
  vanish(table: string, key: ActualForeignKey): void {
    this.#vanished.push({ table, key });
  }

  /** Drops a key temporarily for a change, or only for its undoing. */
  lift(table: string, key: ActualForeignKey, when: Lifted['when']): void {
    const id = `${table} ${key.name}`;
    this.#lifted.set(id, { table, key, when: this.#lifted.get(id)?.when === 'both' ? 'both' : when });
  }

  /** The statements of a change, surrounded by those of its foreign keys. */
  around(up: readonly string[], down: readonly string[], names: NewNames) {
    const away = [...this.#removed, ...this.#vanished];
    const lifted = [...this.#lifted.values()].filter((each) => !isAmong(away, each));
    const both = lifted.filter(({ when }) => when === 'both');
    // They would block changes of their columns before their tables are dropped.
    const early = this.#vanished.filter((each) => isAmong([...this.#lifted.values()], each));
    const renamed = ({ table, key }: Lifted) => ({ table, key: withNewNames(table, key, names) });
    const fresh = [...this.#added, ...lifted.map(renamed)];
    return {
      up: [
        ...[...this.#removed, ...both, ...early].flatMap((each) => this.#drop(each)),
        ...up,
        ...[...this.#added, ...both.map(renamed)].map((each) => this.#add(each)),
      ],
      down: [
        ...fresh.reverse().flatMap((each) => this.#drop(each)),
        ...down,
        ...[...this.#removed, ...lifted, ...this.#vanished].reverse().map((each) => this.#add(each)),
      ],
    };
  }

  #add(placed: Placed<WantedForeignKey | ActualForeignKey>): string {
    const { table, key, unchecked } = placed;
    return (unchecked ? this.#unchecked(placed)?.add : undefined) ?? addForeignKey(table, key, this.dialect);
  }

  #unchecked({ table, key }: Placed<WantedForeignKey | ActualForeignKey>) {
    const { compiler, schema } = this.dialect;
    const clause = foreignKeyClause(key, this.dialect);
    return schema.addUnchecked?.(compiler.quote(table), compiler.quote(key.name), clause);
  }

  #drop({ table, key, indexed }: Placed<WantedForeignKey | ActualForeignKey>): readonly string[] {
    const { compiler, schema } = this.dialect;
    const [own, name] = [compiler.quote(table), compiler.quote(key.name)];
    return [schema.dropForeignKey(own, name), ...(indexed ? [schema.dropIndex(own, name)] : [])];
  }
}

/** A foreign key with the new column names at both ends. */
export function withNewNames(table: string, key: ActualForeignKey, names: NewNames): ActualForeignKey {
  const [own, other] = [names.get(table), names.get(key.table)];
  const ownName = (name: string) => own?.get(name) ?? name;
  return {
    ...key,
    columns: key.columns.map(ownName),
    references: key.references.map((name) => other?.get(name) ?? name),
    ...(key.setColumns && { setColumns: key.setColumns.map(ownName) }),
  };
}

const isAmong = (keys: readonly Placed<ActualForeignKey>[], { table, key }: Placed<ActualForeignKey>): boolean =>
  keys.some((each) => each.table === table && each.key.name === key.name);
