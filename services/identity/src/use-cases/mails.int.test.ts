import type { clients, identity } from '@laurel/rpc';
import { type IdentityUnderTest, identityUnderTest, outcome } from '../testing/identity-under-test';
import { createMobileUser } from './create-mobile-user';
import { deleteWorkspace } from './delete-workspace';
import { getMailWriter } from './get-mail-writer';
import { invite } from './invite';
import { listMails } from './list-mails';
import { previewMail } from './preview-mail';
import { putMailWords, resetMailWords } from './put-mail-words';
import { putPortalConfig } from './put-portal-config';
import { removeWorkspaceData } from './remove-workspace-data';
import { requestPortalCode } from './request-portal-code';
import { sendPairingCode } from './send-pairing-code';
import { updateSettings } from './update-settings';

const CODE = { subject: 'Code for {{shop}}', text: 'Moin!\n\nIhr Code: {{code}}' };

describe('the mails of a shop', () => {
  let it: IdentityUnderTest;
  let owner: identity.User;
  let workspace: identity.Workspace;
  beforeAll(async () => {
    it = await identityUnderTest();
  });
  afterAll(() => it.stop());
  beforeEach(async () => {
    owner = await it.newUser();
    workspace = await it.newWorkspace(owner);
  });

  const put = (kind: string, words: identity.MailWords, language = 'en') =>
    putMailWords(it.deps, { workspace_id: workspace.id, mail: { kind, language }, words });
  const list = async (language?: string) => {
    const request = { workspace_id: workspace.id, ...(language ? { language } : {}) };
    return (await listMails(it.deps, request)).mails;
  };
  const invited = async (email: string) => {
    const wish = { workspace_id: workspace.id, email, role: 'member', inviter_id: owner.id };
    await invite(it.deps, wish);
    return (await it.sent()).find(({ to }) => to === email)!;
  };
  const settle = (changes: Partial<identity.UpdateSettingsRequest>) =>
    updateSettings(it.deps, { workspace_id: workspace.id, ...changes });

  test('have the platform’s words until a shop has its own, and have them again when it wants', async () => {
    const before = await list();
    expect(before.map(({ kind }) => kind)).toEqual([
      'invitation',
      'pairing_code',
      'portal_code',
      'pass',
      'confirmation',
    ]);
    expect(before.every(({ is_own }) => !is_own)).toBe(true);
    await put('portal_code', CODE);
    const own = (await list()).find(({ kind }) => kind === 'portal_code')!;
    expect(own).toMatchObject({ is_own: true, words: { ...CODE, button: null } });
    expect((await list('de')).some(({ is_own }) => is_own)).toBe(false);
    const mail = { kind: 'portal_code', language: 'en' };
    await resetMailWords(it.deps, { workspace_id: workspace.id, mail });
    await resetMailWords(it.deps, { workspace_id: workspace.id, mail });
    expect(await list()).toEqual(before);
  });

  test('leave with the words, the name and the answering address that the shop has by then', async () => {
    await settle({ reply_to: 'hello@corner.example' });
    await put('invitation', { subject: 'Join {{shop}}', text: '{{inviter}} asks.', button: 'Yes' });
    const { subject, text, html, fromName, replyTo } = await invited('kim@example.com');
    expect([subject, fromName, replyTo]).toEqual([
      'Join Coffee Corner',
      'Coffee Corner',
      'hello@corner.example',
    ]);
    expect(text).toContain(`${owner.email} asks.`);
    expect(html).toContain('>Yes</a>');
    await settle({ reply_to: null });
    expect(await invited('lee@example.com')).not.toHaveProperty('replyTo');
  });

  test('say codes in the shop’s words in mails, and in the platform’s in text messages', async () => {
    const own = { subject: 'App of {{shop}}', text: 'Moin! {{code}}' };
    await put('pairing_code', own);
    const [email, phone] = ['lisa@example.com', '+48501234567'];
    const user = await createMobileUser(it.deps, {
      workspace_id: workspace.id,
      email,
      phone,
    } as identity.CreateMobileUserRequest);
    await sendPairingCode(it.deps, {
      workspace_id: workspace.id,
      id: user.id,
      delivery_method: 'both',
    });
    const sent = await it.sent();
    const mail = sent.find(({ to }) => to === email)!;
    expect([mail.subject, mail.text]).toEqual([
      'App of Coffee Corner',
      expect.stringMatching(/^Moin! \d{6}\n/),
    ]);
    expect(sent.find(({ to }) => to === phone)!.text).toMatch(/^Your code to sign in/);
  });

  test('go by the language of the workspace, also the code of the portal', async () => {
    await settle({ default_locale: 'de-AT' });
    await put('portal_code', CODE, 'de');
    await putPortalConfig(it.deps, { workspace_id: workspace.id, is_enabled: true });
    const client = {
      id: workspace.id,
      workspace_id: workspace.id,
      status: 'active',
      email: 'ann@mail.example',
    };
    it.clients.set(client.id, client as clients.Client);
    await requestPortalCode(it.deps, {
      workspace_slug: workspace.slug,
      email: client.email,
      ip: '192.0.2.1',
    } as identity.PortalCodeRequest);
    const mail = (await it.sent()).find(({ to }) => to === client.email)!;
    expect(mail.text).toMatch(/^Moin!\n\nIhr Code: \d{6}\n/);
  });

  test('are shown as they would leave, with words that are not kept', async () => {
    await settle({ reply_to: 'hello@corner.example' });
    const mail = { kind: 'portal_code', language: 'de' };
    const about = { workspace_id: workspace.id, mail };
    const usual = await previewMail(it.deps, about);
    expect(usual.subject).toBe('Ihr Anmeldecode für Coffee Corner');
    const words = { subject: '<b>{{shop}}</b>', text: '<img src=x> {{code}}' };
    const shown = await previewMail(it.deps, { ...about, words });
    expect(shown).toMatchObject({
      subject: '<b>Coffee Corner</b>',
      from_name: 'Coffee Corner',
      reply_to: 'hello@corner.example',
    });
    expect(shown.html).toContain('&lt;img src=x&gt; 314159');
    expect(await previewMail(it.deps, about)).toEqual(usual);
  });

  test('are refused words that name what the mail does not know, at their field', async () => {
    const refused = put('pass', { subject: 'Hi {{code}}', text: 'Hi' });
    await expect(refused).rejects.toMatchObject({
      code: 'INVALID_PAYLOAD',
      message: expect.stringContaining(
        '{{code}}, which this mail does not know; it knows {{shop}}',
      ),
    });
    expect(await outcome(put('receipt', CODE))).toBe('RECORD_NOT_FOUND');
    expect((await list()).some(({ is_own }) => is_own)).toBe(false);
  });

  test('are known to services that send mails themselves', async () => {
    await put('pass', { subject: 'Card!', text: '{{greeting}}' });
    const ask = (kind: string) => getMailWriter(it.deps, { workspace_id: workspace.id, kind });
    expect(await ask('pass')).toMatchObject({
      language: 'en',
      brand: { name: 'Coffee Corner', reply_to: null },
      own: { subject: 'Card!', text: '{{greeting}}', button: null },
    });
    expect((await ask('confirmation')).own).toBeUndefined();
  });

  test('are their workspace’s alone, and go with it', async () => {
    await put('pass', { subject: 'Card!', text: 'Hi' });
    const mine = workspace;
    workspace = await it.newWorkspace(owner);
    expect((await list()).some(({ is_own }) => is_own)).toBe(false);
    const texts = () =>
      it.deps.connection.collection('mail_texts').countDocuments({ workspace_id: mine.id });
    expect(await texts()).toBe(1);
    const removing = { workspace_id: mine.id, user_id: owner.id, confirm_slug: mine.slug };
    await deleteWorkspace(it.deps, removing);
    await removeWorkspaceData(it.deps, mine.id);
    expect(await texts()).toBe(0);
  });
});
