import { describe, expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { defineApp, plugin, type PluginEntry, withDefault } from '../config/index.js';
import { token } from '../container/index.js';
import { AppInfo, BeforeStop, Clock, ToolContribution } from '../contracts/index.js';
import { Capabilities, definePlugin, type RegisterContext } from '../plugin/index.js';
import { bootTestApp } from '../testing/boot-test-app.js';
import { RecordingLogger } from '../testing/recording-logger.js';
import { bootApp, type BootOptions } from './boot-app.js';

const named = (id: string, rest: object = {}) => definePlugin({ id, category: 'app', description: 'test', ...rest });

const boot = (plugins: readonly ReturnType<typeof named>[], options: BootOptions) =>
  bootApp(defineApp({ name: 'test', plugins: plugins.map((each) => plugin(() => Promise.resolve(each))) }), {
    profile: 'test',
    ...options,
  });

interface Greeter {
  greet(): string;
}
const Greeter = token<Greeter>('test.Greeter');

describe('bootApp', () => {
  test('starts plugins after those that they need, whatever the list says', async () => {
    const started: string[] = [];
    const say = (id: string) => ({ start: () => void started.push(id) });
    const app = await bootTestApp({
      plugins: [named('b', { needs: ['a'], ...say('b') }), named('c', say('c')), named('a', say('a'))],
    });
    expect(started).toEqual(['a', 'b', 'c']);
    await app.stop();
  });

  test('registers and starts nothing when it is told so', async () => {
    const seen: string[] = [];
    const config = defineApp({
      name: 'read',
      plugins: [
        plugin(async () =>
          named('a', { register: () => void seen.push('register'), start: () => void seen.push('start') }),
        ),
      ],
    });
    const app = await bootApp(config, { registerOnly: true, log: new RecordingLogger() });
    await app.stop();
    expect(seen).toEqual(['register']);
    expect(app.report().plugins).toMatchObject([{ id: 'a', state: 'registered' }]);
  });

  test('signs off what was signed on, and not for an application of which nothing was started', async () => {
    let times = 0;
    const leaving = named('a', { register: ({ contribute }: RegisterContext<object>) => contribute(BeforeStop, () => () => void times++) }); // prettier-ignore
    const log = new RecordingLogger();
    for (const options of [{ registerOnly: true }, { survey: true }]) await (await boot([leaving], { log, ...options })).stop(); // prettier-ignore
    expect(times).toBe(0);
    await (await boot([leaving], { log })).stop();
    expect(times).toBe(1);
  });

  test('stops, whatever fails before', async () => {
    const steps: string[] = [];
    const log = new RecordingLogger();
    const before = (make: () => () => unknown) => ({
      register: ({ contribute }: RegisterContext<object>) => contribute(BeforeStop, make),
      stop: () => void steps.push('stopped'),
    });
    const wrong = () => {
      throw new RangeError('the balancer is gone');
    };
    for (const make of [() => wrong, () => () => Promise.reject(new RangeError('the balancer is gone')), wrong])
      await (await boot([named('a', before(make))], { log })).stop();
    expect(steps).toEqual(['stopped', 'stopped', 'stopped']);
    expect(log.messages('error')).toEqual(Array(3).fill('a BeforeStop contribution failed'));
  });

  describe('in a survey', () => {
    const survey = async (plugins: readonly PluginEntry[]) => {
      const app = await bootApp(defineApp({ name: 'x', plugins }), { survey: true, log: new RecordingLogger() });
      const told = app.report().plugins.map(({ id, state, code }) => [id, state, code]);
      return { app, told };
    };
    const entry = (made: ReturnType<typeof named>, options: object = {}) =>
      plugin(() => Promise.resolve(made), options as never);
    const Cart = token<object>('test.Cart');

    test('tells of each plugin that cannot be booted why, and registers the others', async () => {
      const started: string[] = [];
      const throwing = (message: string) => ({ register: () => { throw new RangeError(message); } }); // prettier-ignore
      const { app, told } = await survey([
        plugin(() => import(`./${'missing'}.js`)),
        plugin(() => Promise.resolve({ default: 5 }) as never),
        entry(named('fine', { start: () => void started.push('fine') })),
        entry(named('wrong-options', { options: Type.Object({}) }), { prot: 1 }),
        entry(named('throws', throwing('out of stock'))),
        entry(named('weak', { failure: 'degrade', ...throwing('a little') })),
        entry(named('needs-throwing', { needs: ['throws'] })),
        entry(named('needs-nobody', { needs: ['nobody'] })),
        entry(named('needs-needing', { needs: ['needs-nobody'] })),
        entry(named('cart-one', { provides: [Cart], ...throwing('never run') })),
        entry(named('cart-two', { provides: [Cart] })),
        entry(named('round', { needs: ['about'] })),
        entry(named('about', { needs: ['round'] })),
        entry(named('brings', { brings: () => Promise.reject(new Error('nothing to bring')) })),
        entry(named('misplaced', { order: { before: ['fine'], because: 'it says so' } })),
        entry(named('fine')),
      ]);
      expect(told).toEqual([
        ['fine', 'registered', undefined],
        ['wrong-options', 'failed', 'FW_CONFIG_OPTIONS'],
        ['throws', 'failed', 'FW_PLUGIN_REGISTER'],
        ['weak', 'degraded', 'FW_PLUGIN_REGISTER'],
        ['needs-throwing', 'failed', 'FW_PLUGIN_NEED_FAILED'],
        ['cart-one', 'failed', 'FW_PLUGIN_REGISTER'],
        ['brings', 'failed', undefined],
        ['cart-two', 'failed', 'FW_PLUGIN_PROVIDED_TWICE'],
        ['needs-nobody', 'failed', 'FW_PLUGIN_NEEDS'],
        ['needs-needing', 'failed', 'FW_PLUGIN_NEED_FAILED'],
        ['round', 'failed', 'FW_PLUGIN_CYCLE'],
        ['about', 'failed', 'FW_PLUGIN_CYCLE'],
        ['misplaced', 'failed', 'FW_PLUGIN_ORDER'],
        [expect.stringContaining('missing'), 'failed', 'FW_CONFIG_PLUGIN_IMPORT'],
        [expect.stringContaining('Promise.resolve('), 'failed', 'FW_CONFIG_NOT_A_PLUGIN'],
        ['() => Promise.resolve(made)', 'failed', 'FW_CONFIG_PLUGIN_TWICE'],
      ]);
      expect(started).toEqual([]);
      await app.stop();
    });

    test('gives plugins up whose tools contradict others, or cannot be made', async () => {
      const tool = (id: string, category: string, make: () => object) =>
        entry(
          named(id, {
            category,
            register: (context: { contribute(of: typeof ToolContribution, make: () => object): void }) =>
              context.contribute(ToolContribution, make),
          }),
        );
      const { app, told } = await survey([
        tool('first', 'runtime', () => ({ name: 'look' })),
        tool('second', 'runtime', () => ({ name: 'look' })),
        tool('odd', 'app', () => ({ name: 'odd' })),
        tool('other', 'runtime', () => ({ name: 'other', category: 'fleet' })),
        tool('broken', 'runtime', () => {
          throw new Error('no such tool');
        }),
      ]);
      expect(told).toEqual([
        ['first', 'registered', undefined],
        ['second', 'failed', 'FW_TOOL_TWICE'],
        ['odd', 'failed', 'FW_TOOL_CATEGORY'],
        ['other', 'failed', 'FW_TOOL_OTHER_CATEGORY'],
        ['broken', 'failed', 'FW_CONTAINER_CONTRIBUTION_FAILED'],
      ]);
      expect(app.services.get(Capabilities).tools()).toMatchObject([{ plugin: 'first' }]);
      await app.stop();
    });
  });

  test('stops in reverse order', async () => {
    const stopped: string[] = [];
    const say = (id: string) => ({ start: () => {}, stop: () => void stopped.push(id) });
    const app = await bootTestApp({ plugins: [named('a', say('a')), named('b', say('b'))] });
    await app.stop();
    expect(stopped).toEqual(['b', 'a']);
  });

  test('gives a plugin what another one provides', async () => {
    let heard = '';
    const app = await bootTestApp({
      plugins: [
        named('user', {
          uses: [Greeter],
          start: (context: { get(of: typeof Greeter): Greeter }) => void (heard = context.get(Greeter).greet()),
        }),
        named('greeter', {
          provides: [Greeter],
          register: (context: { bind(of: typeof Greeter, make: () => Greeter): void }) =>
            context.bind(Greeter, () => ({ greet: () => 'hello' })),
        }),
      ],
    });
    expect(heard).toBe('hello');
    await app.stop();
  });

  test('fills defaults into options and refuses what the schema does not name', async () => {
    const options = Type.Object({ port: withDefault(Type.Integer(), 3000), host: Type.Optional(Type.String()) });
    let seen: unknown;
    const subject = definePlugin({
      id: 'web',
      category: 'http',
      description: 'test',
      options,
      start: (context) => void (seen = context.options),
    });
    const app = await bootTestApp({ plugins: [plugin(async () => subject, { host: 'localhost' })] });
    expect(seen).toEqual({ port: 3000, host: 'localhost' });
    await app.stop();
    const wrong = { prot: 1, host: 3 } as never;
    await expect(bootTestApp({ plugins: [plugin(async () => subject, wrong)] })).rejects.toMatchObject({
      code: 'FW_CONFIG_OPTIONS',
      message: expect.stringMatching(
        /Options of plugin web.*prot is not an option of this plugin \(known: port, host\).*host must be a string/,
      ),
    });
  });

  test('lets a profile change options or leave a plugin out without importing it', async () => {
    const options = Type.Object({ level: withDefault(Type.String(), 'info') });
    let seen: unknown;
    const subject = definePlugin({
      id: 'log',
      category: 'app',
      description: 'test',
      options,
      start: (context) => void (seen = context.options),
    });
    let imported = false;
    const left = async () => ((imported = true), subject);
    const app = await bootTestApp({
      plugins: [
        plugin(async () => subject, { level: 'debug' }, { test: { level: 'warn' } }),
        plugin(left, {}, { test: false, dev: false }),
        plugin(left, {}, { test: false, prod: false }),
      ],
    });
    expect(seen).toEqual({ level: 'warn' });
    expect(imported).toBe(false);
    const leftOut = { state: 'disabled', reason: 'left out by profile test' };
    expect(app.report().plugins.slice(-2)).toMatchObject([leftOut, leftOut]);
    await app.stop();
  });

  test('says which plugin is missing', async () => {
    await expect(bootTestApp({ plugins: [named('a', { needs: ['b'] })] })).rejects.toThrow(
      /Plugin a needs b, which app.config.ts does not enable/,
    );
    await expect(bootTestApp({ plugins: [named('a', { uses: [Greeter] })] })).rejects.toThrow(
      /Plugin a uses test.Greeter, which no enabled plugin provides/,
    );
  });

  test('names both plugins that provide the same thing, that need each other, or that stand in the wrong order', async () => {
    const provide = { provides: [Greeter] };
    await expect(bootTestApp({ plugins: [named('a', provide), named('b', provide)] })).rejects.toThrow(
      /Both a and b provide test.Greeter/,
    );
    await expect(
      bootTestApp({ plugins: [named('a', { needs: ['b'] }), named('b', { needs: ['a'] })] }),
    ).rejects.toThrow(/a -> b -> a/);
    const order = { after: ['cors'], because: 'preflight requests carry no token' };
    await expect(bootTestApp({ plugins: [named('jwt', { order }), named('cors')] })).rejects.toThrow(
      /jwt must come after cors, because preflight requests carry no token/,
    );
    const several = { after: ['d'], before: ['a', 'b'], because: 'so it is' };
    await expect(
      bootTestApp({ plugins: [named('a'), named('b'), named('c', { order: several }), named('d')] }),
    ).rejects.toThrow('The order in app.config.ts is wrong: c must come after d and before a and b, because so it is.');
  });

  test('says what an entry is when it is not a plugin, cannot be imported or stands there twice', async () => {
    const bad = (load: () => Promise<unknown>) => plugin(load as never);
    await expect(bootTestApp({ plugins: [bad(async () => ({ default: 3 }))] })).rejects.toThrow(
      /position 1 .*gives a number, not a plugin/,
    );
    await expect(bootTestApp({ plugins: [bad(() => import('./nowhere.js' as string))] })).rejects.toMatchObject({
      code: 'FW_CONFIG_PLUGIN_IMPORT',
    });
    const bringing = named('a', { brings: () => [bad(() => Promise.reject(new Error('gone')))] });
    await expect(bootTestApp({ plugins: [bringing] })).rejects.toThrow(
      /^The plugin that a brings \(.*\) could not be imported: gone$/,
    );
    const made = definePlugin({ id: 'made', category: 'app', description: 'One that is there.', register: () => {} });
    for (const [wrong, found] of [
      [plugin(made as never), 'plugin(...) of the plugin made itself'],
      [plugin(Promise.resolve(made) as never), 'plugin(...) of a promise'],
      ['fw/http', 'the text "fw/http"'],
      [undefined, 'undefined'],
    ] as const) {
      await expect(bootTestApp({ plugins: [wrong as never] })).rejects.toThrow(
        `The entry at position 1 of app.config.ts is ${found}; expected plugin(() => import('fw/http'), options).`,
      );
    }
    await expect(bootTestApp({ plugins: [named('a', { brings: () => [made as never] })] })).rejects.toThrow(
      'The entry that a brings is the plugin made itself;',
    );
    await expect(bootTestApp({ plugins: [named('a'), named('a')] })).rejects.toThrow(
      /Plugin a is listed twice in app.config.ts, at positions 1 and 2/,
    );
  });

  test('withdraws what a plugin that degrades had bound, and lets it stop what it had made', async () => {
    let closed: string | undefined;
    let met: Greeter | undefined;
    const app = await bootTestApp({
      plugins: [
        named('greeter', {
          provides: [Greeter],
          failure: 'degrade',
          register: ({ bind }: { bind(of: typeof Greeter, make: () => Greeter): void }) =>
            bind(Greeter, () => ({ greet: () => 'hello' })),
          start: ({ get }: { get(of: typeof Greeter): Greeter }) => {
            get(Greeter);
            throw new Error('no voice');
          },
          stop: ({ get }: { get(of: typeof Greeter): Greeter }) => void (closed = get(Greeter).greet()),
        }),
        named('guest', {
          optionalNeeds: ['greeter'],
          start: ({ getOptional }: { getOptional(of: typeof Greeter): Greeter | undefined }) =>
            void (met = getOptional(Greeter)),
        }),
      ],
    });
    expect(met).toBeUndefined();
    expect(app.services.getOptional(Greeter)).toBeUndefined();
    await app.stop();
    expect(closed).toBe('hello');
  });

  test('names the plugin that declares a token and binds nothing to it', async () => {
    await expect(bootTestApp({ plugins: [named('greeter', { provides: [Greeter] })] })).rejects.toThrow(
      'Plugin greeter lists test.Greeter in `provides` and did not bind it',
    );
  });

  test('refuses an order towards an id that is a slip of the pen, and none towards a plugin that is not there', async () => {
    const order = (after: string) => ({ order: { after: [after], because: 'it greets' } });
    const misspelt = [named('middleware/cors'), named('guest', order('middleware/cosr'))];
    await expect(bootTestApp({ plugins: misspelt })).rejects.toThrow('Did you mean "middleware/cors"?');
    const app = await bootTestApp({ plugins: [named('middleware/cors'), named('guest', order('middleware/etag'))] });
    await app.stop();
  });

  test('goes on without a plugin that degrades, and without those that need it, and says so', async () => {
    const broken = named('broken', {
      failure: 'degrade',
      start: () => Promise.reject(new Error('no server at db:5432')),
    });
    const app = await bootTestApp({
      plugins: [broken, named('leaf', { failure: 'degrade', needs: ['broken'] }), named('other')],
    });
    expect(app.report().plugins.map(({ id, state }) => `${id} ${state}`)).toEqual([
      'broken degraded',
      'leaf degraded',
      'other ready',
    ]);
    expect(app.diagnostics.get('kernel')).toMatchObject({
      status: 'degraded',
      notes: [expect.stringContaining('no server at db:5432'), expect.stringContaining('leaf needs broken')],
    });
    await app.stop();
  });

  test('gives up a fatal failure after stopping what had started', async () => {
    let stopped = false;
    const first = named('first', { start: () => {}, stop: () => void (stopped = true) });
    const second = named('second', { start: () => Promise.reject(new Error('boom')) });
    await expect(bootTestApp({ plugins: [first, second] })).rejects.toMatchObject({
      code: 'FW_PLUGIN_START',
      message: expect.stringContaining('Plugin second failed to start: boom'),
    });
    expect(stopped).toBe(true);
  });

  test('aborts a start that passes its deadline and names the plugin', async () => {
    let aborted = false;
    const slow = named('slow', {
      startDeadlineMs: 20,
      start: ({ signal }: { signal: AbortSignal }) =>
        new Promise(() => signal.addEventListener('abort', () => (aborted = true))),
    });
    await expect(bootTestApp({ plugins: [slow] })).rejects.toThrow(/Plugin slow did not start within 20 ms/);
    expect(aborted).toBe(true);
  });

  test.each(['fatal', 'degrade'] as const)(
    'gives up a start that ignores its signal, and stops what it opened late (%s)',
    async (failure) => {
      const events: string[] = [];
      let open: (value?: unknown) => void = () => {};
      const late = named('late', {
        failure,
        startDeadlineMs: 5,
        start: () => new Promise((resolve) => (open = resolve)).then(() => void events.push('open')),
        stop: () => void events.push('stop'),
      });
      const other = named('other', { stop: () => void events.push('stop other') });
      const log = new RecordingLogger();
      const booting = boot([late, other], { log });
      const app = failure === 'degrade' ? await booting : undefined;
      if (!app) await expect(booting).rejects.toMatchObject({ code: 'FW_PLUGIN_START_DEADLINE' });
      open();
      await new Promise((resolve) => setImmediate(resolve));
      expect(log.messages('warn')).toContain('start of plugin late ended after it was given up; the plugin is stopped');
      await app?.stop();
      // Stopped while it still began, and again when it had opened something.
      expect(events).toEqual(app ? ['open', 'stop', 'stop other'] : ['stop', 'open', 'stop']);
    },
  );

  test('a start that fails late is logged and harms nobody', async () => {
    let fail: (reason: unknown) => void = () => {};
    const late = named('late', { startDeadlineMs: 5, start: () => new Promise((_, reject) => (fail = reject)) });
    const log = new RecordingLogger();
    await expect(boot([late], { log })).rejects.toMatchObject({ code: 'FW_PLUGIN_START_DEADLINE' });
    fail(new Error('late'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(log.messages('debug')).toContain('start of plugin late failed after it was given up');
  });

  test('ends when the boot is given up, whatever the plugins do', async () => {
    const given = new AbortController();
    const stuck = named('stuck', { failure: 'degrade', start: () => new Promise(() => given.abort()) });
    let began = false;
    const next = named('next', { needs: [], failure: 'degrade', start: () => void (began = true) });
    await expect(boot([stuck, next], { log: new RecordingLogger(), signal: given.signal })).rejects.toMatchObject({
      code: 'FW_PLUGIN_BOOT_GIVEN_UP',
    });
    expect(began).toBe(false);
  });

  test('stops the others when one fails to stop, and reports it', async () => {
    let stopped = false;
    const app = await bootTestApp({
      plugins: [
        named('good', { stop: () => void (stopped = true) }),
        named('bad', { stop: () => Promise.reject(new Error('stuck')) }),
      ],
    });
    await expect(app.stop()).rejects.toThrow(/^test did not stop cleanly, in this order: /);
    expect(stopped).toBe(true);
    expect(app.log.messages('error')).toEqual(['Plugin bad failed to stop: stuck']);
  });

  test('refuses an asynchronous register and a token that the manifest does not list', async () => {
    await expect(bootTestApp({ plugins: [named('a', { register: async () => {} })] })).rejects.toThrow(
      /returned a promise from register/,
    );
    const sly = {
      register: (context: { bind(of: typeof Greeter, make: () => Greeter): void }) =>
        context.bind(Greeter, () => ({ greet: () => '' })),
    };
    await expect(bootTestApp({ plugins: [named('a', sly)] })).rejects.toThrow(/binds test.Greeter without listing it/);
  });

  test('shows the configuration without secrets', async () => {
    const options = Type.Object({ accessSecret: Type.String(), url: Type.String() });
    const subject = definePlugin({ id: 'db', category: 'orm', description: 'test', options });
    const app = await bootTestApp({
      plugins: [plugin(async () => subject, { accessSecret: 's3cret', url: 'postgres://me:pw@host/db' })],
    });
    const shown = JSON.stringify(app.services.get(AppInfo).configuration());
    expect(shown).toContain('[REDACTED]');
    expect(shown).not.toMatch(/s3cret|:pw@/);
    await app.stop();
  });

  test('resolves services at boot only', async () => {
    const app = await bootTestApp({
      plugins: [
        named('a', {
          uses: [Clock],
          start: (context: { get(of: typeof Clock): Clock }) => void context.get(Clock).now(),
        }),
      ],
    });
    const after = app.services.resolutions;
    await new Promise(setImmediate);
    expect(app.services.resolutions).toBe(after);
    await app.stop();
  });

  test('boots a part: the plugins of a category and what they need, with other options', async () => {
    const options = Type.Object({ schema: withDefault(Type.String(), 'create') });
    let seen: unknown;
    const db = definePlugin({
      id: 'db',
      category: 'orm',
      description: 'test',
      options,
      needs: ['pool'],
      start: (context) => void (seen = context.options),
    });
    const config = defineApp({
      name: 'x',
      plugins: [named('web'), named('pool'), db].map((each) => plugin(async () => each)),
    });
    const app = await bootApp(config, {
      profile: 'test',
      onlyCategory: 'orm',
      overrides: { db: { schema: 'none' } },
      log: new RecordingLogger(),
    });
    expect(app.report().plugins.map(({ id }) => id)).toEqual(['pool', 'db']);
    expect(seen).toEqual({ schema: 'none' });
    await app.stop();
  });

  test('boots further plugins, and those that the list has as the list says', async () => {
    const seen: unknown[] = [];
    const tool = definePlugin({
      id: 'tool',
      category: 'introspection',
      description: 'test',
      options: Type.Object({ image: withDefault(Type.String(), 'small') }),
      needs: ['base'],
      register: ({ options }) => void seen.push(options),
    });
    const further = [tool, named('base')].map((each) => plugin(async () => each));
    const boot = async (...plugins: readonly PluginEntry[]) => {
      const config = defineApp({ name: 'x', plugins });
      const app = await bootApp(config, { unlessListed: further, log: new RecordingLogger() });
      await app.stop();
      return app.report().plugins.map(({ id }) => id);
    };
    expect(await boot(plugin(async () => tool, { image: 'large' }))).toEqual(['base', 'tool']);
    expect(await boot()).toEqual(['base', 'tool']);
    expect(seen).toEqual([{ image: 'large' }, { image: 'small' }]);
  });
});
