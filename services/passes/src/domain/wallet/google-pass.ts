import type { PassType } from '@laurel/contract';
import { hasPlaceholder, type PassFacts, tidyText } from '../pass/placeholders';
import type { Template } from '../template/template';
import type { Line } from './line';
import { BACKGROUND, type PassView, TIER_KEY } from './view';

/** Under what names a pass is issued, and where Google finds its pictures. */
export interface GoogleIssue {
  /** Of the template, without what its kind adds. */
  classId: string;
  objectId: string;
  issuerName: string;
  programName: string;
  /** Addresses that Google can fetch: of the template, and of the pass where it has its own. */
  classLogoUrl: string;
  logoUrl: string;
  heroUrl: string | null;
  /** Hears when a pass is saved or deleted; null where Google could not reach it. */
  callbackUrl: string | null;
  locale: string;
  /** What the link to the app is called. */
  appLabel: string;
  now: Date;
}

/** Google's own kinds of pass; what fits none of them is generic. */
export const GOOGLE_KINDS = ['loyalty', 'eventTicket', 'offer', 'giftCard', 'generic'] as const;
export type GoogleKind = (typeof GOOGLE_KINDS)[number];

export interface GooglePass {
  kind: GoogleKind;
  class: { id: string } & Record<string, unknown>;
  object: { id: string; classId: string } & Record<string, unknown>;
}

const KINDS: Record<PassType, GoogleKind> = {
  LOYALTY: 'loyalty',
  EVENT_TICKET: 'eventTicket',
  OFFER: 'offer',
  GIFT_CARD: 'giftCard',
  GENERIC: 'generic',
};
const GENERIC_TYPES: Record<PassType, string> = {
  LOYALTY: 'GENERIC_LOYALTY_CARD',
  GIFT_CARD: 'GENERIC_VOUCHER',
  EVENT_TICKET: 'GENERIC_ENTRY_TICKET',
  OFFER: 'GENERIC_VOUCHER',
  GENERIC: 'GENERIC_OTHER',
};
const BARCODES = { qr: 'QR_CODE', aztec: 'AZTEC', code128: 'CODE_128', pdf417: 'PDF_417' } as const;
const LOCATIONS_MAX = 20;
/** What Google has room for between the head of a card and its barcode. */
const ROWS_MAX = 3;
const ITEMS_PER_ROW = 3;

const NOTHING: PassFacts = {
  passFields: {},
  identity: null,
  customFields: {},
  wallets: [],
  tier: null,
  referralCode: null,
};

/** What a template is called where all its passes have one name: its class, and the head of each text. */
export function nameAtGoogle({ name }: Pick<Template, 'name'>): string {
  return tidyText(name, NOTHING) || name;
}

/** The kind that a pass on the template is issued as. One that Google has stays what it is, whatever becomes of the template. */
export function googleKindOf({ pass_type }: Pick<Template, 'pass_type'>): GoogleKind {
  return KINDS[pass_type];
}

/**
 * A pass as the Google Wallet API takes it: the class is made of the template alone, because all its passes share it;
 * the object is the pass's own.
 */
export function toGooglePass(
  view: PassView,
  { template, kind, issue }: { template: Template; kind: GoogleKind; issue: GoogleIssue },
): GooglePass {
  const classId = classIdOf(kind, issue);
  return {
    kind,
    class: { id: classId, ...classOf(template, kind, issue) },
    object: { ...sharedObject(view, issue), classId, ...objectOf(view, kind, issue) },
  };
}

/** Ids are unique among all kinds; the first two kinds had no addition to theirs. */
function classIdOf(kind: GoogleKind, { classId }: GoogleIssue): string {
  return kind === 'loyalty' || kind === 'generic' ? classId : `${classId}-${kind}`;
}

function classOf(template: Template, kind: GoogleKind, issue: GoogleIssue) {
  const { issuerName, programName, classLogoUrl } = issue;
  const shared = { ...frontOf(template, kind), ...callbackOf(issue) };
  if (kind === 'generic') return shared;
  const logo = image(classLogoUrl, issue);
  const hexBackgroundColor = template.background_color ?? BACKGROUND;
  const issued = { issuerName, hexBackgroundColor, reviewStatus: 'UNDER_REVIEW', ...shared };
  switch (kind) {
    case 'loyalty':
      return { ...issued, programName, programLogo: logo };
    case 'eventTicket':
      return { ...issued, eventName: text(programName, issue), logo };
    case 'offer':
      return {
        ...issued,
        title: programName,
        provider: issuerName,
        redemptionChannel: 'BOTH',
        titleImage: logo,
      };
    case 'giftCard':
      return { ...issued, merchantName: issuerName, programLogo: logo };
  }
}

/** The lines of the front, by their places in the template: a class names them, each object fills them. */
function frontOf(template: Template, kind: GoogleKind) {
  const { front_fields: front, secondary_fields: secondary, tier_label: tier } = template;
  const hasTop = Boolean(template.top_field_label || template.top_field_value);
  const top = kind === 'loyalty' ? 'object.loyaltyPoints.balance' : pathOf('top');
  const first = [
    ...(hasTop ? [top] : []),
    ...front.map((_line, at) => pathOf(`front_${at}`)).slice(kind === 'generic' ? 1 : 0),
  ];
  const second = [
    ...(tier ? [pathOf('tier')] : []),
    ...secondary.map((_line, at) => pathOf(`secondary_${at}`)),
  ];
  const rows = [...rowsOf(first), ...rowsOf(second)].slice(0, ROWS_MAX);
  if (rows.length === 0) return {};
  return { classTemplateInfo: { cardTemplateOverride: { cardRowTemplateInfos: rows } } };
}

const pathOf = (id: string): string => `object.textModulesData['${id}']`;

function rowsOf(paths: readonly string[]): object[] {
  const rows: object[] = [];
  for (let at = 0; at < paths.length; at += ITEMS_PER_ROW)
    rows.push(rowOf(paths.slice(at, at + ITEMS_PER_ROW)));
  return rows;
}

function rowOf(paths: readonly string[]): object {
  const [start, middle, end] = paths.map((fieldPath) => ({
    firstValue: { fields: [{ fieldPath }] },
  }));
  if (!middle) return { oneItem: { item: start } };
  if (!end) return { twoItems: { startItem: start, endItem: middle } };
  return { threeItems: { startItem: start, middleItem: middle, endItem: end } };
}

function objectOf(view: PassView, kind: GoogleKind, issue: GoogleIssue) {
  const textModulesData = textModules(view, kind);
  const holder = view.holderName;
  switch (kind) {
    case 'loyalty':
      return {
        ...(holder === null ? {} : { accountName: holder }),
        ...(view.top
          ? { loyaltyPoints: { label: view.top.label, balance: { string: view.top.value } } }
          : {}),
        textModulesData,
      };
    case 'eventTicket':
      return { ...(holder === null ? {} : { ticketHolderName: holder }), textModulesData };
    case 'giftCard':
      // Google wants a number on every gift card; one without a barcode is known by its own id.
      return { cardNumber: view.barcode?.value ?? issue.objectId.split('.')[1], textModulesData };
    case 'offer':
      return { textModulesData };
    case 'generic':
      return { ...genericHead(view, issue), textModulesData };
  }
}

function genericHead(view: PassView, issue: GoogleIssue) {
  const [header] = view.front;
  return {
    genericType: GENERIC_TYPES[view.passType],
    cardTitle: text(view.logoText || issue.programName, issue),
    header: text(header?.value || issue.programName, issue),
    ...(header?.label ? { subheader: text(header.label, issue) } : {}),
    logo: image(issue.logoUrl, issue),
    hexBackgroundColor: view.backgroundColor,
  };
}

function sharedObject(view: PassView, issue: GoogleIssue) {
  return {
    id: issue.objectId,
    ...endOf(view, issue.now),
    ...barcodeOf(view),
    ...(issue.heroUrl === null ? {} : { heroImage: image(issue.heroUrl, issue) }),
    ...(view.locations.length === 0 ? {} : { locations: placesOf(view) }),
    ...linksOf(view, issue),
  };
}

/** Where the pass stands at Google, which also ends it by itself when its time is over. */
function endOf({ voided, expiresAt }: PassView, now: Date) {
  const isExpired = expiresAt !== null && expiresAt <= now;
  const state = isExpired ? 'EXPIRED' : voided ? 'INACTIVE' : 'ACTIVE';
  if (expiresAt === null) return { state };
  return { state, validTimeInterval: { end: { date: expiresAt.toISOString() } } };
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

/** Links of any other scheme than https open nothing on an Android phone, or worse. */
function linksOf({ deeplink, back }: PassView, { appLabel }: GoogleIssue) {
  const lines = back.filter((line) => !isText(line));
  const uris = lines.map(({ key, label, url }) => ({ id: key, description: label, uri: url! }));
  if (deeplink.url?.toLowerCase().startsWith('https:'))
    uris.push({ id: 'app', description: appLabel, uri: deeplink.url });
  return uris.length === 0 ? {} : { linksModuleData: { uris } };
}

/** All lines of text, the ones that the class puts on the front by the names that it knows them by. */
function textModules(view: PassView, kind: GoogleKind) {
  const tier = view.secondary.filter(({ key }) => key === TIER_KEY);
  const secondary = view.secondary.filter(({ key }) => key !== TIER_KEY);
  return [
    ...(view.top && kind !== 'loyalty' ? [named('top', view.top)] : []),
    ...view.front.map((line, at) => named(`front_${at}`, line)).slice(kind === 'generic' ? 1 : 0),
    ...tier.map((line) => named('tier', line)),
    ...secondary.map((line, at) => named(`secondary_${at}`, line)),
    ...view.back.filter(isText).map((line, at) => named(`back_${at}`, line)),
  ];
}

function named(id: string, { label, value }: Line) {
  return { id, header: label, body: value };
}

function isText({ url }: Line): boolean {
  return url === undefined;
}

function callbackOf({ callbackUrl }: GoogleIssue) {
  return callbackUrl === null ? {} : { callbackOptions: { url: callbackUrl } };
}

const text = (value: string, { locale }: GoogleIssue) => ({
  defaultValue: { language: locale, value },
});

function image(uri: string, issue: GoogleIssue) {
  return { sourceUri: { uri }, contentDescription: text(issue.programName, issue) };
}

/** The picture of a template that all its passes have in common; null where it is filled for each. */
export function sharedLogo({ logo, icon }: Pick<Template, 'logo' | 'icon'>): string | null {
  return [logo, icon].find((source) => source !== null && !hasPlaceholder(source)) ?? null;
}
