import { fwError } from '../errors/index.js';
import { PLUGIN_ERRORS } from './errors.js';
import { frameworkVersion } from './framework-version.js';
import { semver } from './semver.js';

/**
 * Refuses a plugin that does not support the running release of the framework. Ranges are those of npm
 * (https://github.com/npm/node-semver#ranges), except that a prerelease counts as its release if the range also includes later ones:
 * `^0.1.0` covers 0.1.5-rc.1, and neither 0.2.0-rc.1 nor, as a 0.x release may break, 0.2.0.
 *
 * @param plugin - id, for the error
 * @param range - releases that the plugin supports; undefined for any
 * @throws FwError `FW_PLUGIN_FRAMEWORK`
 */
export function refuseOtherFramework(plugin: string, range: unknown, version = frameworkVersion()): void {
  if (!isFrameworkRange(range)) return;
  if (!coversFramework(range, version)) throw fwError(PLUGIN_ERRORS.FW_PLUGIN_FRAMEWORK, { plugin, range, version });
}

/** Whether a value is a range that excludes some releases and includes some. */
export function isFrameworkRange(range: unknown): range is string {
  if (typeof range !== 'string' || [null, '*'].includes(semver().validRange(range))) return false;
  return semver().minVersion(range) !== null;
}

/** Whether a range covers a release of the framework, by default the one that runs. */
export function coversFramework(range: string, version = frameworkVersion()): boolean {
  return semver().satisfies(version, range, { includePrerelease: true });
}
