import type { Dialect } from '../core/index.js';
import type { WantedForeignKey } from './constraints.js';
import { addForeignKey } from './create-table.js';
import type { ActualForeignKey } from './introspect.js';

/** New names of columns by their old ones, per table. */
export type NewNames = ReadonlyMap<string, ReadonlyMap<string, string>>;

interface Placed<Key> {
  readonly table: string;
  readonly key: Key;
}

/**
 * What happens to foreign keys around the other changes of a schema: those that go, and those that hold a column or index
 * meanwhile, are dropped first; new ones, and those that were only out of the way, come last, when every table is there.
 */
export class KeySteps {
  readonly #removed: Placed<ActualForeignKey>[] = [];
  readonly #added: Placed<WantedForeignKey>[] = [];
  readonly #lifted = new Map<string, Placed<ActualForeignKey>>();

  constructor(private readonly dialect: Dialect) {}

  remove(table: string, key: ActualForeignKey): void {
    this.#removed.push({ table, key });
  }

  add(table: string, key: WantedForeignKey): void {
    this.#added.push({ table, key });
  }

  /** Takes a key out of the way of a change. */
  lift(table: string, key: ActualForeignKey): void {
    this.#lifted.set(`${table} ${key.name}`, { table, key });
  }

  /** The statements of a change with those of its foreign keys around them. */
  around(up: readonly string[], down: readonly string[], names: NewNames) {
    const isRemoved = ({ table, key }: Placed<ActualForeignKey>) =>
      this.#removed.some((each) => each.table === table && each.key.name === key.name);
    const lifted = [...this.#lifted.values()].filter((each) => !isRemoved(each));
    const renamed = lifted.map(({ table, key }) => ({ table, key: withNewNames(table, key, names) }));
    const gone = [...this.#removed, ...lifted];
    const fresh = [...this.#added, ...renamed];
    return {
      up: [...gone.map((each) => this.#drop(each)), ...up, ...fresh.map((each) => this.#add(each))],
      down: [
        ...[...fresh].reverse().map((each) => this.#drop(each)),
        ...down,
        ...[...gone].reverse().map((each) => this.#add(each)),
      ],
    };
  }

  #add({ table, key }: Placed<WantedForeignKey | ActualForeignKey>): string {
    return addForeignKey(table, key, this.dialect);
  }

  #drop({ table, key: { name } }: Placed<WantedForeignKey | ActualForeignKey>): string {
    const { compiler, schema } = this.dialect;
    return schema.dropForeignKey(compiler.quote(table), compiler.quote(name));
  }
}

function withNewNames(table: string, key: ActualForeignKey, names: NewNames): ActualForeignKey {
  const [own, other] = [names.get(table), names.get(key.table)];
  return {
    ...key,
    columns: key.columns.map((name) => own?.get(name) ?? name),
    references: key.references.map((name) => other?.get(name) ?? name),
  };
}
