export { answerOf, type Answer } from './answer.js';
export { frameworkKnowledge, Knowledge, type ListedPage, type SearchOptions } from './knowledge.js';
export { partsOf, sectionText } from './markdown-page.js';
export { projectSections } from './project-sections.js';
export type { Found } from './search-index.js';
export type { Section, SectionKind } from './section.js';
export { tokensOf } from './tokens.js';
export { wholeSectionOf, type WholeSection } from './whole-section.js';
