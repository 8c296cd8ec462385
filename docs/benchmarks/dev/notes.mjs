const START =
  'Of the start of an application with 300 models, which takes 1.0 s of processor time, 40 % are the loading of its 600 modules by Node, 25 % the comparison of the tables with the models (`sync-dev`), and 15 % the loading of the framework. Each save starts the application anew.';

/**
 * What a profile found in the way of a goal that was missed.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const notes = {
  'answer/fw dev, a route among 300 models': START,
  'answer/fw dev, a model of 300': START,
};
