import { Joi } from '@laurel/config';
import {
  complaintAboutLevels,
  complaintAboutText,
  complaintAboutTexts,
  cut,
  invalidPayload,
  type Json,
  type JsonObject,
  problemOf,
} from '@laurel/errors';
import { momentNamed } from '@laurel/values/calendar';
import { Unreadable } from '../../../domain/read-event';
import { joinUrl, missingAccess } from '../base-url';
import { FetchFailed, type ImportPage, type ImportRange, type Imports } from '../provider';
import { posConfig } from './config';
import { ID_LENGTH_MAX, requireTransaction, toEvent } from './transaction';

const PAGE_SIZE = 200;
/** A till that heeds no `limit` may answer more than was asked for, but not whatever it likes: a page is read in one go. */
const PAGE_TRANSACTIONS_MAX = 1_000;
const PAGE_MIB_MAX = 8;
const TRANSACTION_KIB_MAX = 64;
const CURSOR_LENGTH_MAX = 2_000;
const COMPLAINT_LENGTH_MAX = 300;
/** Why a transaction is kept without what the till said of it. */
const UNKEPT = 'laurel:unkept';
/** Refusals that may end by themselves. */
const PASSING = new Set([408, 425, 429]);
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

const moment = Joi.string()
  .custom((text: string, helpers) => (isMoment(text) ? text : helpers.error('moment.invalid')))
  .messages({ 'moment.invalid': '{{#label}} must be an ISO 8601 date or timestamp' });
const rangeSchema = Joi.object<{ date_from: string; date_to: string; location_ids: number[] }>({
  date_from: moment.required(),
  date_to: moment.required(),
  location_ids: Joi.array().items(Joi.number().integer()).min(1).unique().required(),
});

const pageSchema = Joi.object<{
  data: JsonObject[];
  total?: number | null;
  next_cursor?: string | null;
}>({
  data: Joi.array().items(Joi.object().unknown(true)).required(),
  total: Joi.number().integer().min(0).allow(null),
  next_cursor: Joi.string().max(CURSOR_LENGTH_MAX).allow(null),
}).unknown(true);

/** Sales of the past, read back page by page (README.md). */
export const imports: Imports = {
  missing: missingAccess,
  range(parameters, config) {
    const range = requireForm(parameters);
    if (firstMoment(range.dateFrom) > lastMoment(range.dateTo))
      throw invalidPayload([{ field: 'date_to', message: 'date_to must not be before date_from' }]);
    const { location_ids: configured = [] } = posConfig(config);
    const unknown = range.locationIds.filter((id) => !configured.includes(id));
    if (unknown.length > 0) {
      const message = `location_ids must be among the configured locations; ${unknown.join(', ')} is not`;
      throw invalidPayload([{ field: 'location_ids', message }]);
    }
    return range;
  },
  async fetchPage(rest, account, { dateFrom, dateTo, locationIds, cursor }) {
    const query = new URLSearchParams({
      date_from: firstMoment(dateFrom),
      date_to: lastMoment(dateTo),
      location_ids: locationIds.join(','),
      limit: String(PAGE_SIZE),
      ...(cursor === null ? {} : { cursor }),
    });
    const url = `${joinUrl(posConfig(account.config).base_url!, 'transactions')}?${query}`;
    const { status, error, json, isTooLarge } = await rest({
      method: 'GET',
      url,
      apiKey: account.secrets.api_key,
      jsonBytesMax: PAGE_MIB_MAX * 1024 * 1024,
    });
    if (error !== null) throw new FetchFailed(error, isFinal(status));
    if (isTooLarge) throw new FetchFailed(`a page is larger than ${PAGE_MIB_MAX} MiB`, true);
    return readPage(json);
  },
  read(transaction, config) {
    const complaint = transaction[UNKEPT];
    if (typeof complaint === 'string')
      throw new Unreadable(`the transaction cannot be kept: ${complaint}`);
    return toEvent(requireTransaction(transaction), posConfig(config));
  },
};

function requireForm(parameters: Json): ImportRange {
  const { value, error } = rangeSchema.validate(parameters, {
    abortEarly: false,
    convert: false,
    errors: { wrap: { label: false } },
  });
  if (error) {
    throw invalidPayload(error.details.map((one) => problemOf(one)));
  }
  const { date_from: dateFrom, date_to: dateTo, location_ids: locationIds } = value;
  return { dateFrom: canonical(dateFrom), dateTo: canonical(dateTo), locationIds };
}

const isMoment = (text: string): boolean =>
  MOMENT.test(text) && !Number.isNaN(momentNamed(text).getTime());

/** A date stays a date; a moment is given in UTC. */
const canonical = (text: string): string =>
  DAY.test(text) ? text : momentNamed(text).toISOString();
const firstMoment = (text: string): string => (DAY.test(text) ? `${text}T00:00:00.000Z` : text);
const lastMoment = (text: string): string => (DAY.test(text) ? `${text}T23:59:59.999Z` : text);

const isFinal = (status: number | null): boolean =>
  status !== null && status >= 300 && status < 500 && !PASSING.has(status);

function readPage(json: Json | undefined): ImportPage {
  requireFewTransactions(json);
  const { value, error } = pageSchema.validate(json ?? null, {
    convert: false,
    errors: { wrap: { label: false } },
  });
  if (error) throw new FetchFailed(`the answer cannot be read: ${error.message}`, true);
  return {
    transactions: value.data.map((body) => {
      const { id, created_at: at } = body;
      if ((typeof id !== 'string' && typeof id !== 'number') || complaintAboutText(String(id)))
        throw new FetchFailed('the answer holds a transaction without an id', true);
      if (String(id).length > ID_LENGTH_MAX) {
        const complaint = `a transaction whose id has more than ${ID_LENGTH_MAX} characters`;
        throw new FetchFailed(`the answer holds ${complaint}`, true);
      }
      const moment = momentNamed(String(at));
      return {
        id: String(id),
        at: Number.isNaN(moment.getTime()) ? new Date(0) : moment,
        ...keepable(body, id),
      };
    }),
    total: value.total ?? null,
    nextCursor: value.next_cursor ?? null,
  };
}

/** Before anything is looked at: the look itself takes the time that is to be spared. */
function requireFewTransactions(json: Json | undefined): void {
  const { data } = (json ?? {}) as { data?: Json };
  if (!Array.isArray(data) || data.length <= PAGE_TRANSACTIONS_MAX) return;
  throw new FetchFailed(
    `a page holds more than ${PAGE_TRANSACTIONS_MAX} transactions, where ${PAGE_SIZE} were asked for`,
    true,
  );
}

/** What no store takes is an error of that transaction alone, which says so when its turn comes. */
function keepable(body: JsonObject, id: string | number): Kept {
  const complaint = complaintAboutLevels(body) ?? complaintAboutMembers(body);
  if (complaint !== null) return unkept(id, complaint);
  const whole = measured(body);
  if (fits(whole)) return whole;
  // A sale counts however long its receipt is.
  const { items: _receipt, ...rest } = body;
  const short = measured(rest);
  return fits(short) ? short : unkept(id, `it is larger than ${TRANSACTION_KIB_MAX} KiB`);
}

type Kept = Pick<ImportPage['transactions'][number], 'body' | 'bytes'>;

const measured = (body: JsonObject): Kept => ({
  body,
  bytes: Buffer.byteLength(JSON.stringify(body)),
});
const fits = ({ bytes }: Kept): boolean => bytes <= TRANSACTION_KIB_MAX * 1024;
/** The complaint may hold a key that is itself what no store takes. */
const unkept = (id: string | number, complaint: string): Kept =>
  measured({ id, [UNKEPT]: cut(complaintAboutText(complaint) ?? complaint, COMPLAINT_LENGTH_MAX) });

function complaintAboutMembers(body: JsonObject): string | null {
  const found = complaintAboutTexts(body);
  return found && `${found.path} ${found.complaint}`;
}
