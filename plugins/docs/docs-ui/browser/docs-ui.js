/* global SwaggerUIBundle */
import { nameControls, pageLayout } from './layout.js';
import { codeSamples } from './samples.js';
import { renderSidebar } from './sidebar.js';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const UNTAGGED = 'default';
/** Number of operations that are drawn at once without a noticeable wait. */
const FEW = 100;

/** The operations of a document by tag, in the document's order; an operation with two tags stands under both. */
function operationsByTag({ paths = {} }) {
  const groups = new Map();
  for (const [path, item] of Object.entries(paths)) {
    for (const method of METHODS.filter((each) => item[each])) {
      const { operationId, summary = '', deprecated = false, tags = [] } = item[method];
      for (const tag of tags.length > 0 ? tags : [UNTAGGED]) {
        const group = groups.get(tag) ?? [];
        group.push({ id: operationId, tag, method, path, summary, deprecated });
        groups.set(tag, group);
      }
    }
  }
  return groups;
}

function matches({ method, path, summary, tag }, words) {
  const text = `${method} ${path} ${summary} ${tag}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

const wordsOf = (phrase) => phrase.toLowerCase().split(/\s+/).filter(Boolean);

/** The viewer's own filter knows tags only; this one looks at method, path and summary as well. */
const operationFilter = () => ({
  fn: {
    opsFilter: (taggedOperations, phrase) => {
      const words = wordsOf(phrase);
      return taggedOperations
        .map((group, tag) =>
          group.set(
            'operations',
            group.get('operations').filter((each) =>
              matches(
                {
                  method: each.get('method'),
                  path: each.get('path'),
                  summary: each.getIn(['operation', 'summary']) ?? '',
                  tag,
                },
                words,
              ),
            ),
          ),
        )
        .filter((group) => group.get('operations').size > 0);
    },
  },
});

const noFilterBar = () => ({ wrapComponents: { FilterContainer: () => () => null } });

const slug = (text) => text.replace(/ /g, '_');

function elementOf({ tag, id }) {
  return document.getElementById(`operations-${slug(tag)}-${id}`);
}

function openOperation(ui, operation) {
  const { layoutActions } = ui.getSystem();
  layoutActions.show(['operations-tag', operation.tag], true);
  layoutActions.show(['operations', operation.tag, operation.id], true);
  requestAnimationFrame(() => elementOf(operation)?.scrollIntoView({ block: 'start' }));
}

/** The operation that the address names: `#/products/getProducts`. */
function operationInAddress(groups) {
  const [, tag, id] = window.location.hash.split('/').map(decodeURIComponent);
  return groups.get(tag)?.find((operation) => operation.id === id);
}

function debounced(wait, run) {
  let timer;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...args), wait);
  };
}

/** On a narrow screen the list of operations opens by a button, and shuts when one was chosen. */
function phoneMenu() {
  const button = window.document.querySelector('.fw-menu');
  const set = (isOpen) => {
    button.setAttribute('aria-expanded', String(isOpen));
    window.document.body.classList.toggle('fw-menu-open', isOpen);
  };
  button.addEventListener('click', () => set(button.getAttribute('aria-expanded') !== 'true'));
  window.addEventListener('keydown', ({ key }) => key === 'Escape' && set(false));
  return { close: () => set(false), open: () => set(true) };
}

async function start() {
  const { document: documentUrl } = window.document.body.dataset;
  const url = new URL(documentUrl, window.location.href).href;
  const response = await fetch(url, { credentials: 'same-origin' });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const spec = await response.json();
  const groups = operationsByTag(spec);
  const count = Object.keys(spec.paths ?? {}).length;

  const ui = SwaggerUIBundle({
    url,
    spec,
    domNode: window.document.getElementById('fw-reference'),
    plugins: [operationFilter, noFilterBar, pageLayout, codeSamples],
    layout: 'FwLayout',
    deepLinking: true,
    filter: true,
    // With many operations the groups start closed, and each is drawn when it is opened.
    docExpansion: count > FEW ? 'none' : 'list',
    defaultModelsExpandDepth: -1,
    defaultModelExpandDepth: 3,
    defaultModelRendering: 'model',
    displayRequestDuration: true,
    tryItOutEnabled: true,
    showExtensions: true,
    persistAuthorization: false,
    // No online validator, because the page makes no requests to other origins.
    validatorUrl: null,
    onComplete: () => window.document.body.classList.add('fw-ready'),
  });
  nameControls(window.document.getElementById('fw-reference'));
  // The viewer reads the address only once; the back button or a bookmark may lead to another operation later.
  window.addEventListener('hashchange', () => {
    const operation = operationInAddress(groups);
    if (operation) openOperation(ui, operation);
  });

  const menu = phoneMenu();
  const sidebar = renderSidebar({
    nav: window.document.querySelector('.fw-nav'),
    groups,
    open: (operation) => {
      menu.close();
      openOperation(ui, operation);
    },
    hrefOf: ({ tag, id }) => `#/${encodeURIComponent(tag)}/${encodeURIComponent(id)}`,
    expanded: count <= FEW,
  });
  const filter = window.document.querySelector('.fw-filter');
  const apply = debounced(120, (phrase) => {
    const words = wordsOf(phrase);
    const shown = sidebar.show((operation) => matches(operation, words), words.length > 0);
    const { layoutActions } = ui.getSystem();
    layoutActions.updateFilter(phrase.trim() || true);
    if (words.length === 0 || shown.length > FEW) return;
    for (const tag of new Set(shown.map((operation) => operation.tag)))
      layoutActions.show(['operations-tag', tag], true);
  });
  filter.addEventListener('input', () => apply(filter.value));
  filter.addEventListener('focus', () => menu.open());
  window.addEventListener('keydown', (event) => {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (event.key === '/' && !typing) {
      event.preventDefault();
      filter.focus();
    }
  });
  window.fwReference = ui;
}

start().catch((error) => {
  const message = window.document.createElement('div');
  message.className = 'fw-failure';
  message.setAttribute('role', 'alert');
  // A page has a heading, also one that shows nothing else.
  message.append(window.document.createElement('h1'), window.document.createElement('p'));
  message.firstChild.textContent = window.document.title;
  message.lastChild.textContent = `The reference cannot be shown: ${error.message}. Reload the page once the service answers.`;
  window.document.getElementById('fw-reference').replaceChildren(message);
});
