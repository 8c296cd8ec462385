import { embedded, image, text } from './contents.js';

type Given = Readonly<Record<string, string>>;

/** A prompt of the fixture: names of its arguments, and the contents of its messages. */
export interface FixturePrompt {
  readonly arguments: readonly string[];
  contents(given: Given): readonly object[];
}

/** The prompts that the public conformance suite asks for by name. */
export const FIXTURE_PROMPTS: Readonly<Record<string, FixturePrompt>> = {
  test_simple_prompt: { arguments: [], contents: () => [text('This is a simple prompt for testing.')] },
  test_prompt_with_arguments: {
    arguments: ['arg1', 'arg2'],
    contents: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    arguments: ['resourceUri'],
    contents: ({ resourceUri = '' }) => [
      embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
      text('Please process the embedded resource above.'),
    ],
  },
  test_prompt_with_image: { arguments: [], contents: () => [image, text('Please analyze the image above.')] },
};
