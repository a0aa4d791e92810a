import type { identity } from '@laurel/rpc';
import { data, del, get, member, post, put, type Route, versioned } from '../../routing';
import * as schema from './schema';

const tag = 'Mails';

const editor = () => member({ permission: 'manage_settings' });

/** What a workspace writes in the mails of its name (docs/adr/0032). */
export const mailRoutes: Route[] = [
  get(':ws/mails', {
    stack: member(),
    tag,
    summary:
      'List the mails that go out in the name of the workspace, with their words in one language',
    description:
      'Which mails there are, what each is sent for, and whether its words are the workspace’s own or the platform’s.',
    query: schema.listMails,
    reply: schema.mails,
    handle: async ({ rpc, workspaceId, query }) => {
      const request = { workspace_id: workspaceId, ...query };
      return data((await rpc.identity.ListMails(request)).mails.map(present));
    },
  }),
  get(':ws/mails/:kind/:language', {
    stack: member(),
    tag,
    summary: 'Read a mail with its words in one language',
    description: 'Subject, text and button, and the placeholders that the text may have.',
    params: schema.named,
    reply: schema.mail,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: mail }) =>
      versioned(await rpc.identity.GetMail({ workspace_id: workspaceId, mail }), present),
  }),
  put(':ws/mails/:kind/:language', {
    stack: editor(),
    tag,
    summary: 'Write a mail in words of your own',
    description:
      'The next mail has them. A placeholder that the mail does not know, and an address to go to, are refused: a mail has its buttons.',
    params: schema.named,
    body: schema.mailWords,
    reply: schema.mail,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: mail, body: words }) => {
      const request = { workspace_id: workspaceId, mail, words };
      return versioned(await rpc.identity.PutMailWords(request), present);
    },
  }),
  del(':ws/mails/:kind/:language', {
    stack: editor(),
    tag,
    summary: 'Give a mail the words of the platform back',
    description:
      'Your own words of this mail in this language go; the next mail has the platform’s.',
    params: schema.named,
    reply: schema.mail,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: mail }) =>
      versioned(await rpc.identity.ResetMailWords({ workspace_id: workspaceId, mail }), present),
  }),
  post(':ws/mails/:kind/:language/preview', {
    stack: member(),
    tag,
    summary: 'Show a mail as it would be sent, with samples in its placeholders',
    description: 'Nothing is sent and nothing is kept.',
    readOnly: true,
    params: schema.named,
    body: schema.previewMail,
    reply: schema.preview,
    handle: async ({ rpc, workspaceId, params: mail, body: { words } }) =>
      data(
        await rpc.identity.PreviewMail({
          workspace_id: workspaceId,
          mail,
          ...(words ? { words } : {}),
        }),
      ),
  }),
];

function present({ words, ...mail }: Omit<identity.ShopMail, 'etag'>) {
  return { ...mail, ...words };
}
