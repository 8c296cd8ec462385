/** The headings of the specification, in its order. A row of the manifest names one of them as its `section`. */
export const SPEC_SECTIONS: readonly string[] = [
  'What the service does',
  'Four addresses that must not be conflated',
  'Resources and fields',
  'MCP server kinds (`--mode`)',
  'Tool categories (`--scope`)',
  'Handshake object (fields reported)',
  'Refused-call result (tool result, not a JSON-RPC error)',
  'In-process configuration (`InProcessConfig`)',
  'Provisioning request `docker` object',
  'Middleware option structures',
  'Fleet tracer configuration (`TracerConfig`)',
  'Fleet aggregator configuration',
  'API reference configuration',
  'ORM values',
  'States and transitions',
  'Endpoints',
  'HTTP endpoints',
  'MCP server operations',
  'Middleware chain',
  'Fleet operations (library)',
  'API reference operations (library)',
  'ORM operations (library)',
  'Authentication',
  'Events',
  'Errors',
  'Limits',
  'Versioning',
];

/** Headings that only group others and state nothing themselves. */
export const GROUPING_SECTIONS: readonly string[] = ['Resources and fields', 'Endpoints'];
