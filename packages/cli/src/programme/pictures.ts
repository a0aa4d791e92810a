import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Laurel } from '@laurel/client';
import { TEMPLATE_IMAGES } from '@laurel/contract';
import { UsageError } from '../failures';
import { isId } from '../ids';
import type { Body } from './body';
import type { Wanted } from './files';
import type { Texts } from './texts';

const NOT_THERE = /^(.+)#([0-9a-f]{64})$/;
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
};

/** What a plan says of a picture that the workspace does not have. */
export const pictureInWords = (value: string): string =>
  NOT_THERE.test(value) ? `${value.replace(NOT_THERE, '$1')} (new)` : value;

/** The pictures of a programme in one workspace. */
export interface Pictures {
  /**
   * Wanted things with the id of each picture that the workspace has, by the digest of its bytes, and in place of one that
   * it has not its path and digest: another picture of the same name is another plan.
   */
  find(wanted: readonly Wanted[]): Promise<Wanted[]>;
  /** What is sent, with the ids of pictures; one that is not there yet is uploaded, once. */
  put(body: Body): Promise<Body>;
}

/** @param texts the pictures that files name, in base64 */
export function createPictures(
  laurel: Laurel,
  { workspace, texts }: { workspace: string; texts: Texts },
): Pictures {
  const ids = new Map<string, Promise<string>>();
  const known = new Map<string, Promise<string>>();
  const find = (said: string, where: string): Promise<string> => {
    const name = `./${path.posix.normalize(said)}`;
    const asked = known.get(name) ?? ask(name, where);
    known.set(name, asked);
    return asked;
  };
  const ask = async (name: string, where: string): Promise<string> => {
    const sha256 = sha256Of(contentOf(texts, name, where));
    const [there] = (await laurel.files.list({ sha256, limit: 1 })).data;
    return there?.id ?? `${name}#${sha256}`;
  };
  const put = (name: string, sha256: string): Promise<string> => {
    const id = ids.get(sha256) ?? upload(laurel, { workspace, name, texts });
    ids.set(sha256, id);
    return id;
  };
  return {
    find: async (wanted) => {
      const found: Wanted[] = [];
      for (const one of wanted) {
        const where = `${one.file}: ${one.kind}/${one.key}`;
        const body = await eachPicture(one.body, async (value) =>
          isPath(value) ? find(value, where) : value,
        );
        found.push({ ...one, body });
      }
      return found;
    },
    put: (body) =>
      eachPicture(body, async (value) => {
        const [, name, sha256] = NOT_THERE.exec(value) ?? [];
        return name === undefined || sha256 === undefined ? value : put(name, sha256);
      }),
  };
}

/** What is no id of a picture, no address and no placeholder can only be meant as a file, however its path is written. */
const isPath = (value: string): boolean =>
  value !== '' && !isId(value) && !/^([a-z][a-z\d+.-]+:|\$\{)/i.test(value);

function contentOf(texts: Texts, name: string, where: string): Buffer {
  const written = texts.get(path.posix.normalize(name));
  if (written === undefined)
    throw new UsageError(
      `${where}: there is no picture ${name}; it is named as ./<path> from the folder, and a PNG, JPEG, WebP or GIF`,
    );
  return Buffer.from(written, 'base64');
}

const sha256Of = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

async function upload(
  laurel: Laurel,
  { workspace, name, texts }: { workspace: string; name: string; texts: Texts },
): Promise<string> {
  const content = contentOf(texts, name, workspace);
  const body = new FormData();
  body.append('workspace_id', workspace);
  body.append('file', new Blob([new Uint8Array(content)]), path.posix.basename(name));
  return (await laurel.files.upload(body)).id;
}

/** Writes the pictures of pulled things beside their files, and names them there by their paths. */
export async function pullPictures(
  laurel: Laurel,
  wanted: readonly Wanted[],
  folder: string,
): Promise<Wanted[]> {
  const pulled: Wanted[] = [];
  const names = new Map<string, string>();
  for (const one of wanted) {
    const body = await eachPicture(one.body, async (id) => {
      if (!isId(id)) return id;
      const name = names.get(id) ?? (await pullPicture(laurel, id, folder));
      names.set(id, name);
      return name;
    });
    pulled.push({ ...one, body });
  }
  return pulled;
}

async function pullPicture(laurel: Laurel, id: string, folder: string): Promise<string> {
  const response = await laurel.files.download(id);
  const type = response.headers.get('content-type')?.split(';')[0] ?? '';
  const name = `pictures/${id}.${EXTENSIONS[type] ?? 'png'}`;
  mkdirSync(path.join(folder, 'pictures'), { recursive: true });
  writeFileSync(path.join(folder, name), Buffer.from(await response.arrayBuffer()));
  return `./${name}`;
}

/** Pictures stand at the top of what has them. */
async function eachPicture(body: Body, change: (value: string) => Promise<string>): Promise<Body> {
  const changed: Body = { ...body };
  for (const field of TEMPLATE_IMAGES) {
    const value = changed[field];
    if (typeof value === 'string') changed[field] = await change(value);
  }
  return changed;
}
