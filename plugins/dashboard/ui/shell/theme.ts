import { signal } from '@preact/signals';
import { boot } from '../boot.js';

/** What was chosen; `system` follows the machine. */
export type Theme = 'light' | 'dark' | 'system';

const COOKIE = 'fw_dash_theme';
const YEAR_SECONDS = 365 * 24 * 3600;

/** The chosen theme. The server reads the cookie too, so that the page never flashes in the other one. */
export const theme = signal<Theme>((document.documentElement.dataset['theme'] as Theme | undefined) ?? 'system');

/** Whether the page is dark right now; charts redraw when it changes. */
export const dark = signal(isDark());

const system = matchMedia('(prefers-color-scheme: dark)');
system.addEventListener('change', () => (dark.value = isDark()));

/** Chooses a theme and remembers it. */
export function chooseTheme(next: Theme): void {
  const root = document.documentElement;
  if (next === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = next;
  const maxAge = next === 'system' ? 0 : YEAR_SECONDS;
  document.cookie = `${COOKIE}=${next}; Path=${boot.basePath}; Max-Age=${maxAge}; SameSite=Strict`;
  theme.value = next;
  dark.value = isDark();
}

function isDark(): boolean {
  const chosen = document.documentElement.dataset['theme'];
  return chosen === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark';
}
