/**
 * esbuild plugin: leaves out pino's transports, which run in a worker thread and load half as much code as pino itself. The
 * framework's loggers write to a stream (kernel/log), so nothing can ask for a transport.
 */
export const withoutPinoTransports = {
  name: 'without-pino-transports',
  setup(build) {
    build.onLoad({ filter: /[\\/]pino[\\/]lib[\\/]transport\.js$/ }, () => ({
      contents:
        "module.exports = () => { throw new Error('fw bundles pino without transports: pass a destination.'); };",
    }));
  },
};
