import type { Candidate } from '../../kernel/contracts/command.js';
import { type CommandFlag, GENERAL } from './general-flags.js';

/** The flag whose value the last word is: `--driver` before an empty word. */
export function openFlag<Flag extends CommandFlag>(flags: readonly Flag[], words: readonly string[]): Flag | undefined {
  const before = words.at(-2);
  return flags.find(({ name, type }) => type !== 'boolean' && before === `--${name}`);
}

/** The flags that complete the last word, without those that were typed before. */
export function flagCandidates(flags: readonly CommandFlag[], words: readonly string[]): readonly Candidate[] {
  if (!words.at(-1)?.startsWith('-') || openFlag(flags, words)) return [];
  const said = new Set(words.slice(0, -1).map((word) => word.replace(/=.*$/s, '')));
  return [...flags, ...GENERAL]
    .map(({ name, usage }) => ({ word: `--${name}`, about: usage }))
    .filter(({ word }) => !said.has(word));
}
