// Jest on Node 20 cannot require ESM-only packages, though Node itself can: turn just those into CommonJS.
const { createTransformer } = require('@swc/jest');
const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

const swc = createTransformer({
  swcrc: false,
  jsc: { target: 'es2023', parser: { syntax: 'ecmascript' } },
  module: { type: 'commonjs' },
});

const isModuleByFolder = new Map();
function isModuleFolder(folder) {
  if (isModuleByFolder.has(folder)) return isModuleByFolder.get(folder);
  const manifest = path.join(folder, 'package.json');
  const parent = path.dirname(folder);
  let isModule = false;
  if (fs.existsSync(manifest))
    isModule = JSON.parse(fs.readFileSync(manifest, 'utf8')).type === 'module';
  else if (parent !== folder) isModule = isModuleFolder(parent);
  isModuleByFolder.set(folder, isModule);
  return isModule;
}

const isModule = (file) =>
  file.endsWith('.mjs') || (file.endsWith('.js') && isModuleFolder(path.dirname(file)));

module.exports = {
  process: (source, file, options) =>
    isModule(file) ? swc.process(source, file, options) : { code: source },
  getCacheKey: (source, file, options) =>
    isModule(file)
      ? swc.getCacheKey(source, file, options)
      : crypto.createHash('sha256').update(source).digest('hex'),
};
