import type { Dispatcher } from 'undici';
import type { Images, PassDeps } from '../../deps';
import { fetchBytes } from '../../outside/images/fetch-image';
import { remembering } from '../wallet/remembered';
import { parseImageSource } from './image-source';
import { storeImage } from './store-file';
import { createWaits } from './waits';

/** An address that gave no picture is not asked again before; who draws a card would wait for it each time. */
const FAILED_MS = 60_000;
const FAILED_MAX = 1_000;

type ImageDeps = Pick<PassDeps, 'connection' | 'files' | 'clock' | 'publicUrl'>;

/** What an address gives is fetched once per workspace and kept as a file, until it is asked to be fetched anew. */
export function createImages(deps: ImageDeps, dispatcher: Dispatcher): Images {
  const { files, publicUrl } = deps;
  // What gave a picture is kept as a file.
  const fetches = remembering<string | null>({
    max: FAILED_MAX,
    keptMs: FAILED_MS,
    keeps: (fileId) => fileId === null,
  });
  const nameOf = (workspaceId: string, url: string) => `${workspaceId} ${url}`;
  const waits = createWaits();

  async function fileOf(workspaceId: string, raw: string): Promise<string | null> {
    const source = parseImageSource(raw);
    if (source.kind === 'uuid')
      return (await files.find(workspaceId, source.fileId)) ? source.fileId : null;
    if (source.kind !== 'url' || source.complaint !== null) return null;
    const { url } = source;
    const known = await files.fetchedFrom(workspaceId, url);
    if (known) return known;
    return waits.within(workspaceId, () =>
      fetches(nameOf(workspaceId, url), () => fetched(workspaceId, url)),
    );
  }

  async function fetched(workspaceId: string, url: string): Promise<string | null> {
    const content = await fetchBytes(url, dispatcher);
    if (!content) return null;
    const filename = new URL(url).pathname.split('/').at(-1) || 'image';
    const file = await storeImage(deps, { workspaceId, filename, content });
    if (!file) return null;
    await files.noteFetched(workspaceId, url, file.id);
    return file.id;
  }

  return {
    async idOf(workspaceId, raw) {
      const source = parseImageSource(raw);
      return source.kind === 'uuid' ? source.fileId : fileOf(workspaceId, raw);
    },

    async load(workspaceId, source) {
      const id = await fileOf(workspaceId, source);
      return id === null ? null : files.read(workspaceId, id);
    },

    async addressOf(workspaceId, source) {
      const id = await fileOf(workspaceId, source);
      return id === null ? null : `${publicUrl}/assets/${id}`;
    },

    async refresh(workspaceId, url) {
      await files.forgetFetched(workspaceId, url);
      fetches.forget(nameOf(workspaceId, url));
    },
  };
}
