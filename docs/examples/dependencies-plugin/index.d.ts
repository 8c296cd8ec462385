import type { Plugin } from 'fw';

declare const plugin: Plugin<object>;
export default plugin;
