/** Key of a request target: its path, its query with the names in order, and the encoding of the response. */
export function keyOfTarget(target: string, encoding: string): string {
  const query = target.indexOf('?');
  if (query < 0) return encoding === '' ? target : `${target}#${encoding}`;
  const parts = target.slice(query + 1).split('&');
  return `${target.slice(0, query)}?${parts.sort().join('&')}#${encoding}`;
}
