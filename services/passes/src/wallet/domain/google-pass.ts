import type { PassType } from '../../core/domain/template';
import type { Line, PassView } from './view';

/** Under what names a pass is issued, and where Google finds its pictures. */
export interface GoogleIssue {
  classId: string;
  objectId: string;
  issuerName: string;
  programName: string;
  /** Addresses that Google can fetch. */
  logoUrl: string;
  heroUrl: string | null;
  /** Told when a pass is saved or deleted; null where Google could not reach it. */
  callbackUrl: string | null;
  locale: string;
}

/** The two kinds of pass made for Google: loyalty cards, and generic passes for everything else. */
export type GoogleKind = 'loyalty' | 'generic';

export interface GooglePass {
  kind: GoogleKind;
  class: { id: string } & Record<string, unknown>;
  object: { id: string; classId: string } & Record<string, unknown>;
}

const GENERIC_TYPES: Record<Exclude<PassType, 'LOYALTY'>, string> = {
  GIFT_CARD: 'GENERIC_VOUCHER',
  EVENT_TICKET: 'GENERIC_ENTRY_TICKET',
  OFFER: 'GENERIC_VOUCHER',
  GENERIC: 'GENERIC_OTHER',
};
const BARCODES = { qr: 'QR_CODE', aztec: 'AZTEC', code128: 'CODE_128', pdf417: 'PDF_417' } as const;
const LOCATIONS_MAX = 20;

/** A pass as the Google Wallet API takes it: the class is the template's, the object the pass's own. */
export function toGooglePass(view: PassView, issue: GoogleIssue): GooglePass {
  return view.passType === 'LOYALTY' ? loyaltyPass(view, issue) : genericPass(view, issue);
}

function loyaltyPass(view: PassView, issue: GoogleIssue): GooglePass {
  return {
    kind: 'loyalty',
    class: {
      id: issue.classId,
      issuerName: issue.issuerName,
      programName: issue.programName,
      programLogo: image(issue.logoUrl, issue.programName),
      hexBackgroundColor: view.backgroundColor,
      reviewStatus: 'UNDER_REVIEW',
      ...callbackOf(issue),
    },
    object: {
      ...sharedObject(view, issue),
      ...(view.holderName === null ? {} : { accountName: view.holderName }),
      ...(view.top
        ? { loyaltyPoints: { label: view.top.label, balance: { string: view.top.value } } }
        : {}),
      textModulesData: textModules([...view.front, ...view.secondary, ...view.back.filter(isText)]),
    },
  };
}

function genericPass(view: PassView, issue: GoogleIssue): GooglePass {
  const { passType } = view;
  const [header, ...front] = view.front;
  const text = (value: string) => ({ defaultValue: { language: issue.locale, value } });
  const lines = [...(view.top ? [view.top] : []), ...front, ...view.secondary];
  return {
    kind: 'generic',
    class: { id: issue.classId, ...callbackOf(issue) },
    object: {
      ...sharedObject(view, issue),
      ...(passType === 'LOYALTY' ? {} : { genericType: GENERIC_TYPES[passType] }),
      cardTitle: text(view.logoText || issue.programName),
      header: text(header?.value || issue.programName),
      ...(header?.label ? { subheader: text(header.label) } : {}),
      logo: image(issue.logoUrl, issue.programName),
      hexBackgroundColor: view.backgroundColor,
      textModulesData: textModules([...lines, ...view.back.filter(isText)]),
    },
  };
}

function sharedObject(view: PassView, issue: GoogleIssue) {
  const links = view.back.filter((line) => !isText(line));
  return {
    id: issue.objectId,
    classId: issue.classId,
    state: 'ACTIVE',
    ...barcodeOf(view),
    ...(issue.heroUrl === null ? {} : { heroImage: image(issue.heroUrl, issue.programName) }),
    ...(view.locations.length === 0 ? {} : { locations: placesOf(view) }),
    ...linksOf(view, links),
  };
}

function barcodeOf({ barcode }: PassView) {
  if (!barcode) return {};
  const { type, value, label } = barcode;
  return {
    barcode: { type: BARCODES[type], value, ...(label ? { alternateText: label } : {}) },
  };
}

function placesOf({ locations }: PassView) {
  return locations
    .slice(0, LOCATIONS_MAX)
    .map(({ latitude, longitude }) => ({ latitude, longitude }));
}

function linksOf({ deeplink }: PassView, lines: readonly Line[]) {
  const uris = lines.map(({ key, label, url }) => ({ id: key, description: label, uri: url! }));
  if (deeplink.url !== null) uris.push({ id: 'app', description: 'App', uri: deeplink.url });
  return uris.length === 0 ? {} : { linksModuleData: { uris } };
}

/** Ids must be unique in the object, which lines of different lists need not be. */
function textModules(lines: readonly Line[]) {
  return lines.map(({ key, label, value }, position) => ({
    id: `${position}_${key}`.replace(/[^\w-]/g, '_'),
    header: label,
    body: value,
  }));
}

function isText({ url }: Line): boolean {
  return url === undefined;
}

function callbackOf({ callbackUrl }: GoogleIssue) {
  return callbackUrl === null ? {} : { callbackOptions: { url: callbackUrl } };
}

function image(uri: string, description: string) {
  return {
    sourceUri: { uri },
    contentDescription: { defaultValue: { language: 'en', value: description } },
  };
}
