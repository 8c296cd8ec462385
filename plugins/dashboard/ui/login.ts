// The login page's script; the form comes from the server and works without the script.

const form = document.getElementById('login') as HTMLFormElement;
const problem = document.getElementById('login-error') as HTMLElement;
const button = form.querySelector('button') as HTMLButtonElement;

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void logIn();
});

async function logIn(): Promise<void> {
  problem.textContent = '';
  button.disabled = true;
  const { username, password, next } = Object.fromEntries(new FormData(form)) as Record<string, string>;
  try {
    const response = await fetch(form.action, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      credentials: 'same-origin',
      body: JSON.stringify({ username, password, next }),
    });
    const answer = (await response.json()) as { ok?: boolean; redirect?: string; error?: string };
    if (answer.ok && answer.redirect) return location.assign(answer.redirect);
    problem.textContent = answer.error ?? `The server answered ${response.status}.`;
  } catch {
    problem.textContent = 'The application does not answer. It may be restarting.';
  }
  button.disabled = false;
  (form.elements.namedItem('password') as HTMLInputElement).select();
}
