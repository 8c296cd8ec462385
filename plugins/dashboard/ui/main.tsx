import { render } from 'preact';
import './theme/index.css';
import { startLive } from './api/live.js';
import { App } from './shell/app.js';
import { startRouter } from './shell/router.js';

startRouter();
startLive();
const root = document.getElementById('app') as HTMLElement;
root.textContent = '';
render(<App />, root);
