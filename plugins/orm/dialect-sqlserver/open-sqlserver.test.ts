import { serverUrlContract } from '../contract/server-url.contract.js';
import { openSqlServer } from './open-sqlserver.js';

serverUrlContract('sqlserver', openSqlServer, 'mssql://a@b/c');
