// The plugin's page in the dashboard: a module for the browser, in plain JavaScript, that draws into the element it gets.

const COLUMNS = [
  ['name', 'Job'],
  ['schedule', 'Schedule'],
  ['created', 'Waiting'],
  ['retry', 'To be tried again'],
  ['active', 'Running'],
  ['completed', 'Done'],
  ['failed', 'Failed'],
];

/** @type {import('fw/dashboard').MountDashboardPage} */
export default function jobs(root, api) {
  root.innerHTML = `
    <section class="card">
      <header class="card-header"><h2>How they are doing</h2></header>
      <table class="table"><thead><tr></tr></thead><tbody></tbody></table>
    </section>
    <section class="card">
      <header class="card-header"><h2>What failed last</h2></header>
      <table class="table">
        <thead><tr><th>Job</th><th>Id</th><th>State</th><th>Tried again</th><th>Error</th></tr></thead><tbody></tbody>
      </table>
    </section>`;
  root.lastElementChild.style.marginBlockStart = 'var(--space-4)';
  const [queues, failures] = root.querySelectorAll('tbody');
  root.querySelector('thead tr').append(...COLUMNS.map(([, title]) => cell(title, 'th')));
  fill(queues, [], COLUMNS.length, 'waiting for the application');
  fill(failures, [], 5, '');

  // What is returned ends the page.
  return api.onLive('jobs', (now) => {
    fill(queues, now.queues.map((queue) => COLUMNS.map(([key]) => queue[key])), COLUMNS.length, 'no plugin contributes a job'); // prettier-ignore
    fill(failures, now.failures.map(({ name, id, state, retries, message }) => [name, id, state, retries, message ?? '']), 5, 'nothing'); // prettier-ignore
  });
}

const cell = (textContent, name = 'td', className = '') =>
  Object.assign(document.createElement(name), { textContent, className });

function fill(body, rows, columns, empty) {
  const lines = rows.map((row) => row.map((value) => cell(value)));
  if (lines.length === 0) lines.push([Object.assign(cell(empty, 'td', 'muted'), { colSpan: columns })]);
  body.replaceChildren(
    ...lines.map((cells) => {
      const line = document.createElement('tr');
      line.append(...cells);
      return line;
    }),
  );
}
