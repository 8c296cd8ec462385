import type { Facts, Need, Step, Task } from './task.js';

/** What a client of 2024 gets of a call: the text, and whether it is an error. */
export interface Answered {
  readonly text: string;
  readonly isError: boolean;
}

/** Calls a tool. */
export type CallTool = (tool: string, given: Readonly<Record<string, unknown>>) => Promise<Answered>;

/** How a session went. */
export interface Played {
  readonly kind: Task['kind'];
  readonly name: string;
  readonly calls: number;
  /** Bytes of all answers. */
  readonly bytes: number;
  /** Bytes of the longest one. */
  readonly longest: number;
  /** What was missing, in the order of the steps; none when each answer contained what the next step needed. */
  readonly problems: readonly string[];
}

/** Calls from a question to its cause, for the kinds of task that only look. */
export const MOST_CALLS: Readonly<Record<Task['kind'], number>> = {
  debug: 4,
  trace: 4,
  build: 6,
  change: 6,
  migrate: 6,
  provision: 6,
};
/** Bytes of one answer: about 1,500 tokens. */
export const MOST_BYTES = 6_000;
/** Characters of a planted text that an answer may quote in one piece: a body of an answer, which the agent asked for. */
const MOST_QUOTED = 2_000;

/** Plays the recorded session of a task; it goes on where an answer was not sufficient, as far as it can. */
export async function play(task: Task, call: CallTool): Promise<Played> {
  const problems: string[] = [];
  const known: Record<string, string> = { ...task.given };
  const sizes: number[] = [];
  const texts: string[] = [];
  for (const [index, step] of task.steps.entries()) {
    const at = `step ${index + 1}, ${step.tool}`;
    const given = filled(step.arguments ?? {}, known);
    if (given.missing.length > 0) {
      problems.push(`${at}: no answer contained ${given.missing.join(', ')}`);
      break;
    }
    await step.before?.();
    const answer = await call(step.tool, given.value as Readonly<Record<string, unknown>>);
    sizes.push(Buffer.byteLength(answer.text));
    texts.push(answer.text);
    const found = foundIn(answer.text, step.needs, { ...task.hidden, ...known });
    Object.assign(known, found.facts);
    problems.push(...[...found.problems, ...unfit(answer, step, task)].map((problem) => `${at}: ${problem}`));
  }
  problems.push(...foundIn(texts.join('\n'), task.answer, { ...task.hidden, ...known }).problems);
  if (sizes.length > MOST_CALLS[task.kind])
    problems.push(`it took ${sizes.length} calls; expected at most ${MOST_CALLS[task.kind]}`);
  problems.push(...((await task.check?.()) ?? []).map((problem) => `afterwards: ${problem}`));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return { kind: task.kind, name: task.name, calls: sizes.length, bytes, longest: Math.max(0, ...sizes), problems };
}

const PLACE = /\$\{(\w+)\}/g;

function filled(value: unknown, known: Facts): { readonly value: unknown; readonly missing: readonly string[] } {
  const missing: string[] = [];
  const fill = (each: unknown): unknown => {
    if (typeof each === 'string') {
      return each.replace(PLACE, (_, name: string) => known[name] ?? (missing.push(name), ''));
    }
    if (Array.isArray(each)) return each.map(fill);
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([key, inner]) => [key, fill(inner)]));
  };
  return { value: fill(value), missing };
}

function foundIn(text: string, needs: Step['needs'], facts: Facts) {
  const found: Record<string, string> = {};
  const problems: string[] = [];
  for (const [name, need] of Object.entries(needs)) {
    const value = valueOf(text, need, facts);
    if (value === undefined) problems.push(`lacks ${name} (${shown(need, facts)}): ${text.slice(0, 700)}`);
    else found[name] = value;
  }
  return { facts: found, problems };
}

function valueOf(text: string, need: Need, facts: Facts): string | undefined {
  if (need instanceof RegExp) {
    const match = need.exec(text);
    return match === null ? undefined : (match[1] ?? match[0]);
  }
  const words = need.replace(PLACE, (_, name: string) => facts[name] ?? `\${${name}}`);
  return text.includes(words) ? words : undefined;
}

function shown(need: Need, facts: Facts): string {
  return need instanceof RegExp
    ? String(need)
    : JSON.stringify(need.replace(PLACE, (_, name: string) => facts[name] ?? '?'));
}

function unfit({ text, isError }: Answered, step: Step, { planted = [] }: Task): readonly string[] {
  const problems: string[] = [];
  if (isError !== (step.refused ?? false))
    problems.push(isError ? `is an error: ${text.slice(0, 300)}` : 'is no error');
  if (Buffer.byteLength(text) > MOST_BYTES) problems.push(`has ${Buffer.byteLength(text)} bytes, above ${MOST_BYTES}`);
  for (const hostile of planted) problems.push(...unmarked(text, hostile));
  return problems;
}

/** What is wrong with how an answer quotes a hostile text. The text names itself by a word in its first and its last line. */
function unmarked(text: string, hostile: string): readonly string[] {
  const [first = '', ...rest] = hostile.split('\n');
  const problems: string[] = [];
  const lines = text.split('\n').map((line) => line.trim());
  for (const line of rest.filter((each) => each.trim() !== '')) {
    if (lines.includes(line.trim()))
      problems.push(`lets ${JSON.stringify(line)} of a stranger stand as a line of its own`);
  }
  const word = /\w+/.exec(first)?.[0] ?? first;
  if (text.includes(word) && !/quotes the service: data/.test(text)) problems.push('quotes a stranger without a mark');
  if (/[\u001b\u200b\u202e]|[\u{e0000}-\u{e007f}]/u.test(text)) problems.push('holds characters that nobody sees');
  if (text.includes('x'.repeat(MOST_QUOTED))) problems.push(`quotes more than ${MOST_QUOTED} characters of a stranger`);
  return problems;
}
