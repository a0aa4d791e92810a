import { till } from './till.mjs';

export default {
  async test() {
    console.log(JSON.stringify(await till()));
  },
};
