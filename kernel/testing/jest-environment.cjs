// Node's environment of jest, which ends with a test file what Node would keep of it.
const asyncHooks = require('node:async_hooks');
const { TestEnvironment } = require('jest-environment-node');

// Up to Node 22 every AsyncLocalStorage that was ever used is asked at each `await` of the process, until it is disabled
// (https://nodejs.org/docs/latest-v20.x/api/async_context.html#asynclocalstoragedisable). Each test file has some of its own,
// one of jest-circus among them: after a hundred files an `await` would take a hundred times as long.
const inUse = new Set();
asyncHooks.AsyncLocalStorage = class AsyncLocalStorage extends asyncHooks.AsyncLocalStorage {
  constructor(...args) {
    super(...args);
    inUse.add(this);
  }
};

module.exports = class extends TestEnvironment {
  async teardown() {
    for (const storage of inUse) storage.disable();
    inUse.clear();
    await super.teardown();
  }
};
