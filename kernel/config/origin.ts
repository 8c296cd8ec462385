import { Type } from 'typebox';

/** Pattern of an origin: scheme and host without a path (RFC 6454, section 7), or `null`. */
export const ORIGIN = '(null|[A-Za-z][A-Za-z0-9+.-]*://[^\\s/,?#]+)';

/**
 * Schema of an option that is the origin of a page, or `*` for any.
 * @param description - of the option; left out for the elements of a list
 */
export const OriginSchema = (description?: string) =>
  Type.String({ pattern: `^(\\*|${ORIGIN}/?)$`, ...(description !== undefined && { description }) });
