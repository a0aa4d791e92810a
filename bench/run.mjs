// npm run bench: which of the benches is wanted. See README.md.
const asked = (/** @type {string} */ name) => process.argv.includes(name);
await import(
  asked('--million')
    ? './million/run.mjs'
    : asked('--overload')
      ? './overload.mjs'
      : './overall.mjs'
);
