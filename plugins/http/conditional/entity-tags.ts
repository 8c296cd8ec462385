// Empty members of a list are to be ignored (RFC 9110, section 5.6.1.2).
const LISTED = /[\s,]*(W\/)?("[\x21\x23-\x7e\x80-\xff]*")\s*(?=,|$)/y;

/**
 * Whether an `If-None-Match` header names an ETag, by weak comparison (RFC 9110, section 13.1.2).
 *
 * @param header - `*`, or a list of entity tags; any other text matches nothing
 * @param tag - a quoted ETag, weak or strong
 */
export function matchesETag(header: string, tag: string): boolean {
  return listedTag(header, tag) !== undefined;
}

/** The member of an `If-None-Match` header that names an ETag, as sent; undefined when none does. */
export function listedTag(header: string, tag: string): string | undefined {
  if (header.trim() === '*') return tag;
  const opaque = tag.startsWith('W/') ? tag.slice(2) : tag;
  return find(header, (_weak, listed) => listed === opaque);
}

/** Whether an `If-Match` header names an ETag, by strong comparison, which a weak one never passes (RFC 9110, section 13.1.1). */
export function matchesStrongly(header: string, tag: string): boolean {
  if (header.trim() === '*') return true;
  return find(header, (weak, listed) => !weak && listed === tag) !== undefined;
}

function find(header: string, isMeant: (weak: boolean, opaque: string) => boolean): string | undefined {
  LISTED.lastIndex = 0;
  for (let member = LISTED.exec(header); member !== null; member = LISTED.exec(header)) {
    const [, weak = '', opaque = ''] = member;
    if (isMeant(weak !== '', opaque)) return weak + opaque;
  }
  return undefined;
}
