import { Tiktoken } from 'js-tiktoken/lite';
import ranks from 'js-tiktoken/ranks/o200k_base';

/** What a model pays for an answer that nobody asked to be long, as text or as data. */
const MOST_TOKENS = 1_500;

/** What sets strangers' words apart from those of a tool: a line that says so, and a bar before each further line of a text. */
const MARK = /^\(What follows quotes the service: .*\)\n/m;
const CONTINUED = /\n *\| ?/g;

/** An answer as clients get it. */
export interface SizedAnswer {
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

let tokenizer: Tiktoken | undefined;

/** What is too long in an answer: its text, its data, or its text for what the data say. */
export function sizeProblems(tool: string, { content, structuredContent }: SizedAnswer): readonly string[] {
  const encoder = (tokenizer ??= new Tiktoken(ranks));
  const text = content.map((each) => each.text).join('\n');
  const own = text.replace(MARK, '').replaceAll(CONTINUED, '\n');
  const data = JSON.stringify(structuredContent ?? {});
  const [summary = ''] = text.split('\n', 1);
  const [asText, asData] = [text, data].map((each) => encoder.encode(each).length) as [number, number];
  return [
    ...(asText > MOST_TOKENS ? [`${tool}: ${asText} tokens of text`] : []),
    ...(asData > MOST_TOKENS ? [`${tool}: ${asData} tokens of data`] : []),
    ...(own.length > data.length + summary.length + 1 ? [`${tool}: ${own.length} characters for ${data.length}`] : []),
  ];
}
