import { createServer } from 'node:net';
import { activeProfile, listenAddresses } from '../../config/index.js';
import type { ListenAddress } from '../../net/index.js';
import type { DoctorCheck, Finding } from '../../contracts/doctor.js';
import { listenerOf } from '../listener-of.js';
import { finding } from '../finding.js';

/** Whether the ports that plugins are configured to listen on are free, and who has them if not. */
const ports: DoctorCheck = async ({ profile, config }) => {
  // The check `configuration` reports errors of the configuration.
  const loaded = await config().catch(() => undefined);
  const wanted = loaded === undefined ? [] : listenAddresses(loaded.config, activeProfile(profile));
  return Promise.all(wanted.map(stateOf));
};

export default ports;

async function stateOf({ port, host }: ListenAddress): Promise<Finding> {
  const code = await tryToListen(port, host);
  const details = { port, host };
  if (code === undefined) return finding('ok', 'FW_DOCTOR_PORT', `${host}:${port} is free`, { details });
  if (code !== 'EADDRINUSE')
    return finding('error', 'FW_DOCTOR_PORT', `${host}:${port} cannot be listened on: ${code}`, { details });
  // The listener may be the application itself.
  const by = await listenerOf(port);
  const who = by === undefined ? 'another process' : `process ${by.pid} (${by.command})`;
  const message = `${host}:${port} is taken by ${who}; if that is not this application, end it or choose another port.`;
  return finding('warning', 'FW_DOCTOR_PORT_TAKEN', message, { details: { ...details, ...by } });
}

function tryToListen(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => resolve(code ?? message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
