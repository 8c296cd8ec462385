import type { Dialect } from '../core/index.js';
import { foreignKeyClause, type WantedForeignKey } from './constraints.js';
import { addForeignKey } from './create-table.js';
import type { ActualForeignKey } from './introspect.js';

/** New names of columns by their old ones, per table. */
export type NewNames = ReadonlyMap<string, ReadonlyMap<string, string>>;

interface Placed<Key> {
  readonly table: string;
  readonly key: Key;
  /** Whether the database makes an index for it. */
  readonly indexed?: boolean;
  /** Whether it is added without a look at the rows. */
  readonly unchecked?: boolean;
}

interface Lifted extends Placed<ActualForeignKey> {
  readonly when: 'both' | 'down';
}

/**
 * What happens to foreign keys around the other changes of a schema: those that go, and those that hold a column or index
 * meanwhile, are dropped first; new ones, and those that were only out of the way, come last, when every table is there.
 */
export class KeySteps {
  readonly #removed: Placed<ActualForeignKey>[] = [];
  readonly #added: Placed<WantedForeignKey>[] = [];
  readonly #vanished: Placed<ActualForeignKey>[] = [];
  readonly #lifted = new Map<string, Lifted>();

  constructor(private readonly dialect: Dialect) {}

  /** @param indexed - whether it has an index that the database made for it, which goes with it */
  remove(table: string, key: ActualForeignKey, indexed = false): void {
    this.#removed.push({ table, key, indexed });
  }

  /** @param how - whether it will have such an index, and whether it is added without a look at the rows */
  add(table: string, key: WantedForeignKey, how: Pick<Placed<unknown>, 'indexed' | 'unchecked'>): void {
    this.#added.push({ table, key, ...how });
  }

  /** Statements that have the rows looked at for keys that were added without that. */
  get validate(): readonly string[] {
    return this.#added.flatMap((each) => (each.unchecked ? (this.#unchecked(each)?.validate ?? []) : []));
  }

  /** A key that goes with its table, and must be added when the table comes back. */
  vanish(table: string, key: ActualForeignKey): void {
    this.#vanished.push({ table, key });
  }

  /** Takes a key out of the way of a change, or only of what undoes it. */
  lift(table: string, key: ActualForeignKey, when: Lifted['when']): void {
    const id = `${table} ${key.name}`;
    this.#lifted.set(id, { table, key, when: this.#lifted.get(id)?.when === 'both' ? 'both' : when });
  }

  /** The statements of a change with those of its foreign keys around them. */
  around(up: readonly string[], down: readonly string[], names: NewNames) {
    const away = [...this.#removed, ...this.#vanished];
    const lifted = [...this.#lifted.values()].filter((each) => !isAmong(away, each));
    const both = lifted.filter(({ when }) => when === 'both');
    // They would keep their columns from changing before their tables go.
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

/** A foreign key with the new names of columns at both of its ends. */
export function withNewNames(table: string, key: ActualForeignKey, names: NewNames): ActualForeignKey {
  const [own, other] = [names.get(table), names.get(key.table)];
  return {
    ...key,
    columns: key.columns.map((name) => own?.get(name) ?? name),
    references: key.references.map((name) => other?.get(name) ?? name),
  };
}

const isAmong = (keys: readonly Placed<ActualForeignKey>[], { table, key }: Placed<ActualForeignKey>): boolean =>
  keys.some((each) => each.table === table && each.key.name === key.name);
