import { defineErrors, fwError } from 'fw';

const ERRORS = defineErrors('fw-plugin-greeting', {
  FW_GREETING_RUDE: {
    message: 'Nobody is called {name}. Give a name of letters.',
    status: 422,
    cause: 'The name in the path is not one.',
    remedy: 'Use letters only.',
  },
});

/** What route, tool and command have in common. */
export function greet(greeting, name) {
  if (!/^\p{L}+$/u.test(name)) throw fwError(ERRORS.FW_GREETING_RUDE, { name });
  return `${greeting}, ${name}!`;
}
