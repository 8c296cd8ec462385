// A third party's plugin, as an npm package would ship it: it imports nothing of fw but its public subpaths.
import { DashboardLive, DashboardPage, definePlugin, ok, off, ReadinessCheck, token, Type, withDefault } from 'fw';
import { PgBossJobs } from './jobs.js';
import { overview } from './overview.js';

export const Job = token('fw-plugin-pg-boss.Job');
export const Jobs = token('fw-plugin-pg-boss.Jobs');

const options = Type.Object({
  url: Type.String({ pattern: '^postgres(ql)?://', description: 'Address of the database that the jobs are kept in' }),
  schema: withDefault(Type.String({ pattern: '^[a-z_][a-z0-9_]*$', description: 'Schema of its tables' }), 'pgboss'),
  pollSeconds: withDefault(Type.Number({ minimum: 0.5, description: 'Seconds between two looks for work' }), 2),
  work: withDefault(Type.Boolean({ description: 'Whether this process runs jobs, or sends them only' }), true),
});

const SHOW_MS = 1_000;

export default definePlugin({
  id: 'fw-plugin-pg-boss',
  category: 'app',
  description: 'Work in the background, in PostgreSQL: durable, tried again, by the clock.',
  fw: '^0.1.0',
  options,
  optionalNeeds: ['http', 'dashboard'],
  provides: [Jobs],
  // What runs when the application is to end has time to come to an end.
  stopDeadlineMs: 30_000,
  register({ options: settings, bind, contribute, probe, log }) {
    let jobs;
    // The kinds of work are known when every plugin is registered.
    bind(Jobs, ({ all }) => (jobs = new PgBossJobs(settings, all(Job), log)));
    contribute(ReadinessCheck, () => ({ name: 'jobs', check: () => jobs?.ping() }));
    contribute(DashboardPage, () => ({
      id: 'jobs',
      title: 'Jobs',
      path: '/jobs',
      module: new URL('./jobs-page.js', import.meta.url),
    }));
    probe('jobs', () => (jobs ? ok(`${jobs.jobs.size} kinds of jobs in PostgreSQL`) : off('No plugin has started.')));
  },
  async start({ get }) {
    await get(Jobs).start();
  },
  async ready({ options: { work }, get, getOptional, log }) {
    const jobs = get(Jobs);
    if (work) await jobs.work();
    const live = getOptional(DashboardLive);
    if (live) jobs.showing = setInterval(() => void show(jobs, live, log), SHOW_MS).unref();
  },
  drain: ({ get }) => {
    clearInterval(get(Jobs).showing);
    return get(Jobs).drain();
  },
  stop: ({ get }) => get(Jobs).close(),
});

async function show(jobs, live, log) {
  if (!live.wants('jobs')) return;
  await overview(jobs).then(
    (now) => live.publish('jobs', now),
    (error) => log.warn({ err: error }, 'the page of jobs cannot be filled'),
  );
}
