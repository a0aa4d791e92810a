import type { passes as api } from '@laurel/rpc';
import sharp from 'sharp';
import { createHarness, type Harness } from '../../testing/harness';
import { render } from '../wallet/render';
import { deleteFile } from './delete-file';
import { storeFile } from './store-file';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

const PHOTO = '${custom_fields.photo}';
const keep = async (name: string) => {
  const { deps, workspaceId } = harness;
  const content = await sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  return (await storeFile(deps, { workspace_id: workspaceId, filename: name, content })).id;
};
/** Draws the card of a client as a wallet fetches it; what it shows as its cover. */
async function draw(client_id: string): Promise<string | null> {
  const { deps, workspaceId } = harness;
  const [pass] = await deps.passes.listOfClients(workspaceId, [client_id]);
  const template = await deps.templates.find(workspaceId, pass!.pass_template_id);
  return (await render(deps, template!, pass!)).coverImage;
}

/** The client of a card that shows a photo, and was drawn. */
async function drawnCard(template: api.Template, photo: string): Promise<string> {
  const client_id = harness.client({ custom_fields: { photo } });
  await harness.pass(template, { client_id });
  expect(await draw(client_id)).toBe(photo);
  return client_id;
}

/** As the clients service does it: the fields are emptied first, and the event comes afterwards. */
async function erase(clientId: string) {
  harness.peers.clients.set(clientId, { id: clientId, custom_fields: {} });
  await harness.deliver(harness.event('clients.anonymized', { client_id: clientId }));
}
const left = async () => {
  const { files } = await harness.deps.files.list(harness.workspaceId, { limit: 10 });
  return files.map(({ filename }) => filename).sort();
};

test('a picture that a card shows by a custom field goes with its client, and stays where others have it in the field, drawn or not', async () => {
  const template = await harness.template((await harness.project()).id, { cover_image: PHOTO });
  const [own, badge, drawn] = [await keep('own'), await keep('badge'), await keep('drawn')];
  const gone = [];
  for (const photo of [own, badge, drawn]) gone.push(await drawnCard(template, photo));
  harness.client({ custom_fields: { photo: badge } });
  await drawnCard(template, drawn);
  for (const clientId of gone) await erase(clientId);
  expect(await left()).toEqual(['badge', 'drawn']);
});

test('one that was fetched goes, with where it came from, however often the photo was changed', async () => {
  const template = await harness.template((await harness.project()).id, { cover_image: PHOTO });
  const { deps, workspaceId } = harness;
  const [first, second] = ['https://people.example/1.png', 'https://people.example/2.png'];
  for (const url of [first, second])
    await deps.files.noteFetched(workspaceId, url, await keep(url));
  const clientId = await drawnCard(template, first);
  harness.peers.clients.set(clientId, { id: clientId, custom_fields: { photo: second } });
  expect(await draw(clientId)).toBe(second);
  await erase(clientId);
  expect(await left()).toEqual([]);
  expect(await deps.files.fetchedFrom(workspaceId, first)).toBeNull();
  expect(await deps.connection.collection('drawn_pictures').countDocuments()).toBe(0);
});

test('that of a client who became part of another goes with the other', async () => {
  const template = await harness.template((await harness.project()).id, { cover_image: PHOTO });
  const [source, target] = [await drawnCard(template, await keep('own')), harness.client()];
  const merged = { source_client_id: source, target_client_id: target };
  harness.peers.clients.delete(source);
  await harness.deliver(harness.event('clients.merged', merged));
  await erase(target);
  expect(await left()).toEqual([]);
});

test('a file that a client has in such a field is in use', async () => {
  await harness.template((await harness.project()).id, { cover_image: PHOTO });
  const id = await keep('own');
  const holder = harness.client({ custom_fields: { photo: id } });
  const deletion = deleteFile(harness.deps, { workspace_id: harness.workspaceId, id });
  const used_by = [{ type: 'client', id: holder, name: holder }];
  await expect(deletion).rejects.toMatchObject({
    httpStatus: 409,
    problems: [{ extensions: { used_by } }],
  });
});
