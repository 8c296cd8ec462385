import type { IdiomRule } from './rule.js';

/** `marker-blocks-are-generated`: blocks between markers whose content does not fit their checksum. */
export function generatedBlocks(
  blocksOf: (text: string) => readonly { readonly name: string; readonly pristine: boolean }[],
): IdiomRule {
  return {
    rule: 'marker-blocks-are-generated',
    *check({ sources: { files } }) {
      for (const file of files) {
        for (const { name, pristine } of blocksOf(file.text)) {
          if (pristine) continue;
          yield {
            file,
            start: file.text.indexOf(`// fw:block:${name}:start`),
            message: `the generated block "${name}" was edited by hand`,
            fix: 'Move the change out of the block, or into what the block is generated from; then generate it again with force.',
          };
        }
      }
    },
  };
}
