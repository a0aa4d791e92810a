import { till } from './till.mjs';

console.log(JSON.stringify(await till()));
