import { serverUrlContract } from '../contract/server-url.contract.js';
import { openMysql } from './open-mysql.js';

serverUrlContract('mysql', openMysql, 'mariadb://a@b/c');
