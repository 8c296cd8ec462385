/** Why a text is not an http or https address without credentials; undefined when it is one. */
export function urlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'it is not a URL';
  const { protocol, username, password } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') return `its scheme is ${protocol.slice(0, -1)}`;
  return username || password ? 'it holds a user name or a password' : undefined;
}
