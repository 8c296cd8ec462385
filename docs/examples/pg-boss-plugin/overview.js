const STATES = ['created', 'retry', 'active', 'completed', 'failed'];
const SHOWN = 20;

/**
 * How the jobs are doing, for the page of the dashboard. Their data stays where it is: it may hold what nobody who watches is to see.
 *
 * @param jobs - PgBossJobs
 */
export async function overview({ pool, schema, jobs }) {
  const table = `"${schema.replaceAll('"', '""')}".job`;
  const names = [...jobs.keys()];
  const counted = await pool.query(
    `SELECT name, state::text, count(*)::int AS n FROM ${table} WHERE name = ANY($1) GROUP BY name, state`,
    [names],
  );
  const failures = await pool.query(
    `SELECT name, id, state::text, retry_count AS retries, output->>'message' AS message, completed_on AS at
     FROM ${table} WHERE name = ANY($1) AND state IN ('failed', 'retry') ORDER BY completed_on DESC NULLS LAST LIMIT ${SHOWN}`,
    [names],
  );
  const count = (name, state) => counted.rows.find((row) => row.name === name && row.state === state)?.n ?? 0;
  return {
    queues: [...jobs.values()].map(({ name, schedule = '' }) => ({
      name,
      schedule,
      ...Object.fromEntries(STATES.map((state) => [state, count(name, state)])),
    })),
    failures: failures.rows,
  };
}
