import { CacheFile, digestOf } from '../../../kernel/fs/index.js';
import type { Database, ModelInfo } from '../core/index.js';
import { createMissingTables } from './create-missing-tables.js';
import { type SchemaSync, syncSchema } from './drift.js';

/** What {@link keepInStep} did: changes of tables, and those that it made. */
export interface KeptInStep extends SchemaSync {
  readonly made: readonly string[];
}

const NOTHING: KeptInStep = { made: [], changed: [], left: [] };

/**
 * Makes missing tables and changes the others to what the models say, as {@link createMissingTables} and {@link syncSchema} do. What a
 * comparison finds follows from the definitions in the database and from the models: where both are those of a start that found nothing,
 * tables are not compared.
 *
 * @param root - of the project; one without `node_modules` remembers nothing
 * @param name - of the database
 */
export async function keepInStep(
  db: Database,
  models: readonly ModelInfo[],
  { root, name }: { readonly root: string; readonly name: string },
): Promise<KeptInStep> {
  const compared = Compared.of(db, models, root, name);
  if (await compared?.stands()) return NOTHING;
  const made = await createMissingTables(db, models);
  const { changed, left } = await syncSchema(db, models);
  if (changed.length === 0 && left.length === 0) await compared?.remember();
  return { made, changed, left };
}

class Compared {
  private constructor(
    private readonly db: Database,
    private readonly models: readonly ModelInfo[],
    private readonly query: string,
    private readonly kept: CacheFile,
  ) {}

  static of(db: Database, models: readonly ModelInfo[], root: string, name: string): Compared | undefined {
    const { whole } = db.dialect.schema.introspection;
    if (whole === undefined) return undefined;
    return new Compared(db, models, whole, new CacheFile(root, `tables-${encodeURIComponent(name)}`));
  }

  async stands(): Promise<boolean> {
    const known = this.kept.read();
    return known !== undefined && known === (await this.#digest());
  }

  async remember(): Promise<void> {
    this.kept.write(await this.#digest());
  }

  async #digest(): Promise<string> {
    const { db, models, query } = this;
    const rows = await db.handle.query(query, []);
    const tables = new Map<unknown, string>(models.map(({ target, table }) => [target, table]));
    // Names of built modules have a digest of what they contain, and of what they import.
    const said = models.map((model) => saidOf(model, tables));
    return digestOf(JSON.stringify([import.meta.url, process.version, db.dialect.name, said, rows]));
  }
}

// All that a model says of its table; a part that is a function says nothing, but for the target of a relation.
function saidOf({ definition }: ModelInfo, tables: ReadonlyMap<unknown, string>): unknown {
  const { schema: _, relations = [], ...said } = definition;
  return [said, relations.map(({ target, ...relation }) => [relation, tables.get(target()) ?? target().name])];
}
