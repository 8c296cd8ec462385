import { setImmediate } from 'node:timers/promises';
import { fwError } from '../../kernel/index.js';
import { type DatabaseHandle, open, type OpenOptions, ORM_ERRORS, type SqlHandle } from './core/index.js';
import { type DatabaseSource, type Databases, DEFAULT_DATABASE } from './dialect/index.js';

/** The databases of one application, from start to stop. */
export class OpenDatabases implements Databases {
  readonly #open = new Map<string, DatabaseHandle>();
  readonly #beside: Promise<void>[] = [];
  readonly #drops: (() => Promise<void>)[] = [];

  names(): readonly string[] {
    return [...this.#open.keys()];
  }

  find(name: string): DatabaseHandle | undefined {
    return this.#open.get(name);
  }

  get(name: string): DatabaseHandle {
    const found = this.#open.get(name);
    if (found) return found;
    if (this.#open.size === 0) throw fwError(ORM_ERRORS.FW_ORM_CLOSED, {});
    throw fwError(ORM_ERRORS.FW_ORM_DATABASE_NAME, { name, known: this.names().join(', ') });
  }

  /**
   * Opens databases one after the other. If one fails, the databases opened before it stay open until {@link close}.
   *
   * @param temporary - whether each gets a database of its own beside it, which {@link close} drops; one in memory is that already
   * @throws FwError `FW_ORM_DATABASE_TWICE`, and what opening throws
   */
  async open(sources: readonly DatabaseSource[], options: OpenOptions, temporary = false): Promise<void> {
    const names = sources.map(({ name }) => name);
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice !== undefined) throw fwError(ORM_ERRORS.FW_ORM_DATABASE_TWICE, { name: twice });
    const defaultFirst = [...sources].sort((a, b) => rank(a) - rank(b));
    for (const source of defaultFirst) {
      const handle = await (temporary ? this.#temporary(source) : source.open());
      const database = open(handle, source.dialect, options);
      this.#open.set(source.name, database);
      await database.ping();
    }
  }

  async #temporary(source: DatabaseSource): Promise<SqlHandle> {
    const { address, dialect, name } = source;
    if (address && 'file' in address && address.file === ':memory:') return source.open();
    if (!source.openTemporary) {
      const problem = `the dialect ${dialect.name} makes none`;
      throw fwError(ORM_ERRORS.FW_ORM_TEMPORARY_DATABASE, { database: name, problem });
    }
    const { handle, drop } = await source.openTemporary();
    this.#drops.push(drop);
    return handle;
  }

  /** Succeeds when every database answers. @throws the error of the first database that does not */
  async ping(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#open.values()].map((database) => database.ping({ signal })));
  }

  /** Starts background work. Only {@link close} waits for it; the work reports its own errors. */
  beside(work: () => Promise<void>): void {
    this.#beside.push(setImmediate().then(work));
  }

  /** Closes all databases, the last one first. @throws the first error, after all were tried */
  async close(): Promise<void> {
    await Promise.all(this.#beside);
    const databases = [...this.#open.values()].reverse();
    this.#open.clear();
    const failures: unknown[] = [];
    for (const database of databases) await database.close().catch((error: unknown) => failures.push(error));
    for (const drop of this.#drops.splice(0)) await drop().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }
}

const rank = ({ name }: DatabaseSource): number => (name === DEFAULT_DATABASE ? 0 : 1);
