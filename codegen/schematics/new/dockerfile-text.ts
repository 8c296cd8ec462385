/** A line of a Dockerfile: a keyword, and a text, or a list that is run without a shell. */
type Instruction = readonly [word: string, rest: string | readonly string[]];

/** Lines up to the next FROM. */
export interface Stage {
  readonly from: string;
  /** Name by which later stages copy from it. */
  readonly as?: string;
  readonly steps: readonly Instruction[];
}

/** The text of a Dockerfile (https://docs.docker.com/reference/dockerfile/). */
export function dockerfileText(stages: readonly Stage[], before: readonly Instruction[] = []): string {
  const text = [before.map(line), ...stages.map(({ from, as, steps }) => [`FROM ${from}${as ? ` AS ${as}` : ''}`, ...steps.map(line)])]; // prettier-ignore
  return `${text
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

const line = ([word, rest]: Instruction): string =>
  `${word} ${typeof rest === 'string' ? rest : `[${rest.map((each) => JSON.stringify(each)).join(', ')}]`}`;
