/** What is known by a name: what the question says, what earlier answers said, what is true. */
export type Facts = Readonly<Record<string, string>>;

/** Something that an answer must contain for the next step: the words themselves, or a pattern whose first group is kept. */
export type Need = string | RegExp;

/** One call of a recorded session. */
export interface Step {
  readonly tool: string;
  /** `${name}` in a text stands for a fact of the question, or one that an earlier answer contained. Never for the truth. */
  readonly arguments?: Readonly<Record<string, unknown>>;
  /** By name, what the answer must contain. `${name}` stands for a fact of the truth as well: the runner knows what is hidden. */
  readonly needs: Readonly<Record<string, Need>>;
  /** Whether the answer is to be an error of the tool. */
  readonly refused?: true;
  /** What happens behind the agent's back before the call. */
  readonly before?: () => Promise<void>;
}

/** A {@link Step}, written on one line. */
export function step(
  tool: string,
  given: Step['arguments'] & object,
  needs: Step['needs'],
  rest: Pick<Step, 'refused' | 'before'> = {},
): Step {
  return { tool, arguments: given, needs, ...rest };
}

/** A task with what was hidden in it. */
export interface Task {
  readonly kind: 'build' | 'change' | 'debug' | 'migrate' | 'trace' | 'provision';
  readonly name: string;
  /** What the user asks. */
  readonly question: string;
  /** What the question says. */
  readonly given: Facts;
  /** What only the generator knows. */
  readonly hidden: Facts;
  readonly steps: readonly Step[];
  /** By name, what the user is told in the end: one of the answers must contain it. */
  readonly answer: Readonly<Record<string, Need>>;
  /** Hostile texts that were planted: none may reach the reader as a line of its own, or longer than a note. */
  readonly planted?: readonly string[];
  /** Looks at what the session has left behind. @returns what is wrong with it */
  check?(): Promise<readonly string[]>;
}

/** Numbers that a seed decides. */
export interface Random {
  /** A whole number from 0 to below a limit. */
  below(limit: number): number;
  pick<Value>(values: readonly Value[]): Value;
}

/** Reproducible choices (mulberry32, public domain by T. Ettinger). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, pick: (values) => values[below(values.length)] as (typeof values)[number] };
}
