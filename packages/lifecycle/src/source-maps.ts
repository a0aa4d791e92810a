import modules from 'node:module';

/** Of Node.js 22.14 and later. */
interface ByFolder {
  setSourceMapsSupport?(isOn: boolean): void;
}

/*
 * To be imported first by what is run as a process: stacks name lines of our sources for all that is loaded after it. Not
 * of packages, as `--enable-source-maps` does: Node keeps each map that it comes by, and most of them are theirs.
 */
const { setSourceMapsSupport = process.setSourceMapsEnabled } = modules as ByFolder;
setSourceMapsSupport(true);
