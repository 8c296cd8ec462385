import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controlOf, runRounds, tableOfRounds } from './rounds.mjs';

/** @param {string} name @param {string[]} order @param {() => Promise<unknown>} [check] */
const subject = (name, order, check = async () => {}) => ({
  name,
  check,
  sample: async () => ({ ms: order.push(name) }),
});

test('every round measures every subject once, in an order that changes', async () => {
  /** @type {string[]} */
  const order = [];
  const subjects = ['a', 'b', 'c', 'd'].map((name) => subject(name, order));
  await runRounds({ subjects, rounds: 20, warmupRounds: 0 });
  const rounds = Array.from({ length: 20 }, (_, round) => order.slice(round * 4, round * 4 + 4));
  for (const round of rounds) assert.deepEqual([...round].sort(), ['a', 'b', 'c', 'd']);
  assert.ok(new Set(rounds.map((round) => round.join())).size > 1);
});

test('sliced subjects take turns, and a round has their means', async () => {
  /** @type {string[]} */
  const order = [];
  /** @param {string} name */
  const sliced = (name) => ({
    name,
    check: async () => {},
    begin: async () => {
      let ms = 0;
      return { sample: async () => (order.push(name), { ms: ++ms }), end: () => void order.push(`/${name}`) };
    },
  });
  const [round] = await runRounds({ subjects: [sliced('a'), sliced('b')], rounds: 1, warmupRounds: 0 });
  const turns = Array.from({ length: 10 }, (_, turn) =>
    order
      .slice(turn * 2, turn * 2 + 2)
      .sort()
      .join(),
  );
  assert.deepEqual(turns, Array(10).fill('a,b'));
  assert.deepEqual(order.slice(20).sort(), ['/a', '/b']);
  assert.deepEqual(round, { a: { ms: 5.5 }, b: { ms: 5.5 } });
});

test('the warm-up round is measured and thrown away', async () => {
  /** @type {string[]} */
  const order = [];
  const rounds = await runRounds({ subjects: [subject('a', order)], rounds: 3 });
  assert.equal(order.length, 4);
  assert.deepEqual(
    rounds.map((round) => round['a']?.['ms']),
    [2, 3, 4],
  );
});

test('no round begins once the budget is used up, but five are always measured', async () => {
  let now = 0;
  const clock = () => (now += 1000);
  const plan = { subjects: [subject('a', [])], rounds: 100, now: clock };
  assert.equal((await runRounds({ ...plan, budgetSeconds: 1 })).length, 5);
  assert.ok((await runRounds({ ...plan, budgetSeconds: 30 })).length < 100);
});

test('a subject that fails its check stops the run before anything is timed', async () => {
  /** @type {string[]} */
  const order = [];
  const cheat = subject('cheat', order, async () => assert.equal(404, 200));
  await assert.rejects(runRounds({ subjects: [subject('a', order), cheat], rounds: 3 }), /cheat does not do the work/);
  assert.deepEqual(order, []);
});

test('a control is the same work under another name', async () => {
  const base = subject('raw', []);
  assert.equal(controlOf(base).name, 'raw (A/A)');
  assert.equal(controlOf(base).sample, base.sample);
});

test('a table pairs values of the same round, with the control first', () => {
  const rounds = [
    { raw: { ms: 10 }, 'raw (A/A)': { ms: 11 }, fw: { ms: 5 } },
    { raw: { ms: 20 }, 'raw (A/A)': { ms: 19 }, fw: { ms: 8 } },
  ];
  const formula = /** @type {const} */ ('baseline ÷ subject');
  const table = tableOfRounds(rounds, {
    id: 't',
    title: 'T',
    metric: 'ms',
    unit: 'ms',
    baseline: 'raw',
    formula,
    subjects: ['fw'],
    goals: { fw: { atLeast: 2 } },
  });
  assert.deepEqual(table.rows, [
    {
      subject: 'raw (A/A)',
      control: true,
      pairs: [
        [10, 11],
        [20, 19],
      ],
    },
    {
      subject: 'fw',
      pairs: [
        [10, 5],
        [20, 8],
      ],
      goal: { atLeast: 2 },
    },
  ]);
});

test('a baseline that was measured beside each subject is paired with it', () => {
  const rounds = [{ 'raw (A/A)': { ms: 11, rawMs: 10 }, fw: { ms: 50, rawMs: 20 } }];
  const formula = /** @type {const} */ ('subject ÷ baseline');
  const of = {
    id: 't',
    title: 'T',
    metric: 'ms',
    besideMetric: 'rawMs',
    unit: 'ms',
    baseline: 'raw',
    subjects: ['fw'],
  };
  const { rows } = tableOfRounds(rounds, { ...of, formula });
  assert.deepEqual(
    rows.map(({ pairs }) => pairs),
    [[[10, 11]], [[20, 50]]],
  );
});

test('a metric that a subject does not give is named', () => {
  const of = { id: 't', title: 'T', metric: 'cpu', unit: 'ms', baseline: 'raw', subjects: ['raw'] };
  const formula = /** @type {const} */ ('subject ÷ baseline');
  assert.throws(() => tableOfRounds([{ raw: { ms: 1 } }], { ...of, formula }), /raw has no metric cpu/);
});
