import { useEffect, useState } from 'preact/hooks';
import { fetchJson } from '../api/client.js';
import { boot } from '../boot.js';
import { Segments } from '../components/filters.js';
import { Icon } from '../components/icon.js';
import { Connection } from './connection.js';
import { pages } from './pages.js';
import { href, path } from './router.js';
import { chooseTheme, theme, type Theme } from './theme.js';

const GROUPS = ['Monitor', 'Develop', 'System', 'Plugins'] as const;

/** Links to every page, in groups, with what belongs to the whole dashboard below. */
export function Navigation({ current }: { readonly current: string | undefined }) {
  const [open, setOpen] = useState(false);
  // On a narrow screen the list lies over the page: a page that was chosen shuts it.
  useEffect(() => setOpen(false), [path.value]);
  return (
    <nav
      class={`nav${open ? ' nav-open' : ''}`}
      aria-label="Pages"
      onKeyDown={({ key }) => key === 'Escape' && setOpen(false)}
    >
      <div class="nav-top">
        <a class="brand" href={href('/')}>
          <span class="brand-mark" aria-hidden="true">
            <Icon name="overview" />
          </span>
          <span class="brand-name">{boot.app.name}</span>
          <span class="brand-profile">{boot.app.profile}</span>
        </a>
        <button
          type="button"
          class="icon-button nav-menu"
          aria-expanded={open}
          aria-controls="nav-list"
          aria-label={open ? 'Close the list of pages' : 'Open the list of pages'}
          onClick={() => setOpen(!open)}
        >
          <Icon name={open ? 'close' : 'menu'} size={20} />
        </button>
      </div>
      <div id="nav-list" class="nav-list">
        {GROUPS.map((group) => (
          <NavGroup key={group} group={group} current={current} />
        ))}
        <div class="nav-bottom">
          <Connection />
          <div class="nav-tools">
            <ThemeChoice />
            {boot.login && <Logout />}
          </div>
        </div>
      </div>
    </nav>
  );
}

function NavGroup({ group, current }: { readonly group: string; readonly current: string | undefined }) {
  const members = pages.filter((page) => page.group === group);
  if (members.length === 0) return null;
  return (
    <section class="nav-group">
      <h2>{group}</h2>
      <ul>
        {members.map(({ id, title, path: to, icon }) => (
          <li key={id}>
            <a href={href(to)} aria-current={id === current ? 'page' : undefined}>
              <Icon name={icon} />
              {title}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

const THEMES: readonly (readonly [Theme, string])[] = [
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['system', 'Auto'],
];

function ThemeChoice() {
  return <Segments label="Theme" value={theme.value} options={THEMES} onChange={chooseTheme} />;
}

function Logout() {
  const leave = async () => {
    const { redirect } = await fetchJson<{ redirect: string }>(`${boot.basePath}/logout`, { method: 'POST' });
    location.assign(redirect);
  };
  return (
    <button type="button" class="icon-button" aria-label="Log out" onClick={() => void leave()}>
      <Icon name="logout" />
    </button>
  );
}
