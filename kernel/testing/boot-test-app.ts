import { inspect } from 'node:util';
import { bootApp, type App } from '../boot/index.js';
import { type AppConfig, defineApp, plugin, type PluginEntry } from '../config/index.js';
import type { Clock } from '../contracts/index.js';
import { isPlugin, type Plugin } from '../plugin/index.js';
import { type RecordedLine, RecordingLogger } from './recording-logger.js';

/** What a test boots. */
export interface TestApp extends Omit<Partial<AppConfig>, 'plugins'> {
  /** Plugins themselves, or entries made by `plugin(() => import(...), options)`. */
  readonly plugins: readonly (PluginEntry | Plugin<never> | Plugin)[];
  /** Default `test`. */
  readonly profile?: string;
  readonly root?: string;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  /**
   * Prints what is logged as an error, with its stack, to the standard error output: a test that got a 500 shows where it came from.
   * Default false.
   */
  readonly printErrors?: boolean;
}

/** An application under test. */
export interface BootedTestApp extends App {
  /** Everything that was logged. */
  readonly log: RecordingLogger;
  /** Stops the application at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Boots an application of just these plugins, with a logger that records instead of printing.
 *
 * @example
 * const app = await bootTestApp({ plugins: [myPlugin] });
 * expect(app.report().plugins).toMatchObject([{ id: 'my/plugin', state: 'ready' }]);
 * await app.stop();
 */
export async function bootTestApp(test: TestApp): Promise<BootedTestApp> {
  const { plugins, profile = 'test', root, clock, signal, printErrors, ...config } = test;
  const log = new RecordingLogger([], {}, printErrors ? printError : undefined);
  const entries = plugins.map((each) =>
    isPlugin(each) ? plugin(() => Promise.resolve(each as Plugin<object>)) : (each as PluginEntry),
  );
  await loadInTurn(entries, profile);
  const app = await bootApp(defineApp({ name: 'test', ...config, plugins: entries }), {
    profile,
    root,
    clock,
    signal,
    log,
  });
  return Object.assign(app, { log, [Symbol.asyncDispose]: () => app.stop() });
}

function printError({ level, message, fields: { err, ...fields } }: RecordedLine): void {
  if (level !== 'error') return;
  const about = Object.keys(fields).length === 0 ? '' : ` ${inspect(fields, { breakLength: Infinity })}`;
  process.stderr.write(`${message}${about}${err === undefined ? '' : `\n${inspect(err)}`}\n`);
}

// Jest cannot link concurrent dynamic imports that share modules: "request for 'node:module' is not in cache".
async function loadInTurn(entries: readonly PluginEntry[], profile: string): Promise<void> {
  for (const entry of entries) {
    try {
      if ((entry.variants as Readonly<Record<string, unknown>>)[profile] !== false) await entry.load();
    } catch {
      // The boot imports the module again, and reports what is wrong.
    }
  }
}
