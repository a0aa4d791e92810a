import type { PassType } from '@laurel/contract';
import { encodingOf } from '../pass/barcode';
import type { Line } from './line';
import type { PassView } from './view';
import { cardWordings } from './wordings';

/** Under what name a pass is issued, and how its phone reaches us. */
export interface AppleIssue {
  passTypeIdentifier: string;
  teamIdentifier: string;
  serialNumber: string;
  authenticationToken: string;
  webServiceUrl: string;
}

const STYLES: Record<PassType, string> = {
  LOYALTY: 'storeCard',
  GIFT_CARD: 'storeCard',
  EVENT_TICKET: 'eventTicket',
  OFFER: 'coupon',
  GENERIC: 'generic',
};
const BARCODES = {
  qr: 'PKBarcodeFormatQR',
  aztec: 'PKBarcodeFormatAztec',
  code128: 'PKBarcodeFormatCode128',
  pdf417: 'PKBarcodeFormatPDF417',
} as const;
/** Wallet reads so many places of a pass and no more. */
const LOCATIONS_MAX = 10;
/** Generic passes have no room for a picture across the front. */
const STYLES_WITH_STRIP: ReadonlySet<PassType> = new Set([
  'LOYALTY',
  'GIFT_CARD',
  'OFFER',
  'EVENT_TICKET',
]);

/** Whether the cover image of a pass stands behind its primary field on iPhones. */
export function hasStrip({ passType, coverImage }: PassView): boolean {
  return coverImage !== null && STYLES_WITH_STRIP.has(passType);
}

/**
 * A pass as pass.json of a .pkpass. The first front field stands large where no picture takes its place; the
 * notification is a line of the back whose change iPhones show on the lock screen.
 */
export function toApplePass(view: PassView, issue: AppleIssue): Record<string, unknown> {
  const primary = hasStrip(view) ? [] : view.front.slice(0, 1);
  const secondary = view.front.slice(primary.length);
  return {
    formatVersion: 1,
    passTypeIdentifier: issue.passTypeIdentifier,
    teamIdentifier: issue.teamIdentifier,
    serialNumber: issue.serialNumber,
    authenticationToken: issue.authenticationToken,
    webServiceURL: issue.webServiceUrl,
    organizationName: view.organizationName,
    description: view.description,
    ...(view.logoText ? { logoText: view.logoText } : {}),
    backgroundColor: rgb(view.backgroundColor),
    labelColor: rgb(view.labelColor),
    foregroundColor: rgb(view.valueColor),
    ...endOf(view),
    ...barcodesOf(view),
    ...placesOf(view),
    ...deeplinkOf(view),
    [STYLES[view.passType]]: {
      headerFields: fieldsOf('header', view.top ? [view.top] : []),
      primaryFields: fieldsOf('primary', primary),
      secondaryFields: fieldsOf('secondary', secondary),
      auxiliaryFields: fieldsOf('auxiliary', view.secondary),
      backFields: [...notificationOf(view), ...fieldsOf('back', view.back)],
    },
  };
}

/** Keys must be unique in the whole pass, which lines of different lists need not be. */
function fieldsOf(place: string, lines: readonly Line[]) {
  return lines.map(({ key, label, value, url }) => ({
    key: `${place}.${key}`,
    label,
    value,
    ...(url === undefined
      ? {}
      : { attributedValue: `<a href="${escaped(url)}">${escaped(url)}</a>` }),
  }));
}

/** Takes no place, and makes a text another one. So many times that no phone has the same one of before, however long it was off. */
const MARK = '\u200b';
const MARKS = 64;

/** A phone shows a line whose value changed: a text that comes again differs by marks that cannot be seen. */
function notificationOf({ notification, notificationRepeat: repeat, language }: PassView) {
  const label = cardWordings[language].news;
  const field = { key: 'notification', label, changeMessage: '%@' };
  return notification === null
    ? []
    : [{ ...field, value: notification + MARK.repeat(repeat % MARKS) }];
}

/** Wallet greys out what is voided or has expired. */
function endOf({ voided, expiresAt }: PassView) {
  return {
    ...(voided ? { voided: true } : {}),
    ...(expiresAt === null ? {} : { expirationDate: expiresAt.toISOString() }),
  };
}

function barcodesOf({ barcode }: PassView) {
  if (!barcode) return {};
  const { type, value, label } = barcode;
  const shown = {
    format: BARCODES[type],
    message: value,
    messageEncoding: encodingOf(value),
    ...(label ? { altText: label } : {}),
  };
  return { barcodes: [shown] };
}

function placesOf({ locations, locationMessage }: PassView) {
  if (locations.length === 0) return {};
  return {
    locations: locations.slice(0, LOCATIONS_MAX).map(({ latitude, longitude, altitude, name }) => {
      const text = locationMessage ?? name;
      return {
        latitude,
        longitude,
        ...(altitude === undefined ? {} : { altitude }),
        ...(text ? { relevantText: text } : {}),
      };
    }),
  };
}

function deeplinkOf({ deeplink: { appId, url } }: PassView) {
  if (appId === null) return {};
  return { associatedStoreIdentifiers: [appId], ...(url === null ? {} : { appLaunchURL: url }) };
}

function rgb(hex: string): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return `rgb(${parts.join(', ')})`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
