// What a profile said where a goal is missed; see `Bench.notes`.

const ONE_ROW = `A call gives a promise and builds its query anew, which the prepared statement beside it does not: in a profile the driver's own
call is 85 % of the time, and what is left is spread over the builder's steps, the parameters and the promise.`;
const ROUND_TRIP = `Both spend most of the time waiting for the server; the quartiles of the driver against itself are about as far apart as this
miss is deep, so this run does not show a difference.`;

/** @type {Readonly<Record<string, string>>} */
export const notes = {
  'sqlite/first · fw': ONE_ROW,
  'sqlite-rows/first · fw': ONE_ROW,
  'sqlite-rows/findById · fw': ONE_ROW,
  'sqlite/transaction · fw': `The driver's transaction is six synchronous calls. Ours begins and commits synchronously too, but runs an asynchronous
function in between, and follows what that function awaits (\`AsyncLocalStorage\`), so that a call on the outer database is refused instead of
waiting for ever: on Node 20 every promise inside costs 850 instructions more for it.`,
  'postgres/batch · fw': `Rows go as arrays with \`unnest\`, which the server plans once. Most of the time is still the server's, and what is left is
turning each value into the text that the driver sends.`,
  'postgres/findById · fw': ROUND_TRIP,
  'postgres/create · fw': ROUND_TRIP,
  'postgres-rows/findById · fw': ROUND_TRIP,
  'postgres-best/select50 · drizzle:prepared': ROUND_TRIP,
  'postgres-best/first · drizzle:prepared': ROUND_TRIP,
  'postgres-best/create · drizzle:prepared': ROUND_TRIP,
  'postgres/transaction · fw': ROUND_TRIP,
  'mariadb/transaction · fw': ROUND_TRIP,
  'mariadb-best/update · kysely': ROUND_TRIP,
  'mariadb-best/transaction · kysely': ROUND_TRIP,
  'postgres-rows/preload · fw': ROUND_TRIP,
  'postgres-rows/select50 · fw': ROUND_TRIP,
  'postgres-best/findById · drizzle:prepared': ROUND_TRIP,
  'start/fw': `Importing \`fw/orm\` loads 186 KB of the ORM and of what plugins are declared with, and no package; Inversify, TypeBox, pino and the rest of the
kernel are loaded by an application only. What is left is, in this order, parsing that text, eight files (four of them models of the
application) that the ES module loader finds and reads one by one, and building the first query. Node 20 keeps no compile cache for ES modules.`,
};
