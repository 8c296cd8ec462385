import type { RemadeTable, SqlConnection } from '../dialect/index.js';

/**
 * Tables in the words of the server (https://dev.mysql.com/doc/refman/8.0/en/show-create-table.html), which say their foreign keys too:
 * these may refer to tables that follow.
 */
export async function remadeTables(
  on: Pick<SqlConnection, 'query'>,
  tables: readonly RemadeTable[],
): Promise<readonly string[]> {
  const [database] = await on.query("SELECT CONCAT('`', REPLACE(DATABASE(), '`', '``'), '`.')", []);
  const made: string[] = [];
  const sequences = new Map<string, string>();
  for (const { quotedName } of tables) {
    const [row] = await on.query(`SHOW CREATE TABLE ${quotedName}`, []);
    const { definition, taken } = ofAnyDatabase(String(row?.[1]), String(database?.[0]));
    for (const sequence of taken) sequences.set(sequence, await sequenceOf(on, sequence));
    made.push(uncounted(definition).replace(/^CREATE TABLE `(?:[^`]|``)*`/, `CREATE TABLE ${quotedName}`));
  }
  return ['SET FOREIGN_KEY_CHECKS = 0', ...sequences.values(), ...made, 'SET FOREIGN_KEY_CHECKS = 1'];
}

// MariaDB says the database of a sequence from which a default takes its numbers (https://mariadb.com/kb/en/sequence-overview/).
function ofAnyDatabase(definition: string, database: string) {
  const taken = new Set<string>();
  const bare = definition.replace(
    /\b((?:next|last)val\()((?:`(?:[^`]|``)*`\.)?)(`(?:[^`]|``)*`)/gi,
    (whole, call: string, of: string, name: string) => {
      if (of !== database) return whole;
      taken.add(name);
      return `${call}${name}`;
    },
  );
  return { definition: bare, taken };
}

async function sequenceOf(on: Pick<SqlConnection, 'query'>, quotedName: string): Promise<string> {
  const [row] = await on.query(`SHOW CREATE SEQUENCE ${quotedName}`, []);
  return String(row?.[1]).replace(/^CREATE SEQUENCE /, 'CREATE SEQUENCE IF NOT EXISTS ');
}

// The number of the next row is that of the rows that are here.
function uncounted(definition: string): string {
  const options = definition.lastIndexOf('\n)');
  return definition.slice(0, options) + definition.slice(options).replace(/ AUTO_INCREMENT=\d+/, '');
}
