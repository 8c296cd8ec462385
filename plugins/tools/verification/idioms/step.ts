import type { RunContext } from '../project.js';
import { type Step, stepOf } from '../step.js';

const MOST_FINDINGS = 100;

/** Conventions; only those of severity error fail a verification. */
export async function idiomsStep(root: string, context: RunContext): Promise<Step> {
  const from = performance.now();
  // Imported on demand, because it loads the compiler.
  const { checkIdioms } = await import('./check-idioms.js');
  const { findings, filesChecked } = await checkIdioms(root, context);
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const summary = `${filesChecked} file(s), ${errors} error(s), ${findings.length - errors} warning(s)`;
  return stepOf('idioms', errors > 0 ? 'failed' : 'passed', summary, {
    duration_ms: Math.round(performance.now() - from),
    findings: findings.slice(0, MOST_FINDINGS),
    ...(findings.length > MOST_FINDINGS && { total_findings: findings.length }),
  });
}
