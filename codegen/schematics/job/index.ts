import { type Duration, LONGEST_TIMER, milliseconds } from '../../../kernel/config/index.js';
import { fwError } from '../../../kernel/errors/index.js';
import { installOwnPlugin } from '../engine/install-plugin.js';
import { writeOwned } from '../engine/owned-file.js';
import { FORCE, type Schematic, textFlag } from '../engine/schematic.js';
import { SCHEMATICS_ERRORS } from '../errors.js';

/** Work that repeats while the application runs. */
export const jobSchematic: Schematic = {
  kind: 'job',
  summary: 'a plugin that does something at an interval, and reports on it in the diagnostics',
  flags: [FORCE, textFlag('every', 'interval, e.g. 30s or 5m; default 1m')],
  takesFields: false,
  async run({ names, text, on }, context) {
    const every = checkedInterval(text('every') || '1m');
    const source = `import { definePlugin, degraded, DurationSchema, milliseconds, ok, type Resolver, Type, withDefault } from 'fw';

/** What the job does. An error marks the run as failed, and the schedule goes on. */
export async function run${names.pascal}(_services: Resolver, _signal: AbortSignal): Promise<void> {
  // The work goes here.
}

interface Report {
  runs: number;
  failures: number;
  lastRun: string | undefined;
  lastError: string | undefined;
}

const report: Report = { runs: 0, failures: 0, lastRun: undefined, lastError: undefined };
let timer: NodeJS.Timeout | undefined;
let running: Promise<void> | undefined;
const ending = new AbortController();

export default definePlugin({
  id: 'app/${names.kebab}-job',
  category: 'app',
  description: 'Job ${names.words}',
  // Of several processes (fw start --workers) one does the work.
  oneWorker: () => [],
  // ${LONGEST_TIMER} is the longest that a timer of Node waits.
  options: Type.Object({
    every: withDefault(DurationSchema({ description: 'Time between two runs', least: '1ms', most: '${LONGEST_TIMER}' }), '${every}'),
  }),
  register({ probe }) {
    probe('job-${names.kebab}', () => {
      const detail = { ...report };
      if (report.lastError !== undefined) return degraded(report.lastError, { detail });
      return ok(\`ran \${report.runs} times\`, { detail });
    });
  },
  ready({ options, log, get, getOptional, all }) {
    const services = { get, getOptional, all } as Resolver;
    const once = async (): Promise<void> => {
      report.runs += 1;
      report.lastRun = new Date().toISOString();
      try {
        await run${names.pascal}(services, ending.signal);
        report.lastError = undefined;
      } catch (error) {
        report.failures += 1;
        report.lastError = error instanceof Error ? error.message : String(error);
        log.error({ error }, 'the job failed');
      }
    };
    // A run that takes longer than the interval is not overtaken by the next one.
    timer = setInterval(() => {
      running ??= once().finally(() => (running = undefined));
    }, milliseconds(options.every));
  },
  async drain() {
    clearInterval(timer);
    ending.abort();
    await running;
  },
});
`;
    await writeOwned(context, 'job', `app/jobs/${names.kebab}.ts`, source, on('force'));
    await installOwnPlugin(context, `./app/jobs/${names.kebab}.js`);
    context.log(`runs every ${every}`);
  },
};

function checkedInterval(text: string): string {
  const ms = /^\d+(\.\d+)?(ms|s|m|h|d)$/.test(text) ? milliseconds(text as Duration) : 0;
  if (ms >= 1 && ms <= milliseconds(LONGEST_TIMER)) return text;
  const problem = `"${text}" is not an interval such as 30s, 5m or 500ms, from 1ms to ${LONGEST_TIMER}`;
  throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_FLAG, { flag: '--every', what: 'job', problem });
}
