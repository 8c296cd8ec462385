import { ChangeSet, defineTool, isFwError, Type } from '../../../kernel/index.js';
import { Anything, optionalText, Text, Texts, YesNo } from '../../../kernel/schema/index.js';
import { type ProjectDocument, readDocument } from '../knowledge/index.js';
import { Change } from '../generation/index.js';
import { canonicalDocument } from './canonical-document.js';
import { configInputs } from './config-inputs.js';
import { differences } from './differences.js';
import { overlay } from './overlay.js';
import { documentOf } from './document-of.js';
import { readProject } from '../introspection/index.js';

export const fwDiffConfig = defineTool({
  name: 'fw_diff_config',
  description:
    'Compare a project with a proposed configuration: settings, features, models and routes that differ, and the files that adding the features would touch. Writes nothing.',
  input: Type.Object({ existing_path: optionalText('project root'), ...configInputs }),
  output: Type.Object({
    existing_path: Text,
    valid: YesNo,
    errors: Texts,
    changes: Type.Array(Type.Object({ path: Text, from: Anything, to: Anything })),
    features_added: Texts,
    features_kept: Texts,
    touches: Type.Array(Change),
    blocked: Type.Array(Type.Object({ feature: Text, reason: Text })),
    wrote_to_disk: YesNo,
    notes: Texts,
  }),
  paths: ['existing_path'],
  texts: ['config', 'config_yaml'],
  reach: 'workspace',
  effects: [],
  run: async ({ existing_path, config, config_yaml }, context) => {
    const root = existing_path ?? context.workspace;
    const { document, errors } = await readDocument({ config, config_yaml } as Parameters<typeof readDocument>[0]);
    const empty = { existing_path: root, valid: errors.length === 0, errors, wrote_to_disk: false };
    if (errors.length > 0) {
      const none = { changes: [], features_added: [], features_kept: [], touches: [], blocked: [], notes: [] };
      return {
        summary: `The proposed configuration is wrong: ${errors[0] ?? ''}`,
        structured: { ...empty, ...none },
        isError: true,
      };
    }
    const facts = await readProject(root, (file) => context.confine(file));
    const changes = differences(canonicalDocument(documentOf(facts)), canonicalDocument(document));
    const measured = await measure(root, document, new Set(facts.features.map(({ name }) => name)));
    return {
      summary: `${changes.length} difference(s), ${measured.features_added.length} feature(s) to add, ${measured.blocked.length} blocked. Apply with fw_add and fw_generate, best staged in a change set (fw_begin_change_set).`,
      structured: { ...empty, changes, ...measured, notes: facts.notes },
    };
  },
});

// Adds the features without force to a change set and discards it, so that the result lists exactly what fw_add would refuse.
async function measure(root: string, document: ProjectDocument, installed: ReadonlySet<string>) {
  const { addFeature, contextOver, featuresOf } = await import('../../../codegen/schematics/index.js');
  const set = await ChangeSet.open(root);
  const calls = featuresOf(document as Parameters<typeof featuresOf>[0]);
  const blocked: { feature: string; reason: string }[] = [];
  for (const { feature, flags } of calls) {
    const layer = overlay(
      contextOver(set, () => undefined),
      () => undefined,
    );
    try {
      await addFeature({ feature, flags }, layer);
      await layer.pass();
    } catch (error) {
      if (!isFwError(error)) throw error;
      blocked.push({ feature, reason: error.message });
    }
  }
  const touches = set.discard();
  const names = [...new Set(calls.map(({ feature }) => feature))];
  return {
    features_added: names.filter((name) => !installed.has(name)),
    features_kept: names.filter((name) => installed.has(name)),
    touches,
    blocked,
  };
}
