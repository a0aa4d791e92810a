import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';

/** A file that bears its name once all of it is written; what was there before stays until then. */
export interface WholeFile {
  append(piece: Uint8Array): Promise<void>;
  /** Gives it its name. */
  finish(): Promise<void>;
  /** Nothing is left of what was begun. */
  giveUp(): Promise<void>;
}

const UNFINISHED = '.unfinished';

/** What is no file, such as a pipe, is written to as it is. */
export async function openWhole(name: string): Promise<WholeFile> {
  const there = await stat(name).catch(() => null);
  if (there && !there.isFile()) return asItIs(await open(name, 'w'));
  const place = there ? await realpath(name) : name;
  const beside = `${place}${UNFINISHED}`;
  const file = await open(beside, 'w', there?.mode);
  return {
    append: (piece) => file.appendFile(piece),
    async finish() {
      await file.close();
      await rename(beside, place);
    },
    async giveUp() {
      await file.close();
      await rm(beside, { force: true });
    },
  };
}

const asItIs = (file: FileHandle): WholeFile => ({
  append: (piece) => file.appendFile(piece),
  finish: () => file.close(),
  giveUp: () => file.close(),
});
