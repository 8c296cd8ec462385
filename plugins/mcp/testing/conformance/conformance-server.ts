import type { Logger } from '../../../../kernel/index.js';
import { RecordingLogger } from '../../../../kernel/testing/index.js';
import { ControlServer } from '../../http/control-server.js';
import { testPlane } from '../fixture-plane.js';
import { fixtureServer } from './fixture-server.js';

/**
 * A server for the public conformance suite, with fw's own HTTP code, on a free port.
 *
 * @param token - required in each request
 * @param port - of the proxy that adds the token, because the suite cannot
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
      return server;
    },
  });
  await control.bind();
  control.serve();
  return control;
}
