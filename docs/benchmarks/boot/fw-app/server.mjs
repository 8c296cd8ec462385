import { bootApp, HttpServer } from 'fw';
import config from './app.config.mjs';

const app = await bootApp(config);
console.log(`listening on ${app.services.get(HttpServer).url}`);
