import { describe, expect, test } from '@jest/globals';
import { StatementLine } from './statement-line.js';

interface Step {
  readonly done: Promise<void>;
  finish(): void;
}

function step(): Step {
  let finish = () => {};
  const done = new Promise<void>((resolve) => (finish = resolve));
  return { done, finish };
}

const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve));

describe('a statement that ends by itself while it is being cancelled', () => {
  test.each([
    ['a limit', (_line: StatementLine, abort: AbortController) => abort.abort()],
    ['its transaction', (line: StatementLine) => void line.interrupt(new RangeError('given up'))],
  ])('by %s keeps the connection until nothing is on its way any more', async (_by, giveUp) => {
    const [statement, cancelling] = [step(), step()];
    const abort = new AbortController();
    const line = new StatementLine();
    const seen: string[] = [];
    const call = line.run(
      () => statement.done,
      { signal: abort.signal },
      () => cancelling.done,
    );
    const ended = call.then(
      () => seen.push('done'),
      (error: { readonly code?: string }) => seen.push(String(error.code)),
    );
    giveUp(line, abort);
    const next = line.run(
      async () => void seen.push('next'),
      undefined,
      async () => undefined,
    );
    statement.finish();
    await turnOfTheLoop();
    const before = [...seen];
    cancelling.finish();
    await Promise.all([ended, next]);
    expect(before).not.toContain('next');
    expect(before).not.toContain('FW_ORM_ABORTED');
    expect(seen).toContain('next');
    expect(seen).toContain(abort.signal.aborted ? 'FW_ORM_ABORTED' : 'done');
  });
});

test('a statement that has ended is not cancelled, nor is the one behind it', async () => {
  const line = new StatementLine();
  const [second, cancelled] = [step(), [] as string[]];
  const cancels = (name: string) => async () => void cancelled.push(name);
  const first = line.hold(async () => 'first', cancels('first'));
  const next = line.run(() => second.done, undefined, cancels('second'));
  await first.running;
  await turnOfTheLoop();
  await first.cancel();
  expect(cancelled).toEqual([]);
  await Promise.all([line.interrupt(new RangeError('given up')), second.finish()]);
  expect(cancelled).toEqual(['second']);
  await next;
});
