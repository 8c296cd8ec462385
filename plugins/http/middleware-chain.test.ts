import { describe, expect, test } from '@jest/globals';
import compose from 'koa-compose';
import fc from 'fast-check';
import { afterNext, direct, type HttpContext, type Middleware } from '../../kernel/index.js';
import { chainOf, type ChainStep } from './middleware-chain.js';

const context = {} as HttpContext;
const nothingFollows = () => Promise.resolve();
const run = (...steps: readonly ChainStep[]) => chainOf(steps)(context, nothingFollows);

/** Middlewares that write down when they are entered and left. */
function witness() {
  const seen: string[] = [];
  const plain = (name: string): Middleware =>
    async function middleware(_context, next) {
      seen.push(`>${name}`);
      await next();
      seen.push(`<${name}`);
    };
  const directly = (name: string): Middleware =>
    direct((_context, next) => {
      seen.push(`>${name}`);
      return afterNext(next, () => seen.push(`<${name}`));
    });
  return { seen, plain, directly };
}

describe('chainOf', () => {
  test('goes in and out in order, whoever is direct', async () => {
    const { seen, plain, directly } = witness();
    await run(directly('a'), plain('b'), directly('c'), directly('d'), plain('e'), () => seen.push('!'));
    expect(seen.join(' ')).toBe('>a >b >c >d >e ! <e <d <c <b <a');
  });

  test('waits for what comes late', async () => {
    const { seen, directly } = witness();
    await run(directly('a'), directly('b'), () => Promise.resolve().then(() => seen.push('!')));
    expect(seen.join(' ')).toBe('>a >b ! <b <a');
  });

  test('makes no promise where nothing has to be waited for', () => {
    const { seen, directly } = witness();
    run(directly('a'), directly('b'), () => seen.push('!'));
    expect(seen.join(' ')).toBe('>a >b ! <b <a');
  });

  test('gives a promise to whoever is not direct', async () => {
    const answers: unknown[] = [];
    const stranger: ChainStep = (_context, next) => next().then((value: unknown) => answers.push(value));
    await run(stranger, () => 'at once');
    await run(
      stranger,
      direct(() => 'directly'),
    );
    await run(stranger);
    expect(answers).toEqual(['at once', 'directly', undefined]);
  });

  test('throws for direct ones and rejects for the others', async () => {
    const { directly } = witness();
    const thrower: ChainStep = () => {
      throw new RangeError('broken');
    };
    expect(() => run(directly('a'), thrower)).toThrow(RangeError);
    await expect(run((_context, next) => next().catch(String), directly('a'), thrower)).resolves.toBe(
      'RangeError: broken',
    );
  });

  test('lets nobody call next twice', async () => {
    let runs = 0;
    const twice: ChainStep = async (_context, next) => {
      await next();
      await next();
    };
    await expect(run(twice, () => runs++)).rejects.toThrow('next() called multiple times');
    expect(runs).toBe(1);
    const directly = direct((_context, next) => {
      void next();
      return next();
    });
    expect(() => run(directly, () => runs++)).toThrow('next() called multiple times');
    await expect(
      run(
        async (_context, next) => next(),
        directly,
        () => runs++,
      ),
    ).rejects.toThrow('next() called');
    expect(runs).toBe(3);
  });

  test('without steps runs what follows', async () => {
    await expect(chainOf([])(context, () => Promise.resolve('next'))).resolves.toBe('next');
  });
});

describe('chainOf beside koa-compose', () => {
  // What a step does around next, or in place of it.
  const ACTS = ['pass', 'throw', 'twice', 'catch', 'late', 'stop'] as const;
  interface Step {
    readonly act: (typeof ACTS)[number];
    readonly isDirect: boolean;
  }

  const plainStep = ({ act }: Step, name: number, seen: string[]) =>
    async function step(_context: unknown, next: () => Promise<unknown>): Promise<void> {
      seen.push(`>${name}`);
      if (act === 'throw') throw new RangeError(`thrown by ${name}`);
      if (act === 'late') await new Promise(setImmediate);
      if (act === 'catch') await next().catch((error: unknown) => seen.push(String(error)));
      else if (act !== 'stop') await next();
      if (act === 'twice') await next();
      seen.push(`<${name}`);
    };

  // The same, without a promise where the act needs none.
  const directStep = (given: Step, name: number, seen: string[]): ChainStep => {
    const { act } = given;
    if (act === 'late' || act === 'twice') return direct(plainStep(given, name, seen) as never);
    return direct((_context, next) => {
      seen.push(`>${name}`);
      if (act === 'throw') throw new RangeError(`thrown by ${name}`);
      const leave = () => void seen.push(`<${name}`);
      if (act === 'stop') return leave();
      const caught = (error: unknown) => (seen.push(String(error)), leave());
      return act === 'catch' ? afterNext(next, leave, caught) : afterNext(next, leave);
    });
  };

  async function traceOf(compile: (seen: string[]) => (context: never, next: () => Promise<unknown>) => unknown) {
    const seen: string[] = [];
    try {
      await compile(seen)(context as never, async () => void seen.push('!'));
    } catch (error) {
      seen.push(`failed: ${String(error)}`);
    }
    return seen;
  }

  test('does what it does, whichever steps are direct', async () => {
    const step = fc.record<Step>({ act: fc.constantFrom(...ACTS), isDirect: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const stock = await traceOf((seen) =>
          compose(steps.map((each, name) => plainStep(each, name, seen)) as never[]),
        );
        const ours = await traceOf((seen) =>
          chainOf(
            steps.map((each, name) =>
              each.isDirect ? directStep(each, name, seen) : (plainStep(each, name, seen) as ChainStep),
            ),
          ),
        );
        expect(ours).toEqual(stock);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('afterNext', () => {
  const failed = (error: unknown) => `caught ${String(error)}`;

  test('hands over what was thrown, at once or later', async () => {
    const completed = () => 'completed';
    const thrower = () => {
      throw new RangeError('broken');
    };
    expect(afterNext(thrower, completed, failed)).toBe('caught RangeError: broken');
    await expect(afterNext(() => Promise.reject(new RangeError('late')), completed, failed)).resolves.toBe(
      'caught RangeError: late',
    );
    expect(() => afterNext(thrower, completed)).toThrow('broken');
  });

  test('leaves what the own end throws to whoever is outside', () => {
    const completed = () => {
      throw new RangeError('own');
    };
    expect(() => afterNext(() => undefined, completed, failed)).toThrow('own');
  });
});
