// Jest's own environment keeps the globals of a test file behind a proxy, so that each `Math` and `Promise` of the code is a call:
// a loop over `Math.floor` takes forty times as long. Here they are plain ones, in a context of the file's own as before.
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/** Since Node.js 22.8. Older ones have the proxy: right, and slow. */
const PLAIN = vm.constants.DONT_CONTEXTIFY;

/** What test files leave for those after them in the same process: dear to make, and the same for all. */
const leftForFiles = new Map();

module.exports = class PlainGlobals extends TestEnvironment {
  /** @param {ConstructorParameters<typeof TestEnvironment>} given */
  constructor(...given) {
    const { createContext } = vm;
    // It offers no other way to choose the context, and makes it before anything can be asked of it.
    if (PLAIN) vm.createContext = () => createContext(PLAIN);
    try {
      super(...given);
    } finally {
      vm.createContext = createContext;
    }
    this.global.leftForFiles = leftForFiles;
  }
};
