/**
 * The one path normaliser: a route pattern as OpenAPI and llms.txt show it. `:id` becomes `{id}`, `*rest` becomes `{rest}`, a
 * trailing slash goes (SPEC "HTTP endpoints", rule 2).
 */
export function pathTemplate(pattern: string): string {
  const text = pattern.length > 1 && pattern.endsWith('/') ? pattern.slice(0, -1) : pattern;
  return text
    .split('/')
    .map((segment) => {
      if (segment === '*') return '{wildcard}';
      return /^[:*][A-Za-z_]/.test(segment) ? `{${segment.slice(1)}}` : segment;
    })
    .join('/');
}

/** Names of the parameters of a template, in order. */
export function templateNames(template: string): readonly string[] {
  return [...template.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name as string);
}

/** A template with its names left out: two of one shape are the same path to OpenAPI (3.1.0, section 4.8.8.2). */
export function templateShape(template: string): string {
  return template.replace(/\{[^}]+\}/g, '{}');
}
