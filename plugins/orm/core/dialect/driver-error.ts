// What servers quote of a value: MySQL and MariaDB, PostgreSQL, SQL Server, in this order.
const QUOTED = [
  /(Duplicate entry )'.*'(?= for key )/s,
  /((?:incorrect|invalid) [\w ]+ value:? )'.*'(?= for (?:column|function) |$)/is,
  /(invalid [\w ]*(?:syntax|value) for [\w ]+: )".*"/is,
  /(^(?:date\/time field )?value )".*"(?= is out of range)/is,
  /(duplicate key value is )\(.*\)/is,
  /(converting the \w+ value )'.*'(?= to data type)/is,
  /(Truncated value: )'.*'/is,
];

// Of the driver's own error; https://www.postgresql.org/docs/current/protocol-error-fields.html (detail, where).
const MEMBERS_WITH_VALUES = ['detail', 'where', 'sqlMessage', 'sql', 'parameters'];

/** A message of a server without the value that it quotes: the error is logged, and the column may be private. */
export function withoutValue(message: string): string {
  return QUOTED.reduce((text, pattern) => text.replace(pattern, '$1***'), message);
}

/** Takes values of rows from the error of a driver, whose message, stack and members loggers write. */
export function takeValues(error: unknown): void {
  if (!(error instanceof Error)) return;
  for (const name of MEMBERS_WITH_VALUES) Reflect.deleteProperty(error, name);
  const { message, stack } = error;
  const safe = withoutValue(message);
  if (safe === message) return;
  error.message = safe;
  if (stack !== undefined) error.stack = stack.replace(message, () => safe);
}
