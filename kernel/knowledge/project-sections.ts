import { chunksOf } from './chunks.js';
import { partsOf } from './markdown-page.js';
import type { Section } from './section.js';

/** Sections of what a project says of itself: of its llms-full.txt. Places are lines of it. */
export function projectSections(file: string, text: string): readonly Section[] {
  return partsOf(text).flatMap(({ title, line, trail, body }) =>
    chunksOf(body).map((chunk) => ({ kind: 'project', title, place: `${file}:${line}`, trail, text: chunk })),
  );
}
