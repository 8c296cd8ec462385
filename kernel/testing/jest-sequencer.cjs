// Slow files first: one of them begun last would be waited for with nothing left to run beside it. What jest itself knows of
// earlier runs is not there in a fresh clone.
const Sequencer = require('@jest/test-sequencer').default;

/**
 * Files that take longest, in the order in which they are begun. The first of kernel/e2e makes the installation that the others
 * share (kernel/e2e/scenarios/installed-framework.ts): what follows it here does not wait for that.
 */
const SLOW_FIRST = [
  'kernel/e2e/scenarios/new-project.test.ts',
  'plugins/orm/dialect-postgres/postgres.test.ts',
  'kernel/e2e/scenarios/generated-resources.test.ts',
  'kernel/e2e/scenarios/databases.test.ts',
  'kernel/e2e/scenarios/third-party-dialect.test.ts',
  'kernel/e2e/scenarios/toolchain.test.ts',
  'kernel/e2e/scenarios/recipes.test.ts',
  'kernel/e2e/scenarios/upgrade.test.ts',
  'kernel/e2e/scenarios/tool-answers.test.ts',
  'kernel/e2e/scenarios/killed-commands.test.ts',
  'plugins/events/kafka/kafka-backend.test.ts',
  'kernel/e2e/scenarios/typescript-versions.test.ts',
  'plugins/orm/dialect-mysql/mysql.test.ts',
  'kernel/e2e/scenarios/third-party-plugin.test.ts',
  'plugins/fleet/contracts/hostile-documents.test.ts',
  'plugins/docs/docs-ui/docs-ui.test.ts',
  'kernel/fs/interrupted-writes.test.ts',
  'plugins/mcp/http/heap.test.ts',
];

const rankOf = ({ path }) => {
  const at = SLOW_FIRST.findIndex((file) => path.endsWith(`/${file}`));
  return at === -1 ? SLOW_FIRST.length : at;
};

module.exports = class SlowFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => rankOf(one) - rankOf(other));
  }
};
module.exports.SLOW_FIRST = SLOW_FIRST;
