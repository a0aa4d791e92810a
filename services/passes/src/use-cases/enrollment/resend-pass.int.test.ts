import type { Refusal } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import type { passes as api } from '@laurel/rpc';
import { underOneKey } from '@laurel/testing';
import { Harness } from '../../testing/enrollment-harness';
import { createPass } from '../pass/create-pass';
import { createProject } from '../project/create-project';
import { createTemplate } from '../template/create-template';
import { resendPass } from './resend-pass';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(() => harness.close());
// Half past the first hour of a day: counts go by the clock.
beforeEach(() => {
  const sinceMidnight = harness.clock.now().getTime() % DAY_MS;
  harness.clock.advanceMs(DAY_MS - sinceMidnight + HOUR_MS / 2);
});

const newEmail = () => `somebody-${newId()}@mail.example`;

/** Makes passes of a workspace of its own. */
async function newWorkspace() {
  const { deps } = harness;
  const workspace_id = newId();
  const { id: project_id } = await createProject(deps, { workspace_id, name: 'Coffee' });
  const fields = { name: 'Card' } as api.TemplateFields;
  const { template } = await createTemplate(deps, { workspace_id, project_id, fields });
  const about = { workspace_id, project_id, pass_template_id: template!.id };
  return (client_id?: string) => createPass(deps, { ...about, client_id });
}

/** What became of one mail: 'sent', or its refusal. */
const resend = (pass: api.Pass, wish: { email?: string; email_template?: string } = {}) =>
  resendPass(harness.deps, { workspace_id: pass.workspace_id, id: pass.id, ...wish }).then(
    () => 'sent',
    ({ code, message, retryAfterSeconds }: Refusal) => ({ code, message, retryAfterSeconds }),
  );
const sent = (results: unknown[]) => results.filter((result) => result === 'sent').length;
const mailsTo = async (email: string) =>
  (await harness.mails()).filter(({ to }) => to === email).length;

test('an address that a caller names gets five mails an hour, however many passes and workspaces they come from', async () => {
  const email = newEmail();
  const workspaces = [await newWorkspace(), await newWorkspace()];
  const passes = await Promise.all(
    workspaces.flatMap((newPass) => [newPass(), newPass(), newPass(), newPass()]),
  );
  const results = await Promise.all(passes.map((pass) => resend(pass, { email })));
  expect([sent(results), await mailsTo(email)]).toEqual([5, 5]);
  expect(await resend(passes[0]!, { email: email.toUpperCase() })).toMatchObject({
    code: 'RATE_LIMITED',
    message: 'one address is mailed 5 times an hour at most',
    retryAfterSeconds: HOUR_MS / 2_000,
  });
  expect(await resend(passes[0]!, { email: newEmail() })).toBe('sent');
  harness.clock.advanceMs(HOUR_MS / 2);
  expect(await resend(passes[0]!, { email })).toBe('sent');
});

test('a client gets the ten mails of a pass at once, and no more within the hour because of other passes', async () => {
  const email = newEmail();
  const [one, other] = [await newWorkspace(), await newWorkspace()];
  const pass = await one(harness.clients.add({ email }).id);
  const results = await Promise.all(Array.from({ length: 12 }, () => resend(pass)));
  expect(sent(results)).toBe(10);
  const again = await other(harness.clients.add({ email }).id);
  expect(await resend(again)).toMatchObject({
    code: 'RATE_LIMITED',
    message: 'one address is mailed 10 times an hour at most',
  });
  expect(await mailsTo(email)).toBe(10);
});

test('a workspace mails links three hundred times an hour, to whomever', async () => {
  const newPass = await newWorkspace();
  const results: unknown[] = [];
  for (let each = 0; each < 301; each += 10) {
    const pass = await newPass(harness.clients.add({ email: newEmail() }).id);
    for (let time = 0; time < 10; time += 1) results.push(await resend(pass));
  }
  expect(sent(results)).toBe(300);
  expect(results.at(-1)).toMatchObject({ message: 'links are mailed 300 times an hour at most' });
  const other = await newWorkspace();
  expect(await resend(await other(), { email: newEmail() })).toBe('sent');
});

test('the words of a workspace lead to no page but those of the platform', async () => {
  const email = newEmail();
  const newPass = await newWorkspace();
  const pass = await newPass(harness.clients.add({ email }).id);
  const email_template =
    '<a href="https://phish.example/login">log in</a><img src="https://phish.example/t.gif">';
  expect(await resend(pass, { email_template })).toBe('sent');
  const [mail] = (await harness.mails()).filter(({ to }) => to === email);
  expect(mail!.html).toContain('log in');
  expect(mail!.html).toContain(pass.apple_pass_url);
  expect(mail!.html).not.toContain('phish');
});

test('the repeat of a mail is answered as the first time, though what it speaks of is gone by then', async () => {
  const pass = await (await newWorkspace())();
  const { workspace_id, id } = pass;
  const { deps } = harness;
  const email = newEmail();
  const gone = { ...deps, passes: { ...deps.passes, find: async () => null } } as typeof deps;
  let on = deps;
  const mail = underOneKey(() => resendPass(on, { workspace_id, id, email }));
  const first = await mail();
  on = gone;
  expect(await mail()).toEqual(first);
  expect(await mailsTo(email)).toBe(1);
  await expect(resendPass(gone, { workspace_id, id, email })).rejects.toMatchObject({
    httpStatus: 404,
  });
});
