import { defineTool, Type } from '../../../kernel/index.js';
import { optional, optionalText, Text, Texts, YesNo } from '../../../kernel/schema/index.js';
import { bodyDigest, readStamp } from '../../docs/index.js';
import { llmsOf, textOnDisk } from './llms-files.js';

const File = Type.Object({
  name: Text,
  status: Type.String({ description: 'current, missing, unstamped, edited or stale' }),
  recorded_digest: optional(Text),
  expected_digest: Text,
  reason: Text,
  changes: Texts,
});

export const fwCheckLlmsTxtFreshness = defineTool({
  name: 'fw_check_llms_txt_freshness',
  description:
    'Tell whether llms.txt and llms-full.txt still say what the sources of the project say, and what differs.',
  input: Type.Object({ path: optionalText('project root') }),
  output: Type.Object({
    path: Text,
    fresh: YesNo,
    files: Type.Array(File),
    regenerate_with: optional(Text),
    notes: Texts,
  }),
  paths: ['path'],
  reach: 'workspace',
  effects: [],
  run: async ({ path: given }, context) => {
    const root = given ?? context.workspace;
    const [{ folder, files, notes }, { freshnessOf }] = await Promise.all([
      llmsOf(root, context),
      import('../../../codegen/llms/index.js'),
    ]);
    const checked = [];
    for (const [name, expected] of Object.entries(files)) {
      const found = await textOnDisk(folder, name, context);
      const [recorded, isStamped] = readStamp(found ?? '');
      const { status, reason, changes } = freshnessOf(found, expected);
      const digests = { ...(isStamped && { recorded_digest: recorded }), expected_digest: bodyDigest(expected) };
      checked.push({ name, status, ...digests, reason, changes });
    }
    const fresh = checked.every(({ status }) => status === 'current');
    const told = checked.map(({ name, status }) => `${name} is ${status}`).join(', ');
    return {
      summary: fresh ? `Fresh: ${told}.` : `${told}. Call fw_generate_llms_txt with write=true.`,
      structured: {
        path: root,
        fresh,
        files: checked,
        notes,
        regenerate_with: fresh ? undefined : 'fw_generate_llms_txt with write=true',
      },
    };
  },
});
