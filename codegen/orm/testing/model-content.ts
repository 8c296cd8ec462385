import { Project } from 'ts-morph';
import { isFwError } from '../../../kernel/index.js';
import { modelGenerator } from '../index.js';

/**
 * What is generated for a model.
 *
 * @param text - its source file, `app/models/model.ts`
 * @param beside - further files by their path
 */
export function modelContent(text: string, beside: Readonly<Record<string, string>> = {}): string {
  const project = new Project({ useInMemoryFileSystem: true, skipAddingFilesFromTsConfig: true });
  const models = ['/app/models/model.ts'];
  for (const [file, content] of Object.entries({ ...beside, [models[0] as string]: text }))
    project.createSourceFile(file, content);
  const input = { project, root: '/app', outDir: '/app/generated', models, routes: [], config: undefined };
  return modelGenerator.generate(input)[0]?.content ?? '';
}

/** What refuses a model, or what is generated for it. */
export function messageOf(generate: () => string): string {
  try {
    return generate();
  } catch (error) {
    if (!isFwError(error)) throw error;
    return error.message;
  }
}
