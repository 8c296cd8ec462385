import { createServer } from 'node:net';
import { activeProfile } from '../../config/index.js';
import type { DoctorCheck, Finding } from '../../contracts/doctor.js';
import { listenerOf } from '../listener-of.js';
import { DOCTOR_ERRORS } from '../errors.js';

/** Whether the ports that plugins are configured to listen on are free, and who has them if not. */
const ports: DoctorCheck = async ({ profile, config }) => {
  // The check `configuration` reports errors of the configuration.
  const loaded = await config().catch(() => undefined);
  const wanted = loaded === undefined ? [] : addressesIn(loaded.config.plugins, activeProfile(profile));
  return Promise.all(wanted.map(stateOf));
};

export default ports;

interface ListenAddress {
  readonly port: number;
  readonly host: string;
}

interface Entry {
  readonly options: Readonly<Record<string, unknown>>;
  readonly variants: Readonly<Partial<Record<string, Readonly<Record<string, unknown>> | false>>>;
}

function addressesIn(plugins: readonly Entry[], profile: string): readonly ListenAddress[] {
  return plugins.flatMap(({ options, variants }) => {
    const variant = variants[profile];
    if (variant === false) return [];
    const { port, host = '127.0.0.1' } = { ...options, ...variant };
    return typeof port === 'number' && port > 0 && typeof host === 'string' ? [{ port, host }] : [];
  });
}

async function stateOf({ port, host }: ListenAddress): Promise<Finding> {
  const code = await tryToListen(port, host);
  const details = { port, host };
  if (code === undefined)
    return { severity: 'ok', code: DOCTOR_ERRORS.FW_DOCTOR_PORT.code, message: `${host}:${port} is free`, details };
  if (code !== 'EADDRINUSE')
    return {
      severity: 'error',
      code: DOCTOR_ERRORS.FW_DOCTOR_PORT.code,
      message: `${host}:${port} cannot be listened on: ${code}`,
      details,
    };
  // The listener may be the application itself.
  const by = await listenerOf(port);
  const who = by === undefined ? 'another process' : `process ${by.pid} (${by.command})`;
  const message = `${host}:${port} is taken by ${who}; if that is not this application, end it or choose another port.`;
  return {
    severity: 'warning',
    code: DOCTOR_ERRORS.FW_DOCTOR_PORT_TAKEN.code,
    message,
    details: { ...details, ...by },
  };
}

function tryToListen(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => resolve(code ?? message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
