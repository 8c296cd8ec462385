/**
 * Draws the list of operations by tag.
 *
 * @returns `show(isShown, filtering)`, which hides what does not match and returns what does
 */
export function renderSidebar({ nav, groups, open, hrefOf, expanded }) {
  const drawn = [...groups].map(([tag, operations]) => drawGroup(tag, operations, { open, hrefOf, expanded }));
  const empty = element('p', 'fw-empty', 'No operation matches.');
  empty.hidden = true;
  nav.replaceChildren(...drawn.map(({ details }) => details), empty);
  return {
    show(isShown, filtering) {
      const all = [];
      for (const group of drawn) {
        const shown = group.show(isShown);
        all.push(...shown);
        group.details.hidden = shown.length === 0;
        group.details.open = filtering || expanded;
      }
      empty.hidden = all.length > 0;
      return all;
    },
  };
}

function drawGroup(tag, operations, { open, hrefOf, expanded }) {
  const details = element('details', 'fw-group');
  const number = element('span', 'fw-count', String(operations.length));
  const summary = element('summary', '', tag);
  summary.append(number);
  const list = element('ul');
  const items = operations.map((operation) => drawOperation(operation, open, hrefOf));
  list.append(...items.map(({ item }) => item));
  details.append(summary, list);
  details.open = expanded;
  return {
    details,
    show(isShown) {
      for (const { item, operation } of items) item.hidden = !isShown(operation);
      const shown = items.filter(({ item }) => !item.hidden).map(({ operation }) => operation);
      number.textContent = String(shown.length);
      return shown;
    },
  };
}

function drawOperation(operation, open, hrefOf) {
  const link = element('a', operation.deprecated ? 'fw-deprecated' : '');
  link.href = hrefOf(operation);
  link.title = `${operation.method.toUpperCase()} ${operation.path}`;
  link.append(
    element('span', `fw-method fw-${operation.method}`, operation.method === 'delete' ? 'del' : operation.method),
    element('span', 'fw-label', operation.summary || operation.path),
  );
  link.addEventListener('click', () => open(operation));
  const item = element('li');
  item.append(link);
  return { item, operation };
}

function element(name, className = '', text = '') {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  if (text !== '') made.textContent = text;
  return made;
}
