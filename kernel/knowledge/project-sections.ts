import { chunksOf } from './chunks.js';
import { partsOf } from './markdown-page.js';
import type { Section } from './section.js';

/** Sections of a project's own description, its llms-full.txt. Places are line numbers in that file. */
export function projectSections(file: string, text: string): readonly Section[] {
  return partsOf(text).flatMap(({ title, line, trail, body }) =>
    chunksOf(body).map((chunk) => ({ kind: 'project', title, place: `${file}:${line}`, trail, text: chunk })),
  );
}
