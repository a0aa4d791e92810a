/** @jest-environment jsdom */
import { EnrollmentError } from './api.ts';
import { createForm } from './form.ts';
import { createLanguage } from './language.ts';
import type { Form } from './shapes.ts';

/** What a visitor filled in is sent twice; the first time it is refused. @returns the two keys */
async function sentTwice(status: number): Promise<string[]> {
  const keys: string[] = [];
  let heard = () => {};
  const form = createForm({
    form: { form_fields_config: [], privacy_url: null, terms_url: null } as unknown as Form,
    door: {
      submit: async (_, key) => {
        keys.push(key);
        throw new EnrollmentError(status);
      },
    },
    language: createLanguage('en'),
    code: null,
    onEnrolled: () => undefined,
    onGone: () => undefined,
  });
  document.body.replaceChildren(form);
  for (const [name, value] of Object.entries({ first_name: 'Ada', email: 'ada@example.com' }))
    form.querySelector<HTMLInputElement>(`[name=${name}]`)!.value = value;
  const button = form.querySelector<HTMLButtonElement>('[type=submit]')!;
  new MutationObserver(() => {
    // A disabled one would lose the focus.
    expect(button.disabled).toBe(false);
    if (!button.hasAttribute('aria-disabled')) heard();
  }).observe(button, { attributes: true });
  for (const _time of ['first', 'second']) {
    const answered = new Promise<void>((resolve) => {
      heard = resolve;
    });
    form.requestSubmit();
    await answered;
  }
  return keys;
}

test('what was refused is sent again in earnest: its key would be answered as before, whatever the shop has mended', async () => {
  const [first, second] = await sentTwice(400);
  expect(second).not.toBe(first);
});

test('what may have been done is sent again under its key, so that no visitor is enrolled twice', async () => {
  const [first, second] = await sentTwice(503);
  expect(second).toBe(first);
});
