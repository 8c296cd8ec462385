import type { BootInfo } from '../wire/boot.js';
import { modulesOf } from './page-modules.js';
import type { UiManifest } from './ui-files.js';

/** Input of a page. */
interface PageFacts {
  readonly boot: BootInfo;
  readonly manifest: UiManifest;
  /** Chosen theme; undefined to follow the machine. */
  readonly theme: 'light' | 'dark' | undefined;
}

/**
 * The HTML document of the web UI: it shows content before any script is loaded, and has no inline script or style.
 *
 * @param path - the page that is asked for, below the mount and without its slash
 */
export function pageHtml({ boot, manifest, theme }: PageFacts, path: string): string {
  const asset = (name: string) => escapeHtml(`${boot.basePath}/assets/${name}`);
  return `${head(boot, manifest, theme, 'Dashboard')}
${modulesOf(manifest, boot, path).map(preload).join('\n')}
<script type="module" src="${asset(manifest.script)}"></script>
</head>
<body>
<div id="app" class="app">
<nav class="nav" aria-label="Pages"><a class="brand" href="${escapeHtml(boot.basePath)}">${escapeHtml(boot.app.name)}</a></nav>
<main class="main" aria-busy="true"><header class="page-header"><h1>Dashboard</h1></header>
<div class="skeleton-page"><div class="skeleton"></div><div class="skeleton"></div><div class="skeleton"></div><div class="skeleton skeleton-tall"></div></div>
<noscript><p>The dashboard needs JavaScript. The same data as JSON are below ${escapeHtml(boot.basePath)}/api/.</p></noscript>
</main>
</div>
<script type="application/json" id="fw-boot">${jsonForHtml(boot)}</script>
</body>
</html>
`;
}

/** Input of the login page. */
interface LoginFacts extends PageFacts {
  /** Page to go on to. */
  readonly next: string;
  /** Error of the last attempt. */
  readonly problem?: string;
}

/** The page that asks for user name and password. Its form works without the script too, which only saves a page load. */
export function loginHtml({ boot, manifest, theme, next, problem = '' }: LoginFacts): string {
  return `${head(boot, manifest, theme, 'Log in')}
<script type="module" src="${escapeHtml(`${boot.basePath}/assets/${manifest.login}`)}"></script>
</head>
<body class="login-body">
<main class="login">
<img class="login-mark" src="${escapeHtml(`${boot.basePath}/assets/${manifest.icon}`)}" width="40" height="40" alt="">
<h1>${escapeHtml(boot.app.name)}</h1>
<p class="page-subtitle">Log in to the dashboard</p>
<form id="login" class="login-form" method="post" action="${escapeHtml(boot.basePath)}/login">
<input type="hidden" name="next" value="${escapeHtml(next)}">
<label class="field"><span>User name</span><input name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus></label>
<label class="field"><span>Password</span><input name="password" type="password" autocomplete="current-password" required></label>
<p id="login-error" class="login-error" role="alert">${escapeHtml(problem)}</p>
<button class="button button-primary" type="submit">Log in</button>
</form>
</main>
</body>
</html>
`;
}

function preload(address: string): string {
  return `<link rel="modulepreload" href="${escapeHtml(address)}">`;
}

function head({ basePath, app }: BootInfo, manifest: UiManifest, theme: string | undefined, title: string): string {
  const asset = (name: string) => escapeHtml(`${basePath}/assets/${name}`);
  return `<!doctype html>
<html lang="en"${theme === undefined ? '' : ` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} · ${escapeHtml(app.name)}</title>
<link rel="icon" href="${asset(manifest.icon)}" type="image/svg+xml">
<link rel="stylesheet" href="${asset(manifest.style)}">`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

// Inside a script element only "<" can end it or open a comment (HTML standard, "Restrictions for contents of script elements").
function jsonForHtml(value: unknown): string {
  return JSON.stringify(value).replace(/</g, '\\u003c');
}
