// Cards: project, template, passes, forms, and what phones load.
import { unzipSync } from 'fflate';
import { services } from '../../lib/built.mjs';

const { makeLocalApple, makeLocalGoogle } = services(
  'services/passes/dist/outside/credentials/make-local.js',
);
const PASS_TYPE = { passType: 'pass.com.example.roasted', team: 'ROASTED123' };

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** @param {string} workspaceId @param {string} name */
export function pictureFile(workspaceId, name) {
  const boundary = 'roasted-form-boundary';
  const content = Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="workspace_id"\r\n\r\n${workspaceId}\r\n--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: image/png\r\n\r\n`,
    ),
    PIXEL,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { content, type: `multipart/form-data; boundary=${boundary}` };
}

/** @param {import('./index.mjs').Story} story */
export async function designCard({ tell, rows, known }) {
  const project = (await tell('projects.create', { body: { name: 'Roasted', key: 'roasted' } }))
    .data;
  rows.project = project.id;
  const spare = (await tell('projects.create', { body: { name: 'Pop-up' } })).data;
  await tell('projects.list');
  await tell('projects.get', { id: rows.project });
  await tell('projects.update', { id: spare.id, body: { name: 'Pop-up at the harbour' } });
  await tell('projects.delete', { id: spare.id });
  rows.file = (
    await tell('files.upload', { file: pictureFile(known.workspaceId ?? '', 'logo.png') })
  ).data.id;
  const other = (
    await tell('files.upload', { file: pictureFile(known.workspaceId ?? '', 'old-logo.png') })
  ).data.id;
  await tell('files.list');
  const card = {
    name: 'Bean card',
    key: 'card',
    project_id: rows.project,
    background_color: '#3E2723',
    value_color: '#FFFFFF',
    barcode_type: 'qr',
    top_field_label: 'Beans',
    top_field_value: '${wallet:beans.points}',
    logo: rows.file,
  };
  rows.template = (await tell('passTemplates.create', { body: card })).data.id;
  await tell('passTemplates.list');
  await tell('passTemplates.get', { id: rows.template });
  await tell('passTemplates.update', {
    id: rows.template,
    body: { logo_text: 'Roasted', show_available_rewards_on_back: true },
  });
  const copy = (await tell('passTemplates.duplicate', { id: rows.template })).data.id;
  await tell('passTemplates.delete', { id: copy });
  const summer = (
    await tell('passTemplates.create', { body: { ...card, key: null, name: 'Summer card' } })
  ).data.id;
  await tell('passTemplates.migrateAndDelete', {
    templateId: summer,
    body: { target_template_id: rows.template },
  });
  await tell('projects.listTemplates', { id: rows.project });
  const draft = {
    name: 'Bean card',
    background_color: '#5D4037',
    top_field_label: 'Beans',
    top_field_value: '${wallet:beans.points}',
  };
  await tell('passTemplates.previewDraft', {
    body: { platform: 'apple', format: 'json', template: draft },
  });
  await tell('passTemplates.preview', {
    id: rows.template,
    query: { format: 'json', platform: 'apple' },
  });
  await tell('files.delete', { id: other });
}

/** @param {import('./index.mjs').Story} story */
export async function handOutCards({ tell, rows, known }) {
  const pass = { project_id: rows.project, pass_template_id: rows.template, client_id: rows.anna };
  const made = (await tell('passes.create', { body: pass })).data;
  rows.pass = made.id;
  rows.barcode = made.barcode_value;
  const [, , , signature] = new URL(made.apple_pass_url).pathname.split('/');
  known.signature = signature ?? '';
  const bens = (await tell('passes.create', { body: { ...pass, client_id: rows.ben } })).data.id;
  await tell('passes.list');
  await tell('passes.get', { id: rows.pass });
  await tell('passes.update', {
    id: rows.pass,
    body: { notification: 'Your table at the window is free.' },
  });
  await tell('passes.listForClient', { id: rows.anna });
  await tell('passes.count');
  await tell('passes.getWalletStatus');
  await tell('passes.getLoyaltyRenderData', { passId: rows.pass });
  await tell('passes.resend', { body: { pass_id: rows.pass } });
  await tell('passes.void', { id: bens, body: {} });
  await tell('passes.restore', { id: bens, body: {} });
  await tell('passes.refreshAll', { body: {} });
  await tell('projects.listPasses', { id: rows.project });
  await tell('projects.getStats', { id: rows.project });
}

/** @param {import('./index.mjs').Story} story */
export async function openForms({ tell, rows, people, mail, run }) {
  const form = {
    project_id: rows.project,
    pass_template_id: rows.template,
    name: 'At the counter',
    key: 'counter',
    delivery_mode: 'page',
    page_enabled: true,
    form_fields_config: [
      { name: 'email', label: 'E-mail', type: 'email', required: true },
      { name: 'first_name', label: 'First name', required: true },
    ],
  };
  rows.form = (await tell('distributions.create', { body: form })).data.id;
  const { token } = (await tell('distributions.rotateApiToken', { distributionId: rows.form }))
    .data;
  await tell('distributions.list');
  await tell('distributions.get', { id: rows.form });
  await tell('distributions.update', { id: rows.form, body: { submission_limit: 1000 } });
  const copy = (await tell('distributions.duplicate', { id: rows.form })).data.id;
  await tell('distributions.delete', { id: copy });
  await tell('distributions.listForProject', { id: rows.project });
  await tell('enrollment.getForm', { token });
  const finn = { email: `finn${run}@example.com`, first_name: 'Finn', marketing_consent: true };
  await tell('enrollment.submit', { body: { distribution_id: rows.form, ...finn } });
  const criteria = {
    enabled: true,
    completion_criteria: 'first_transaction',
    distribution_id: rows.form,
    pending_expiry_days: 60,
  };
  await tell('referrals.setProgram', { body: criteria });
  await tell('referrals.getProgram');
  const { data: referral } = await tell('referrals.getForClient', { clientId: rows.anna });
  const friends = ['gwen', 'hugh', 'iris'].map((name) => ({
    email: `${name}${run}@example.com`,
    first_name: `${name[0]?.toUpperCase()}${name.slice(1)}`,
    referral_code: referral.code,
  }));
  for (const body of friends) await tell('enrollment.submitEmbedded', { token, body });
  await tell('referrals.list');
  const { data: pending } = await tell('referrals.list', {
    query: { status: 'pending', limit: 10 },
  });
  await tell('referrals.complete', { referralId: pending[0].id });
  await tell('referrals.cancel', { referralId: pending[1].id });
  await tell('referrals.cancelPending');
  await tell('referrals.getStats');
  await tell('referrals.getAnalytics');
  // Somebody else sends Anna's address once more: she is asked whether it was she.
  await tell('enrollment.submit', {
    body: { distribution_id: rows.form, email: people.anna, first_name: 'Anna' },
  });
  const body = { token: await mail.tokenFor(people.anna, '', '/confirm') };
  await tell('enrollment.confirm', { body });
}

/** @param {import('./index.mjs').Story} story */
export async function fillPhones({ tell, send, rows, known }) {
  const { certificate, key, issuer } = await makeLocalApple(new Date(), PASS_TYPE);
  const apple = {
    pass_type_identifier: PASS_TYPE.passType,
    team_identifier: PASS_TYPE.team,
    certificate,
    key,
    wwdr_certificate: issuer,
  };
  await tell('walletCredentials.setApple', { body: apple });
  const { email: client_email, key: private_key } = await makeLocalGoogle();
  const service_account = { type: 'service_account', client_email, private_key };
  const google = { issuer_id: '3388000000022000000', service_account };
  await tell('walletCredentials.setGoogle', { body: google });
  await tell('walletCredentials.deleteGoogle');
  await tell('walletCredentials.deleteApple');
  const link = { passId: rows.pass, signature: known.signature };
  const bundle = await send('walletLinks.getApple', link);
  const held = JSON.parse(Buffer.from(unzipSync(bundle.bytes)['pass.json'] ?? []).toString());
  const phone = {
    device: 'annas-phone',
    passType: held.passTypeIdentifier,
    serialNumber: held.serialNumber,
  };
  const headers = { Authorization: `ApplePass ${held.authenticationToken}` };
  await tell('passKit.registerDevice', {
    ...phone,
    headers,
    body: { pushToken: '4f6e6c7920616e206578616d706c65' },
  });
  await tell('passKit.listSerialNumbers', phone);
  await tell('passKit.log', { body: { logs: ['Web service error: the pass could not be read'] } });
  await tell('passKit.unregisterDevice', { ...phone, headers });
}
