export { BootRecorder, type BootReport, type BootReportEntry, type PluginState } from './boot-report.js';
export {
  Capabilities,
  CapabilityRegistry,
  type CategoryContents,
  type RegisteredPlugin,
  type RegisteredTool,
} from './capability-registry.js';
export {
  isToolCategory,
  PLUGIN_CATEGORIES,
  TOOL_CATEGORIES,
  type PluginCategory,
  type ToolCategory,
} from '../contracts/category.js';
export {
  definePlugin,
  isPlugin,
  type Plugin,
  type PluginManifest,
  type PluginOrder,
  type RegisterContext,
  type StartContext,
  type StopContext,
} from './define-plugin.js';
export { coversFramework, isFrameworkRange } from './framework-range.js';
export { frameworkFolder, frameworkVersion } from './framework-version.js';
export { refuseWrongManifest } from './manifest-problems.js';
export { dependenciesOf, orderPlugins, orderWhatCan, type UnplacedPlugin } from './ordering.js';
export { missingFramework, PACKING_LOG, toInstall } from './to-install.js';
