import { createHash } from 'node:crypto';
import { currentContext } from '@laurel/lifecycle';
import { requireBoundTo } from '../../middleware/token-scope';
import { check } from '../../middleware/validate';
import {
  type Answer,
  data,
  del,
  file,
  get,
  type Input,
  member,
  message,
  open,
  post,
  type Route,
  user,
  withHeaders,
  withoutDeadline,
} from '../../routing';
import * as schema from './schema';
import { readUpload, type Upload } from './upload';

const tag = 'Files';
/** What stands behind an id never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Images of passes and pages (part 3, section 10). */
export const fileRoutes: Route[] = [
  post('/files', {
    stack: user(),
    tag,
    summary: 'Upload an image',
    description:
      'Multipart body with `workspace_id` and a part `file`: PNG, JPEG, WebP or GIF by content, at most 5 MiB. Metadata about place, camera and people is removed, and the picture is turned the right way up. With a part `purpose` (logo, icon, strip, reward) the answer says what will look poor.',
    admitsItself: true,
    rawBody: true,
    keyed: true,
    status: 201,
    reply: schema.storedPicture,
    // As long as the server itself gives a picture of five megabytes to come.
    handle: (input) => withoutDeadline(() => storePicture(input)),
  }),
  get(':ws/files', {
    stack: member(),
    tag,
    summary: 'List files, newest first; those that were fetched from addresses among them',
    description:
      'With size and address of each. sha256 finds a picture that is there already, before it is sent once more.',
    query: schema.listFiles,
    reply: schema.storedFiles,
    handle: async ({ rpc, workspaceId, query }) => {
      const page = await rpc.passes.ListFiles({ workspace_id: workspaceId, ...query });
      const files = page.files.map(({ file: row, date_created }) => ({ ...row, date_created }));
      return data(files, { limit: query.limit, next_cursor: page.next_cursor ?? null });
    },
  }),
  del(':ws/files/:id', {
    stack: member(),
    tag,
    summary: 'Delete a file and its picture',
    description:
      'Refused with 409 and used_by while a template, pass, client, reward, tier or the portal shows it.',
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      await rpc.passes.DeleteFile({ workspace_id: workspaceId, id });
      return message('the file is deleted');
    },
  }),
  get('!/assets/:id', {
    stack: open('ASSET'),
    tag,
    summary: 'Read an image, in another size where one is asked for',
    description:
      'With `fit` cover (the default) the image fills the size and is cut, with contain all of it is shown.',
    query: schema.readAsset,
    produces: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
    handle: async ({ rpc, params: { id }, query }) => {
      const { content, mime_type } = await rpc.passes.GetAsset({ id, ...query });
      const etag = `"${createHash('sha256').update(content).digest('base64url')}"`;
      return withHeaders(file(mime_type, content), { 'Cache-Control': FOR_EVER, ETag: etag });
    },
  }),
];

/** What a form says besides its file; other parts of it are not looked at. */
function fieldsOf({ workspace_id, purpose }: Record<string, string>) {
  const named = { workspace_id, ...(purpose ? { purpose } : {}) };
  return check(schema.upload, named, true) as schema.UploadFields;
}

async function storePicture(input: Input<string, unknown, unknown>): Promise<Answer> {
  const { rpc, request, caller, context, admitted, awaitPeer, stillAllowed, beginKey } = input;
  let workspaceId = '';
  const admit = async (fields: Upload['fields']) => {
    const { workspace_id } = fieldsOf(fields);
    await rpc.identity.ResolveMembership({ workspace_id, user_id: caller.userId ?? '' });
    requireBoundTo(caller, workspace_id);
    workspaceId = workspace_id;
  };
  // Before the file is read where its workspace is named before it; what is named again afterwards counts for nothing.
  const { fields, filename, content } = await awaitPeer(() =>
    readUpload(request, async (named) => {
      if (named.workspace_id !== undefined) await admit(named);
    }),
  );
  // Who was put out or signed out while the file came stores nothing any more.
  await stillAllowed();
  await admit(workspaceId === '' ? fields : { workspace_id: workspaceId });
  // Without a deadline the file is stored in a context of its own.
  for (const known of [context, currentContext()]) known.workspaceId = workspaceId;
  admitted.add(workspaceId);
  const { purpose } = fieldsOf({ ...fields, workspace_id: workspaceId });
  const sha256 = createHash('sha256').update(content).digest('hex');
  const earlier = await beginKey({ workspace_id: workspaceId, filename, sha256, purpose });
  if (earlier) return earlier;
  const upload = { workspace_id: workspaceId, filename, content, purpose };
  const { file: stored, warnings } = await rpc.passes.StorePicture(upload);
  return data({ ...stored!, warnings });
}
