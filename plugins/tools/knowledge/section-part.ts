import { fwError } from '../../../kernel/index.js';
import type { WholeSection } from '../../../kernel/knowledge/index.js';
import { KNOWLEDGE_ERRORS } from './errors.js';

/** One part of a section of the documentation, for an answer. */
interface SectionPart {
  readonly text: string;
  readonly match: { readonly heading: string; readonly kind: string; readonly place: string; readonly excerpt: string };
  /** Whether further parts follow. */
  readonly more: boolean;
}

/** A part, from 1. @throws FwError FW_TOOLS_PART where the section has no such part */
export function partOf({ place, parts }: WholeSection, part: number): SectionPart {
  const excerpt = parts[part - 1];
  if (excerpt === undefined) throw fwError(KNOWLEDGE_ERRORS.FW_TOOLS_PART, { place, part, parts: parts.length });
  const more = part < parts.length;
  const heading = /^#+ (.+)/.exec(parts[0] ?? '')?.[1] ?? place;
  const kind = place.startsWith('docs/guides/') ? 'guide' : 'reference';
  const where = parts.length === 1 ? place : `${place}, part ${part} of ${parts.length}`;
  const next = more ? `\n\n… (go on with part ${part + 1})` : '';
  return { text: `(${where})\n\n${excerpt}${next}`, match: { heading, kind, place, excerpt }, more };
}
