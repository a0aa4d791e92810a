// npm run bench: which of the two benches is wanted. See README.md.
await import(process.argv.includes('--million') ? './million/run.mjs' : './overall.mjs');
