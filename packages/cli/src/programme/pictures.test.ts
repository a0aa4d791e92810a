import { createHash } from 'node:crypto';
import type { Laurel } from '@laurel/client';
import type { Body } from './body';
import type { Wanted } from './files';
import { createPictures } from './pictures';
import type { Texts } from './texts';

const BEAN = Buffer.from('a bean');
const FILE_ID = '0190f0f0-0000-7000-8000-000000000001';
const digest = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const card = (key: string, body: Body): Wanted => ({
  kind: 'pass_templates',
  key,
  body,
  file: 'cards.yaml',
});

/** A workspace that has the pictures of these digests, and notes what is uploaded to it. */
function platform(there: Record<string, string> = {}) {
  const uploads: { name: string; workspace: unknown; content: string }[] = [];
  const asked: string[] = [];
  const files = {
    list: async ({ sha256 }: { sha256: string }) => {
      asked.push(sha256);
      return { data: there[sha256] === undefined ? [] : [{ id: there[sha256] }] };
    },
    upload: async (body: FormData) => {
      const file = body.get('file') as File;
      const workspace = body.get('workspace_id');
      uploads.push({ name: file.name, workspace, content: await file.text() });
      return { id: FILE_ID };
    },
  };
  return { laurel: { files } as unknown as Laurel, uploads, asked };
}
const texts = (content: Buffer = BEAN): Texts =>
  new Map([['pictures/bean.png', content.toString('base64')]]);

test('a picture that the workspace has is known by its bytes, so that nothing differs and nothing is uploaded', async () => {
  const { laurel, uploads } = platform({ [digest(BEAN)]: FILE_ID });
  const pictures = createPictures(laurel, { workspace: 'w', texts: texts() });
  const [found] = await pictures.find([card('card', { logo: './pictures/bean.png' })]);
  expect(found!.body).toEqual({ logo: FILE_ID });
  expect(await pictures.put(found!.body)).toEqual({ logo: FILE_ID });
  expect(uploads).toEqual([]);
});

test('a picture that it has not is asked for and uploaded once, however many cards show it', async () => {
  const { laurel, uploads, asked } = platform();
  const pictures = createPictures(laurel, { workspace: 'w', texts: texts() });
  const found = await pictures.find([
    card('card', { name: 'Card', logo: './pictures/bean.png', icon: './pictures/./bean.png' }),
    card('other', { logo: './pictures/bean.png' }),
  ]);
  expect(asked).toEqual([digest(BEAN)]);
  const put = await Promise.all(found.map(({ body }) => pictures.put(body)));
  expect(put).toEqual([{ name: 'Card', logo: FILE_ID, icon: FILE_ID }, { logo: FILE_ID }]);
  expect(uploads).toEqual([{ name: 'bean.png', workspace: 'w', content: 'a bean' }]);
});

test('another picture under the same name is another plan', async () => {
  const { laurel } = platform();
  const wanted = [card('card', { logo: './pictures/bean.png' })];
  const planned = (content: Buffer) =>
    createPictures(laurel, { workspace: 'w', texts: texts(content) }).find(wanted);
  expect(await planned(BEAN)).not.toEqual(await planned(Buffer.from('another bean')));
});

test('a picture that is nowhere is refused with the file and the thing that name it', async () => {
  const { laurel } = platform();
  const pictures = createPictures(laurel, { workspace: 'w', texts: texts() });
  await expect(pictures.find([card('card', { icon: './pictures/been.png' })])).rejects.toThrow(
    'cards.yaml: pass_templates/card: there is no picture ./pictures/been.png',
  );
});

test.each(['../bean.png', 'bean.png', '/etc/bean.png'])(
  'a file that is named otherwise than from the folder is refused, and not taken for an address: %s',
  async (logo) => {
    const { laurel } = platform();
    const pictures = createPictures(laurel, { workspace: 'w', texts: texts() });
    await expect(pictures.find([card('card', { logo })])).rejects.toThrow('there is no picture');
    for (const kept of ['', 'https://shop.example/bean.png', '${custom_fields.picture}'])
      await expect(pictures.find([card('card', { logo: kept })])).resolves.toHaveLength(1);
  },
);

test('what only begins like a path is left alone where no picture is meant', async () => {
  const { laurel } = platform();
  const pictures = createPictures(laurel, { workspace: 'w', texts: texts() });
  const wanted = [card('card', { description: './not a picture', logo: FILE_ID })];
  expect(await pictures.find(wanted)).toEqual(wanted);
});
