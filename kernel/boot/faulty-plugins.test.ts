import { describe, expect, test } from '@jest/globals';
import { defineApp, plugin } from '../config/index.js';
import { definePlugin } from '../plugin/index.js';
import { RecordingLogger } from '../testing/recording-logger.js';
import { bootApp } from './boot-app.js';

const PHASES = ['register', 'start', 'ready', 'drain', 'stop'] as const;
type Phase = (typeof PHASES)[number];

/** Thrown by code that nobody has read: what has no text, and what throws again when it is looked at. */
const THROWN: Readonly<Record<string, () => unknown>> = {
  'an error': () => new Error('boom'),
  nothing: () => undefined,
  null: () => null,
  'a symbol': () => Symbol('boom'),
  'an object without a text': () => Object.create(null),
  'an object whose text throws': () => ({ toString: () => fail('toString') }),
  'an error whose message throws': () => Object.defineProperty(new Error(), 'message', { get: () => fail('message') }),
  'an error whose message is no text': () => Object.assign(new Error(), { message: Object.create(null) as string }),
};

function fail(what: unknown): never {
  throw what;
}

const FAULTS: Readonly<Record<string, () => unknown>> = {
  ...Object.fromEntries(Object.entries(THROWN).flatMap(([what, thrown]) => [
    [`throws ${what}`, () => fail(thrown())],
    [`is rejected with ${what}`, () => Promise.reject(thrown() as Error)],
  ])),
  hangs: () => new Promise(() => undefined),
  'waits, then throws': () => new Promise((_, reject) => setImmediate(reject, new Error('boom'))),
}; // prettier-ignore

/** An application of a plugin that fails in one phase, between two that write down what is done with them. */
async function run(phase: Phase, fault: () => unknown, failure: 'fatal' | 'degrade') {
  const done: string[] = [];
  const named = (id: string, rest: object) =>
    definePlugin({ id, category: 'app', description: 'test', startDeadlineMs: 30, stopDeadlineMs: 30, ...rest });
  const witness = (id: string) =>
    named(id, Object.fromEntries(PHASES.map((each) => [each, () => void done.push(`${id} ${each}`)])));
  const plugins = [witness('first'), named('faulty', { failure, [phase]: fault }), witness('last')];
  const log = new RecordingLogger();
  const app = await bootApp(
    defineApp({ name: 'test', plugins: plugins.map((each) => plugin(() => Promise.resolve(each))) }),
    { profile: 'test', log },
  ).catch((error: Error) => error);
  if ('message' in app) return { done, log, refusal: app.message, notes: [] };
  const { notes } = app.diagnostics.get('kernel') as { readonly notes: readonly string[] };
  const refusal = await app.stop().then(
    () => '',
    (error: Error) => error.message,
  );
  return { done, log, refusal, notes };
}

describe.each(PHASES)('a plugin whose %s', (phase) => {
  test.each(Object.keys(FAULTS))('%s is named, and the others are stopped', async (name) => {
    for (const failure of ['fatal', 'degrade'] as const) {
      const { done, log, refusal, notes } = await run(phase, FAULTS[name] as never, failure);
      const isBootFailure = phase === 'register' || phase === 'start' || phase === 'ready';
      const said = isBootFailure && failure === 'degrade' ? notes.join() : refusal + log.messages('error').join();
      expect(said).toContain('faulty');
      const began = done.filter((each) => /start/.test(each)).map((each) => each.split(' ')[0]);
      const stopped = done.filter((each) => /stop/.test(each)).map((each) => each.split(' ')[0]);
      expect(stopped).toEqual([...began].reverse());
      if (failure === 'degrade' || !isBootFailure) expect(began).toEqual(['first', 'last']);
    }
  });
});
