import { MIGRATIONS_FOLDER } from '../../../kernel/config/index.js';
import { type DialectFacts, driverPackage } from '../../../plugins/orm/registry/index.js';
import type { GeneratorContext } from '../engine/context.js';

type Files = Pick<GeneratorContext, 'read' | 'list'>;

/**
 * Sentences about variables and packages that app.config.ts no longer uses after a change of dialect. They stay, because other code may use
 * them.
 *
 * @param files - of the project
 * @param before - text of app.config.ts
 * @param after - the same, edited
 */
export async function leftBehind(
  files: Files,
  before: string,
  after: string,
  dialects: readonly DialectFacts[],
): Promise<readonly string[]> {
  const named = ({ name }: DialectFacts, text: string) => text.includes(`driver: '${name}'`);
  const left = dialects.filter((facts) => named(facts, before) && !named(facts, after));
  const image = (await files.read('Dockerfile')) ?? '';
  const unneeded = left.map((facts) => {
    const { variable } = facts.address;
    const isUnread = before.includes(`env.${variable}`) && !after.includes(`env.${variable}`);
    const parts = [
      ...(driverPackage(facts) ? [`${driverPackage(facts)?.package} in package.json`] : []),
      ...(isUnread ? [`${variable} in app/environment.ts`] : []),
      ...(isUnread && image.includes(`${variable}=`) ? [`${variable} in Dockerfile`] : []),
    ];
    return parts.length === 0 ? '' : `nothing of app.config.ts needs ${parts.join(', ')} any more`;
  });
  const written = (await files.list(MIGRATIONS_FOLDER)).some((file) => file.endsWith('.sql'));
  const foreign = written ? left.map(({ name }) => `${MIGRATIONS_FOLDER} has SQL of ${name}: ${ANEW}`) : [];
  return [...unneeded.filter((note) => note !== ''), ...foreign];
}

const ANEW = 'move it away, and let fw add migrations and npm run migrate:diff begin anew';
