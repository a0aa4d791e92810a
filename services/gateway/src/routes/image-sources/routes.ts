import type { passes as api } from '@laurel/rpc';
import { bare, data, member, post, type Route } from '../../routing';
import * as schema from './schema';

const tag = 'Image sources';

/** Helpers for the image sources of templates (part 2, Image source helpers). */
export const imageSourceRoutes: Route[] = [
  post(':ws/image-source/preview', {
    stack: member(),
    tag,
    summary: 'Say what an image source names; nothing is downloaded',
    description:
      'A file id, an https address or a custom field: it says which it is and whether cards can use it. The picture itself is fetched when a card needs it.',
    readOnly: true,
    body: schema.previewImageSource,
    reply: schema.imageSourcePreview,
    handle: async ({ rpc, workspaceId, body: { raw } }) =>
      data(presentPreview(await rpc.passes.PreviewImageSource({ workspace_id: workspaceId, raw }))),
  }),
  post(':ws/image-source/refresh', {
    stack: member(),
    tag,
    summary: 'Let an image be fetched anew from its address',
    description:
      'Cards keep the picture of an address that they fetched once. After it changed there, this makes the next card fetch it again; for an address that was never fetched nothing happens.',
    body: schema.refreshImageSource,
    wrapped: false,
    reply: schema.refreshed,
    handle: async ({ rpc, workspaceId, body: { sourceUrl } }) => {
      await rpc.passes.RefreshImageSource({ workspace_id: workspaceId, source_url: sourceUrl });
      return bare({ success: true });
    },
  }),
];

function presentPreview({ preview_url, cached_file_id, ...preview }: api.ImageSourcePreview) {
  return { ...preview, previewUrl: preview_url ?? null, cachedFileId: cached_file_id ?? null };
}
