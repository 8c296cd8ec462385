import { existsSync } from 'node:fs';
import path from 'node:path';
import { activeProfile, type AppConfig, type LoadedConfig, MIGRATIONS_FOLDER } from '../../../kernel/config/index.js';
import type { DoctorCheck, Finding } from '../../../kernel/contracts/index.js';
import { findingOf } from '../../../kernel/doctor/index.js';
import { fwCommand } from '../../../kernel/invocation/index.js';
import { bootDatabases } from '../commands/with-database.js';
import { DEFAULT_DATABASE } from '../dialect/index.js';
import { type DatabaseHandle, Databases } from '../index.js';
import { MIGRATION_ERRORS } from '../migrations/errors.js';
import { ledgerState } from '../migrations/pending.js';
import { modelsOf } from '../model-databases.js';
import { type DialectFacts, knownDialects } from '../registry/index.js';
import { schemaDrift } from '../schema/drift.js';
import { migrationsFolder } from '../schema-at-start.js';
import { DATABASE_FINDINGS } from './errors.js';

/** Whether the databases answer, which they are, and whether migrations and models are what their tables are. */
const databases: DoctorCheck = async ({ root, profile, config }) => {
  // What is wrong with the configuration is a finding of its own check.
  const loaded = await config().catch(() => undefined);
  if (loaded === undefined) return [];
  const dialects = await knownDialects(root);
  const file = missingFile(loaded, dialects, profile);
  if (file !== undefined) {
    const message = `There is no database in ${file} yet: a start or a migration makes it.`;
    return [{ severity: 'note', code: DATABASE_FINDINGS.FW_DOCTOR_NO_DATABASE.code, message, command: 'npm start' }];
  }
  const app = await bootDatabases(loaded, profile, 'fatal');
  try {
    const found = app.services.getOptional(Databases);
    const about = (found?.names() ?? []).map((name) => examined(name, { db: found?.get(name) as DatabaseHandle, loaded, dialects })); // prettier-ignore
    return (await Promise.all(about)).flat();
  } finally {
    await app.stop();
  }
};

export default databases;

// Opening it would make it, and nothing shall be changed.
function missingFile(
  { config, root }: LoadedConfig,
  dialects: readonly DialectFacts[],
  profile: string | undefined,
): string | undefined {
  const files = addressesIn(config, dialects, activeProfile(profile)).filter((file) => !file.startsWith(':'));
  return files.map((file) => path.resolve(root, file)).find((file) => !existsSync(file));
}

function addressesIn({ plugins }: AppConfig, dialects: readonly DialectFacts[], profile: 'dev' | 'test' | 'prod') {
  return plugins.flatMap(({ options, variants }) => {
    const variant = variants[profile];
    const given: Readonly<Record<string, unknown>> = { ...options, ...(variant || {}) };
    const facts = dialects.find(({ name }) => name === given['driver']);
    const file = facts && facts.address.schemes === undefined ? given[facts.address.option] : undefined;
    return variant !== false && typeof file === 'string' ? [file] : [];
  });
}

interface Surroundings {
  readonly db: DatabaseHandle;
  readonly loaded: LoadedConfig;
  readonly dialects: readonly DialectFacts[];
}

async function examined(name: string, { db, loaded, dialects }: Surroundings): Promise<readonly Finding[]> {
  const facts = dialects.find((each) => each.name === db.dialect.name);
  const { driver, version } = await versionOf(db, facts);
  const title = facts?.title ?? db.dialect.name;
  const on = name === DEFAULT_DATABASE ? '' : ` --database ${name}`;
  const details = { database: name, dialect: db.dialect.name, driver, version };
  const up: Finding = {
    ...{ severity: 'ok', code: DATABASE_FINDINGS.FW_DOCTOR_DATABASE.code, details },
    message: `the database ${name} is ${title}${version === undefined ? '' : ` ${version}`}${driver === undefined ? '' : ` through ${driver}`}`,
  };
  const ledger = await ledgerFindings(name, db, loaded, on);
  // Pending migrations explain what differs, and come first: `migrate diff` refuses before they are applied.
  const isPending = ledger.some(({ code }) => code === MIGRATION_ERRORS.FW_MIGRATE_PENDING.code);
  return [up, ...ledger, ...(isPending ? [] : await driftFindings(name, db, on))];
}

async function versionOf(db: DatabaseHandle, facts: DialectFacts | undefined) {
  const driver = facts?.driver === undefined ? undefined : 'package' in facts.driver ? facts.driver.package : facts.driver.builtin; // prettier-ignore
  if (db.about) return db.about;
  if (facts?.versionQuery === undefined) return { driver, version: undefined };
  const row = await db.handle.queryFirst(facts.versionQuery, []);
  return { driver, version: row === undefined ? undefined : String(Object.values(row)[0]) };
}

async function ledgerFindings(
  name: string,
  db: DatabaseHandle,
  { config, root }: LoadedConfig,
  on: string,
): Promise<readonly Finding[]> {
  const folder = migrationsFolder(path.resolve(root, config.migrations ?? MIGRATIONS_FOLDER), name);
  const state = await ledgerState(db, folder);
  if (state === undefined) return [];
  const { pending, newer } = state;
  const found: Finding[] = [];
  if (pending.length > 0) {
    const message = `not applied to the database ${name}: ${pending.join(', ')}`;
    found.push({ severity: 'warning', code: MIGRATION_ERRORS.FW_MIGRATE_PENDING.code, message, command: fwCommand(`migrate up${on}`), details: { pending } }); // prettier-ignore
  }
  if (newer.length > 0) {
    const message = `The database ${name} has migrations that this version does not know: ${newer.join(', ')}`;
    found.push({ severity: 'warning', code: DATABASE_FINDINGS.FW_DOCTOR_NEWER.code, message, details: { newer } });
  }
  const message = `every migration is applied to the database ${name}`;
  return found.length > 0 ? found : [{ severity: 'ok', code: DATABASE_FINDINGS.FW_DOCTOR_MIGRATIONS.code, message }];
}

async function driftFindings(name: string, db: DatabaseHandle, on: string): Promise<readonly Finding[]> {
  const models = modelsOf(name);
  if (models.length === 0) return [];
  try {
    const drift = await schemaDrift(db, models);
    if (drift.length === 0)
      return [
        {
          severity: 'ok',
          code: DATABASE_FINDINGS.FW_DOCTOR_SCHEMA.code,
          message: `the database ${name} is what the models say`,
        },
      ];
    const message = `The database ${name} is not what the models say:\n${drift.join('\n')}`;
    const command = `${fwCommand(`migrate diff --name <what-changes>${on}`)} && ${fwCommand(`migrate up${on}`)}`;
    return [
      { severity: 'warning', code: DATABASE_FINDINGS.FW_DOCTOR_DRIFT.code, message, command, details: { drift } },
    ];
  } catch (error) {
    return [findingOf(error)];
  }
}
