import { platform } from '@laurel/errors';
import type { Request } from 'express';
import { bare, del, get, noContent, open, post, type Route, withStatus } from '../../routing';
import { appleAnswer, PKPASS } from '../wallet-links/present';
import * as schema from './schema';

const tag = 'PassKit web service';
const AUTHORIZATION = /^ApplePass (\S+)$/;
/** Phones come in crowds from the same addresses, and bear a credential of their own. */
const phones = open('WALLET', {
  credential: (request) => request.get('authorization'),
  countsRefused: true,
});
const { device, passType, serialNumber } = schema.params;

/** What iPhones and watches ask for by themselves, as Apple defines it. `webServiceURL` of a pass is `<root>/apple`. */
export const passkitRoutes: Route[] = [
  post('!/apple/v1/devices/:device/registrations/:passType/:serialNumber', {
    stack: phones,
    tag,
    summary: 'Register a device for the changes of a pass: 201, or 200 where it is registered',
    description:
      'Authorization: ApplePass <authenticationToken of pass.json>; anything else is 401.',
    params: { device, passType, serialNumber },
    body: schema.registration,
    status: 201,
    alsoAnswers: { 200: 'empty' },
    empty: true,
    idempotent: false,
    handle: async ({ rpc, params, body, request }) => {
      const { created } = await rpc.passes.RegisterAppleDevice({
        device_id: params.device,
        pass_type: params.passType,
        serial_number: params.serialNumber,
        token: tokenOf(request),
        push_token: body.pushToken,
      });
      return withStatus({}, created ? 201 : 200);
    },
  }),
  del('!/apple/v1/devices/:device/registrations/:passType/:serialNumber', {
    stack: phones,
    tag,
    summary: 'End the registration of a device for a pass',
    description:
      'Called by an iPhone when the card is removed from it; after the last device `pass_lifecycle.pass_uninstalled` follows.',
    params: { device, passType, serialNumber },
    empty: true,
    handle: async ({ rpc, params, request }) => {
      await rpc.passes.UnregisterAppleDevice({
        device_id: params.device,
        pass_type: params.passType,
        serial_number: params.serialNumber,
        token: tokenOf(request),
      });
      return {};
    },
  }),
  get('!/apple/v1/devices/:device/registrations/:passType', {
    // Apple sends no credential here: whatever came along would be remembered as right.
    stack: open('WALLET'),
    tag,
    summary: 'List which passes of a device changed since a tag: 200, or 204 where none did',
    description:
      'Called by iPhones after a push, with the tag that the last answer gave. No program of yours calls it.',
    params: { device, passType },
    query: schema.changedSince,
    reply: schema.changed,
    alsoAnswers: { 204: 'empty' },
    wrapped: false,
    handle: async ({ rpc, params, query: { passesUpdatedSince } }) => {
      const { serial_numbers, last_updated } = await rpc.passes.ListChangedApplePasses({
        device_id: params.device,
        pass_type: params.passType,
        since: passesUpdatedSince || undefined,
      });
      if (serial_numbers.length === 0) return noContent();
      return bare({ serialNumbers: serial_numbers, lastUpdated: last_updated });
    },
  }),
  get('!/apple/v1/passes/:passType/:serialNumber', {
    stack: phones,
    tag,
    summary: 'Download the latest version of a pass: 200, or 304 where it did not change',
    description:
      'Called by iPhones after a push, with the token that the pass itself holds. A deleted pass is an empty, voided card for 30 days.',
    params: { passType, serialNumber },
    produces: [PKPASS],
    alsoAnswers: { 304: 'empty' },
    handle: async ({ rpc, params, request }) => {
      const pass = await rpc.passes.GetLatestApplePass({
        pass_type: params.passType,
        serial_number: params.serialNumber,
        token: tokenOf(request),
        if_modified_since: request.get('if-modified-since'),
      });
      return appleAnswer(pass);
    },
  }),
  post('!/apple/v1/log', {
    stack: open(),
    tag,
    summary: 'Take the complaints of a device',
    description:
      'Called by iPhones that could not read a pass; what they say goes to the log of the platform.',
    body: schema.log,
    empty: true,
    idempotent: false,
    readOnly: true,
    handle: async ({ rpc, body: { logs } }) => {
      await rpc.passes.LogAppleErrors({ messages: logs });
      return {};
    },
  }),
];

/** The credential of a pass, refused where it is missing as where it is wrong: Apple knows only 401. */
function tokenOf(request: Request): string {
  const token = AUTHORIZATION.exec(request.get('authorization') ?? '')?.[1];
  if (token === undefined) throw platform.invalidToken();
  return token;
}
