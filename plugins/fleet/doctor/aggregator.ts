import { activeProfile } from '../../../kernel/config/index.js';
import type { DoctorCheck, Finding } from '../../../kernel/index.js';
import { fwCommand } from '../../../kernel/invocation/index.js';
import { FLEET_FINDINGS } from './errors.js';
import { anySignal } from '../../../kernel/contracts/any-signal.js';

const ANSWER_MS = 5_000;

/** Checks that the configured aggregator answers. */
const aggregator: DoctorCheck = async ({ profile, config, signal }) => {
  // The check `configuration` reports errors of the configuration.
  const plugins = (await config().catch(() => undefined))?.config.plugins ?? [];
  const active = activeProfile(profile);
  const urls = plugins.flatMap(({ options, variants }) => {
    const variant = variants[active];
    const { enabled = true, aggregatorURL: url } = { ...options, ...(variant || {}) };
    return variant !== false && enabled === true && typeof url === 'string' && URL.canParse(url) ? [new URL(url)] : [];
  });
  return Promise.all(urls.map((url) => answers(url, signal)));
};

export default aggregator;

async function answers(url: URL, signal: AbortSignal): Promise<Finding> {
  // The origin only, because the URL may contain a password.
  const shown = url.origin;
  try {
    const limit = anySignal([signal, AbortSignal.timeout(ANSWER_MS)]);
    const { status, body } = await fetch(shown, { signal: limit, redirect: 'manual' });
    await body?.cancel();
    const details = { url: shown, status };
    return {
      severity: 'ok',
      code: FLEET_FINDINGS.FW_DOCTOR_AGGREGATOR.code,
      message: `the Fleet Aggregator at ${shown} answers`,
      details,
    };
  } catch (error) {
    const { cause, message } = error as Error & { readonly cause?: { readonly code?: string } };
    const reason = cause?.code ?? message;
    const text = `The Fleet Aggregator at ${shown} does not answer (${reason}); spans are dropped until it does.`;
    return {
      severity: 'warning',
      code: FLEET_FINDINGS.FW_DOCTOR_AGGREGATOR.code,
      message: text,
      command: fwCommand('start aggregator'),
    };
  }
}
