import path from 'node:path';
import { changesIn, defineTool, Type } from '../../../kernel/index.js';
import { bodyDigest } from '../../docs/index.js';
import { llmsOf } from './llms-files.js';

const File = Type.Object({
  name: Type.String(),
  bytes: Type.Integer(),
  digest: Type.String({ description: 'SHA-256 of the content without its stamp' }),
  content: Type.String(),
  written: Type.Boolean(),
});

export const fwGenerateLlmsTxt = defineTool({
  name: 'fw_generate_llms_txt',
  description:
    'Make llms.txt and llms-full.txt of a project from its sources, without running it; writes them only with write.',
  input: Type.Object({
    path: Type.Optional(Type.String({ description: 'project root' })),
    write: Type.Optional(Type.Boolean({ description: 'write the files; default false' })),
  }),
  output: Type.Object({
    path: Type.String(),
    files: Type.Array(File),
    routes: Type.Integer(),
    models: Type.Integer(),
    notes: Type.Array(Type.String()),
  }),
  paths: ['path'],
  reach: 'workspace',
  effects: ['writes-files'],
  run: async ({ path: given, write = false }, context) => {
    const root = given ?? context.workspace;
    const { doc, folder, files, notes } = await llmsOf(root, context);
    const recovered: string[] = [];
    if (write) {
      const { changes, folder: target } = await changesIn(root, await context.confine(folder));
      for (const [name, content] of Object.entries(files)) {
        await changes.write(await context.confine(path.join(target, name)), content);
      }
      await changes.commit({ onRecovered: ({ text }) => recovered.push(text) });
    }
    const made = Object.entries(files).map(([name, content]) => ({
      name,
      bytes: Buffer.byteLength(content),
      digest: bodyDigest(content),
      content,
      written: write,
    }));
    const next = write
      ? 'Written. fw_check_llms_txt_freshness tells when they are out of date.'
      : 'Not written; repeat with write=true to write them.';
    return {
      summary: `${doc.routes.length} routes and ${doc.models.length} models. ${next}`,
      structured: {
        path: root,
        files: made,
        routes: doc.routes.length,
        models: doc.models.length,
        notes: [...recovered, ...notes],
      },
    };
  },
});
