import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Logger } from '../../../kernel/index.js';
import { RecordingLogger } from '../../../kernel/testing/index.js';
import { ControlServer } from '../http/control-server.js';
import { testPlane } from './fixture-plane.js';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';
const text = (words: string) => ({ type: 'text' as const, text: words });
const image = { type: 'image' as const, data: PIXEL, mimeType: 'image/png' };
const resource = (uri: string, mimeType: string, words: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: words },
});

function fixtureServer(): McpServer {
  const server = new McpServer({ name: 'conformance-fixture', version: '1.0.0' }, { capabilities: { logging: {} } });
  const plain = (name: string, content: object[], isError = false) =>
    server.registerTool(name, { description: name }, () => ({ content, ...(isError && { isError }) }) as never);
  plain('test_simple_text', [text('This is a simple text response for testing.')]);
  plain('test_image_content', [image]);
  plain('test_audio_content', [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }]);
  plain('test_embedded_resource', [
    resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ]);
  plain('test_multiple_content_types', [
    text('Multiple content types test:'),
    image,
    resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ]);
  plain('test_error_handling', [text('This tool intentionally returns an error for testing')], true);
  server.registerTool('test_tool_with_logging', { description: 'logs' }, async (extra) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await extra.sendNotification({ method: 'notifications/message', params: { level: 'info', data } });
    }
    return { content: [text('Tool with logging executed successfully')] };
  });
  server.registerTool('test_tool_with_progress', { description: 'progress' }, async (extra) => {
    const progressToken = extra._meta?.progressToken ?? 0;
    for (const progress of [0, 50, 100]) {
      await extra.sendNotification({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100 },
      });
    }
    return { content: [text(String(progressToken))] };
  });
  server.registerTool('test_sampling', { description: 'samples' }, async () => {
    const answer = await server.server.createMessage({
      messages: [{ role: 'user', content: { type: 'text', text: 'Test prompt' } }],
      maxTokens: 100,
    });
    return { content: [text(`LLM response: ${JSON.stringify(answer.content)}`)] };
  });
  server.registerTool('test_elicitation', { description: 'asks' }, async () => {
    const answer = await server.server.elicitInput({
      message: 'Please provide your information',
      requestedSchema: {
        type: 'object',
        properties: { username: { type: 'string' }, email: { type: 'string' } },
        required: ['username', 'email'],
      },
    });
    return { content: [text(`User response: ${JSON.stringify(answer)}`)] };
  });
  return server;
}

/**
 * A server with the tools that the public conformance suite calls, behind fw's own HTTP code, listening on a free port.
 *
 * @param token - what each request has to carry
 * @param port - of the proxy that adds it, because the suite cannot
 */
export async function conformanceServer(token: string, port: number): Promise<ControlServer> {
  const control = new ControlServer({
    plane: testPlane([]),
    host: '127.0.0.1',
    port: 0,
    token,
    allowedOrigins: [`http://localhost:${port}`, `http://127.0.0.1:${port}`],
    log: new RecordingLogger() as Logger,
    connect: async (transport) => {
      const server = fixtureServer();
      await server.connect(transport);
      return server.server;
    },
  });
  await control.bind();
  control.serve();
  return control;
}
