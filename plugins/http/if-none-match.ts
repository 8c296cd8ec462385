const ENTITY_TAG = /\s*(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")\s*(?:,|$)/y;

/**
 * Whether an `If-None-Match` header names an ETag, by weak comparison (RFC 9110, section 13.1.2).
 *
 * @param header - `*`, or a list of entity tags; what is neither matches nothing
 * @param tag - a quoted ETag, weak or strong
 */
export function matchesETag(header: string, tag: string): boolean {
  if (header.trim() === '*') return true;
  const opaque = tag.startsWith('W/') ? tag.slice(2) : tag;
  ENTITY_TAG.lastIndex = 0;
  for (let match = ENTITY_TAG.exec(header); match !== null; match = ENTITY_TAG.exec(header)) {
    if (match[1] === opaque) return true;
    if (ENTITY_TAG.lastIndex >= header.length) return false;
  }
  return false;
}
