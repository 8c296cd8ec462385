/** The page around the operations. It replaces the viewer's own layout, which has a second main landmark and skips a heading level. */
const Layout = ({ React }) =>
  function FwLayout({ getComponent, specSelectors }) {
    const draw = React.createElement;
    const part = (name, withState = true) => draw(getComponent(name, withState));
    const Row = getComponent('Row');
    const Col = getComponent('Col');
    const hasServers = specSelectors.servers()?.size > 0;
    const hasSchemes = Boolean(specSelectors.securityDefinitions());
    const row = (className, child) => draw(Row, { className }, draw(Col, { mobile: 12, desktop: 12 }, child));
    return draw(
      'div',
      { className: 'swagger-ui' },
      draw(getComponent('SvgAssets')),
      part('errors'),
      row('information-container', part('InfoContainer')),
      hasServers || hasSchemes
        ? draw(
            'div',
            { className: 'scheme-container' },
            draw(
              Col,
              { className: 'schemes wrapper', mobile: 12 },
              draw('div', { className: 'schemes-server-container' }, hasServers ? part('ServersContainer') : null),
              hasSchemes ? part('AuthorizeBtnContainer') : null,
            ),
          )
        : null,
      row(undefined, draw('div', { id: 'operations' }, part('operations'))),
    );
  };

// Without a link: a link inside of the button that opens an operation cannot be reached by keyboard, and the list beside has one for each.
const PlainName = ({ React }) =>
  function FwName({ text }) {
    return React.createElement('span', null, text);
  };

/** Plugin of the viewer: `layout: 'FwLayout'`. */
export const pageLayout = (system) => ({
  components: { FwLayout: Layout(system), DeepLink: PlainName(system) },
});

/** Attributes for elements that the viewer leaves without a name or with a wrong level, by selector; set again after each drawing. */
const NAMES = [
  ['select#servers', 'aria-label', 'Server'],
  // Without a class: what stands there for a document without operations.
  ['h3.opblock-tag, h3:not([class])', 'aria-level', '2'],
  ['.opblock-section-header h4, .responses-inner h4, .responses-inner h5', 'aria-level', '3'],
  ['button.json-schema-2020-12-accordion', 'aria-label', 'Show or hide the members'],
  [
    '.parameters-col_description input:not([aria-label]), .parameters-col_description select:not([aria-label])',
    'aria-label',
    'Value',
  ],
  ['textarea.body-param__text', 'aria-label', 'Body'],
  ['.highlight-code pre, .microlight, pre.example', 'tabindex', '0'],
  ['.responses-table[role="region"]', 'aria-label', (table) => `Responses of ${operationOf(table)}`],
];

// Regions of several open operations are told apart by their names.
function operationOf(element) {
  const parts = element.closest('.opblock')?.querySelectorAll('.opblock-summary-method, .opblock-summary-path') ?? [];
  return [...parts].map(({ textContent }) => textContent.trim()).join(' ');
}

/** Gives accessible names to elements without one. */
export function nameControls(root) {
  const set = () => {
    for (const [selector, name, given] of NAMES) {
      for (const element of root.querySelectorAll(selector)) {
        const value = typeof given === 'function' ? given(element) : given;
        const hasName = name === 'aria-label' && element.tagName === 'BUTTON' && element.textContent.trim() !== '';
        if (!hasName && element.getAttribute(name) !== value) element.setAttribute(name, value);
      }
    }
  };
  new MutationObserver(set).observe(root, { childList: true, subtree: true });
  set();
}
