import { answers, newForm, submit } from './support/enrollment';
import { expectStatus, newMember, newWorkspace, uniqueEmail } from './support/factories';
import { mailTo } from './support/mails';
import { expectRefusal } from './support/referrals';

describe(':ws/mails', () => {
  test('says what each mail of a shop reads, and what may be put into it', async () => {
    const workspace = await newWorkspace({ default_locale: 'de-AT' });
    const { body } = expectStatus(await workspace.get(':ws/mails'), 200);
    expect(body.data.map(({ kind }: { kind: string }) => kind)).toEqual([
      'invitation',
      'pairing_code',
      'portal_code',
      'pass',
      'confirmation',
    ]);
    expect(body.data[2]).toEqual({
      kind: 'portal_code',
      language: 'de',
      subject: 'Ihr Anmeldecode für {{shop}}',
      text: expect.stringContaining('{{code}}'),
      button: null,
      default_words: {
        subject: 'Ihr Anmeldecode für {{shop}}',
        text: expect.stringContaining('{{code}}'),
        button: null,
      },
      is_own: false,
      date_updated: null,
      placeholders: [
        { name: 'shop', sample: 'Corner Coffee', is_required: false },
        { name: 'code', sample: '314159', is_required: true },
      ],
    });
    expectRefusal(await workspace.get(':ws/mails?language=it'), 400, 'INVALID_PAYLOAD');
  });

  test('lets a shop write its mails itself: the next one goes out so, with its answers to the shop', async () => {
    const workspace = await newWorkspace();
    const settings = { reply_to: 'hello@corner.example' };
    expectStatus(await workspace.patch(':ws/settings', settings), 200);
    const words = { subject: 'Welcome to {{shop}}!', text: '{{greeting}}\n\nyour <b>card</b>.' };
    expectStatus(await workspace.put(':ws/mails/pass/en', words), 200);
    const shown = expectStatus(await workspace.post(':ws/mails/pass/en/preview', {}), 200).body;
    const form = await newForm({ delivery_mode: 'email' }, workspace);
    const email = uniqueEmail();
    expectStatus(await submit(form, answers({ email, first_name: 'Ann' })), 200);
    const mail = await mailTo(email);
    for (const part of [
      'From: Coffee Corner <',
      'Reply-To: hello@corner.example\r\n',
      'Subject: Welcome to Coffee Corner!\r\n',
      'Hello Ann,\r\n\r\nyour <b>card</b>.\r\n',
      'your &lt;b&gt;card&lt;/b&gt;.',
      'This address was given for a card of Coffee Corner.',
    ])
      expect(mail).toContain(part);
    expect(shown.data).toMatchObject({
      subject: 'Welcome to Coffee Corner!',
      from_name: 'Coffee Corner',
      reply_to: 'hello@corner.example',
    });
    expectStatus(await workspace.del(':ws/mails/pass/en'), 200);
    const [, , , pass] = expectStatus(await workspace.get(':ws/mails'), 200).body.data;
    expect(pass).toMatchObject({ is_own: false, subject: 'Your {{shop}} pass' });
  });

  test('refuses words that would mislead: unknown placeholders, addresses, second headers', async () => {
    const workspace = await newWorkspace();
    const put = (changes: object, mail = 'portal_code/en') =>
      workspace.put(`:ws/mails/${mail}`, { subject: 'Hi', text: '{{code}}', ...changes });
    const refused = await put({ text: '{{code}} {{balance}}' });
    expectRefusal(refused, 400, 'INVALID_PAYLOAD');
    expect(refused.text).toContain('it knows {{shop}}, {{code}}');
    for (const changes of [
      { subject: 'Hi\r\nBcc: all@example.com' },
      { text: 'your code is safe with us' },
      { text: '{{code}} https://phish.example' },
      { subject: '' },
    ])
      expectRefusal(await put(changes), 400, 'INVALID_PAYLOAD');
    const reply_to = 'a@b.example\r\nBcc: all@example.com';
    expectRefusal(await workspace.patch(':ws/settings', { reply_to }), 400, 'INVALID_PAYLOAD');
    expect((await put({}, 'receipt/en')).status).toBe(400);
    const member = await newMember(workspace);
    expect(
      (await member.put(':ws/mails/portal_code/en', { subject: 'Hi', text: '{{code}}' })).status,
    ).toBe(403);
  });
});
