/** SHA-256 of some content, as 64 hexadecimal digits. */
export function digestOf(content: string | Uint8Array): string {
  // Loaded with the first content: node:crypto is dear, and much that imports this needs it seldom.
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(content).digest('hex');
}
