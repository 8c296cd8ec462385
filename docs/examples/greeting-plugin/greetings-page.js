// The plugin's page in the dashboard: a module for the browser, in plain JavaScript, that draws into the element it gets.

/** @type {import('fw/dashboard').MountDashboardPage} */
export default function greetings(root, api) {
  root.innerHTML = `
    <form class="filters">
      <label class="search"><span class="visually-hidden">Whom to greet</span><input name="name" placeholder="Whom to greet" required></label>
      <button class="button button-primary">Greet</button>
    </form>
    <section class="card">
      <header class="card-header"><h2>Greetings, as they happen</h2></header>
      <ul class="card-body" aria-live="polite"></ul>
    </section>`;
  const list = root.querySelector('ul');
  const say = (textContent, className) =>
    list.prepend(Object.assign(document.createElement('li'), { textContent, className }));

  root.querySelector('form').addEventListener('submit', async (event) => {
    event.preventDefault();
    const name = encodeURIComponent(new FormData(event.target).get('name'));
    // What went well comes back over the live connection, like the greetings of everybody else.
    await api.fetchJson(`/greet/${name}`).catch((error) => say(error.message, 'bad'));
  });

  // What is returned ends the page.
  return api.onLive('greeting', ({ text }) => say(text, ''));
}
