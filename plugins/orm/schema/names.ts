/** A name of at most so many letters. Databases cut long names, each at a place of its own; here a digest ends them. */
export function cutName(name: string, most: number): string {
  return name.length <= most ? name : `${name.slice(0, most - 9)}_${digest(name, 8)}`;
}

/** First letters of a text's SHA-256 in hexadecimal digits, of which there are 64. */
export function digest(text: string, letters: number): string {
  // Loaded with the first text: node:crypto is dear, and a program that makes no tables needs none of it.
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex').slice(0, letters);
}
