import type { ListenAddress } from '../net/index.js';
import type { AppConfig } from './define-app.js';
import type { Profile } from './profile.js';

/**
 * The addresses that the options of an application's plugins name, without port 0, which takes any that is free. No plugin is loaded, so that
 * their defaults are unknown.
 */
export function listenAddresses({ plugins }: Pick<AppConfig, 'plugins'>, profile: Profile): readonly ListenAddress[] {
  return plugins.flatMap(({ options, variants }) => {
    const variant = variants[profile];
    if (variant === false) return [];
    const { port, host = '127.0.0.1' } = { ...options, ...variant } as Readonly<Record<string, unknown>>;
    return typeof port === 'number' && port > 0 && typeof host === 'string' ? [{ port, host }] : [];
  });
}
