/**
 * The public test kit: boot an application of just the plugins under test.
 * @packageDocumentation
 */
export { ANY_TOOL } from './any-tool.js';
export { bootTestApp, type BootedTestApp, type TestApp } from './boot-test-app.js';
export { routesUnderTest, sendRaw, servePlain, type PlainServer } from './http-app.js';
export { RecordingLogger, type RecordedLine } from './recording-logger.js';
