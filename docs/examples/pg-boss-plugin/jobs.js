import { defineErrors, fwError } from 'fw';
import pg from 'pg';
import PgBoss from 'pg-boss';

const ERRORS = defineErrors('fw-plugin-pg-boss', {
  FW_JOBS_UNKNOWN: {
    message: 'There is no job called {name}. Known: {known}.',
    status: 500,
    cause: 'A job was sent that no plugin contributes.',
    remedy: 'Contribute it with contribute(Job, ...), or correct its name.',
  },
});

/** How long what runs may go on when the application is to end, before it is told, and before it is left to another process. */
const GRACE_MS = 10_000;
const STOP_MS = 20_000;

/** The jobs of an application in PostgreSQL: pg-boss keeps, locks and repeats them (https://github.com/timgit/pg-boss). */
export class PgBossJobs {
  #ending = new AbortController();

  constructor({ url, schema, pollSeconds }, jobs, log) {
    this.schema = schema;
    this.pollSeconds = pollSeconds;
    this.jobs = new Map(jobs.map((job) => [job.name, job]));
    this.log = log;
    this.pool = new pg.Pool({ connectionString: url, max: 5 });
    // Both would end the process where nobody listens.
    this.pool.on('error', (error) => log.warn({ err: error }, 'a connection was lost'));
    this.boss = new PgBoss({ schema, db: { executeSql: (text, values) => this.pool.query(text, values) } });
    this.boss.on('error', (error) => log.error({ err: error }, 'pg-boss could not do its own work'));
  }

  /** Makes the tables, and a queue for each job; what runs by the clock is what the jobs say now. */
  async start() {
    await this.boss.start();
    for (const { name, retries = 2, retryDelaySeconds = 5 } of this.jobs.values()) {
      const settings = { name, retryLimit: retries, retryDelay: retryDelaySeconds, retryBackoff: true };
      await ((await this.boss.getQueue(name))
        ? this.boss.updateQueue(name, settings)
        : this.boss.createQueue(name, settings));
    }
    for (const { name } of await this.boss.getSchedules())
      if (this.jobs.has(name) && this.jobs.get(name).schedule === undefined) await this.boss.unschedule(name);
    for (const { name, schedule, timeZone = 'UTC' } of this.jobs.values())
      if (schedule !== undefined) await this.boss.schedule(name, schedule, {}, { tz: timeZone });
  }

  async work() {
    const options = { includeMetadata: true, batchSize: 1, pollingIntervalSeconds: this.pollSeconds };
    for (const job of this.jobs.values())
      for (let worker = 0; worker < (job.concurrency ?? 1); worker++)
        await this.boss.work(job.name, options, ([taken]) => this.#run(job, taken));
  }

  async #run(job, { id, data, retryCount }) {
    const attempt = retryCount + 1;
    try {
      await job.run(data ?? {}, { id, attempt, signal: this.#ending.signal });
    } catch (error) {
      this.log.warn({ err: error, job: job.name, id, attempt }, 'a job failed');
      // pg-boss keeps what is thrown, and tries again as the queue says.
      throw error;
    }
  }

  async send(name, data = {}, options = {}) {
    this.#assertKnown(name);
    return this.boss.send(name, data, options);
  }

  async retry(name, id) {
    this.#assertKnown(name);
    await this.boss.retry(name, id);
  }

  #assertKnown(name) {
    if (this.jobs.has(name)) return;
    throw fwError(ERRORS.FW_JOBS_UNKNOWN, { name, known: [...this.jobs.keys()].join(', ') || 'none' });
  }

  ping() {
    return this.pool.query('SELECT 1');
  }

  /** Takes nothing further, and waits for what runs; what is not over in time is tried again by another process. */
  async drain() {
    const telling = setTimeout(() => this.#ending.abort(), GRACE_MS);
    await this.boss.stop({ graceful: true, wait: true, timeout: STOP_MS });
    clearTimeout(telling);
  }

  close() {
    return this.pool.end();
  }
}
