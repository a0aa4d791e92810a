import { type AppleIssue, toApplePass } from '../domain/wallet/apple-pass';
import type { CardFacts } from '../domain/wallet/facts';
import { type GoogleIssue, googleKindOf, toGooglePass } from '../domain/wallet/google-pass';
import { type PassView, type ShownPass, viewPass } from '../domain/wallet/view';
import { PASS_ID, sampleFacts, samplePass, sampleTemplate } from './samples';

export const appleIssue: AppleIssue = {
  passTypeIdentifier: 'pass.com.example',
  teamIdentifier: 'ABCDE12345',
  serialNumber: PASS_ID,
  authenticationToken: 'a-token-of-a-pass',
  webServiceUrl: 'https://example.com/apple',
};
export const googleIssue: GoogleIssue = {
  classId: '33.class',
  objectId: '33.object',
  issuerName: 'Bean & Leaf',
  programName: 'Loyalty card',
  classLogoUrl: 'https://example.com/logo.png',
  logoUrl: 'https://example.com/own-logo.png',
  appLabel: 'App',
  heroUrl: null,
  callbackUrl: 'https://example.com/google/v1/callbacks',
  locale: 'en',
  now: new Date('2026-01-01T00:00:00Z'),
};
export const fields = {
  top_field_label: 'Beans',
  top_field_value: '${wallet.points}',
  front_fields: [
    { id: '1', label: 'Member', value: '{{first_name}}' },
    { id: '2', label: 'City', value: '{{city}}' },
  ],
  secondary_fields: [{ id: '1', label: 'Tier', value: '${loyalty.tier}' }],
  show_loyalty_portal_link_on_back: true,
};
// biome-ignore lint/suspicious/noExplicitAny: tests look into documents whose shape they are about to check
export type AnyDocument = any;
type Changes = Parameters<typeof sampleTemplate>[0];
/** What a sample of a pass shows on a template that differs so from the plain one. */
export const view = (
  changes: Changes = {},
  shown: Partial<ShownPass> = {},
  facts: Partial<CardFacts> = {},
) =>
  viewPass(
    sampleTemplate({ ...fields, ...changes }),
    { ...samplePass, ...shown },
    sampleFacts(facts),
  );
export const apple = (...args: Parameters<typeof view>) =>
  toApplePass(view(...args), appleIssue) as unknown as AnyDocument;
export const google = (
  changes: Changes = {},
  shownBy: PassView = view(changes),
  issue: Partial<GoogleIssue> = {},
) => {
  const template = sampleTemplate({ ...fields, ...changes });
  const kind = googleKindOf(template);
  const issued = { template, kind, issue: { ...googleIssue, ...issue } };
  return toGooglePass(shownBy, issued) as unknown as AnyDocument;
};
