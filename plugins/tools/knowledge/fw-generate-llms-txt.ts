import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { defineTool, Type, writeFileAtomically } from '../../../kernel/index.js';
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
  category: 'knowledge',
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
    if (write) {
      const target = await context.confine(folder);
      await mkdir(target, { recursive: true });
      for (const [name, content] of Object.entries(files)) {
        await writeFileAtomically(await context.confine(path.join(target, name)), content);
      }
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
      structured: { path: root, files: made, routes: doc.routes.length, models: doc.models.length, notes: [...notes] },
    };
  },
});
