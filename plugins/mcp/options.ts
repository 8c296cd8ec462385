import { TOOL_CATEGORIES, withDefault } from '../../kernel/index.js';
import { Type } from 'typebox';

/** Options of plugin `mcp`; see `InProcessConfig` for the same in code. */
export const McpOptions = Type.Object({
  mode: Type.Union([Type.Literal('app-runtime'), Type.Literal('generator')], {
    description: 'required, there is no default: app-runtime for anything that is deployed',
  }),
  port: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    description: 'port of the control address, never that of the application; 0: any free one',
  }),
  host: withDefault(Type.String({ description: 'address to listen on' }), '127.0.0.1'),
  token: Type.Optional(
    Type.String({ description: 'bearer token; default FW_MCP_TOKEN, else generated and shown once', secret: true }),
  ),
  scope: Type.Optional(
    Type.Array(Type.Enum(TOOL_CATEGORIES), {
      minItems: 1,
      description: 'categories that the token reaches; default all that are served',
    }),
  ),
  allowedOrigins: withDefault(
    Type.Array(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9+.-]*://[^\\s/,?#*]+/?$' }), {
      description: 'origins of web pages that may connect, beside loopback',
    }),
    [],
  ),
  allowWorkspaceTools: withDefault(
    Type.Boolean({ description: 'restores the tools that need a source tree; development containers only' }),
    false,
  ),
  builtInTools: withDefault(
    Type.Boolean({ description: "serve the framework's tools beside those of the application's plugins" }),
    true,
  ),
});
