import { existsSync } from 'node:fs';
import path from 'node:path';

const BROUGHT = path.resolve(__dirname, '../node_modules/node-20/bin/node');

/**
 * What our programs run on at a customer's who has the oldest Node.js that they say they need; where npm brought none for
 * this machine, that of the tests.
 */
export const oldestNode = existsSync(BROUGHT) ? BROUGHT : process.execPath;
