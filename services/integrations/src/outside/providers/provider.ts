import type { Joi } from '@laurel/config';
import type { Json, JsonObject, Problem } from '@laurel/errors';
import type { GuardOptions } from '@laurel/outbound';
import type { clients } from '@laurel/rpc';
import type { ReadEvent } from '../../domain/read-event';
import type { Rest, RestAnswer } from '../rest';

/** How one workspace uses a provider: its configuration, and its secrets in the clear. */
export interface Account {
  config: JsonObject;
  secrets: Readonly<Record<string, string>>;
}

/** What a prerequisite may look at: which secrets are set, never their values. */
export interface Setup {
  config: JsonObject;
  secretKeys: ReadonlySet<string>;
}

/** Something that arrived in an inbox. */
export interface Arrival {
  body: Json;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
}

/** Receiving: what arrives in the inbox becomes events. */
export interface Inbound {
  /** What is missing before it may be switched on, as a sentence; null when nothing is. */
  missing(setup: Setup): string | null;
  /** Why what arrives has to wait for now; null when it can be read. */
  waitsFor(config: JsonObject): string | null;
  /** Whether the sender is who it should be, by the bytes it sent; the token in the path is checked already. */
  isGenuine(
    account: Account,
    arrival: { body: Buffer; headers: Arrival['headers']; now: Date },
  ): boolean;
  /** The event it tells of, or null when it is none of ours. Throws Unreadable. */
  read(arrival: Arrival, config: JsonObject): ReadEvent | null;
  /** Called when the address of the inbox is new and known; a sentence when that went wrong. */
  announce?(rest: Rest, account: Account, ingestUrl: string): Promise<string | null>;
}

/** A client as an outside system hears of it. */
export interface Customer {
  client: clients.Client;
  /** The id that the outside system has for the client; null when it has none that we know. */
  externalId: string | null;
  tierId: string | null;
}

export interface Told extends RestAnswer {
  /** The id that the outside system gave the client. */
  externalId?: string;
}

/** Sending: clients are kept up to date elsewhere. */
export interface Outbound {
  missing(setup: Setup): string | null;
  /** Only ids of the outside system are known there: a client without one cannot be removed, an erased one with it is. */
  needsExternalId: boolean;
  /** Whether the client's tier is part of what is sent. */
  tellsTier(config: JsonObject): boolean;
  /** What is sent of a client, other than where. */
  describe(customer: Customer, config: JsonObject): JsonObject;
  upsertCustomer(rest: Rest, account: Account, customer: Customer): Promise<Told>;
  deleteCustomer(
    rest: Rest,
    account: Account,
    ids: { clientId: string; externalId: string | null },
  ): Promise<RestAnswer>;
}

export interface ImportRange {
  dateFrom: string;
  dateTo: string;
  locationIds: number[];
}

/** One page of what is to be imported. */
export interface ImportPage {
  /** As the provider sent them, under the provider's ids; `bytes` is the size of a body as JSON. */
  transactions: { id: string; at: Date; body: JsonObject; bytes: number }[];
  /** How many there are in the whole range; null when the provider does not say. */
  total: number | null;
  nextCursor: string | null;
}

/** Reading back what happened before. */
export interface Imports {
  missing(setup: Setup): string | null;
  /** What the caller asks for; every problem under its own name. */
  range(parameters: Json, config: JsonObject): ImportRange;
  /** Throws FetchFailed. */
  fetchPage(
    rest: Rest,
    account: Account,
    request: ImportRange & { cursor: string | null },
  ): Promise<ImportPage>;
  /** As `Inbound.read`. */
  read(transaction: JsonObject, config: JsonObject): ReadEvent | null;
}

export interface ConnectionReport {
  ok: boolean;
  status: number | null;
  error?: string;
  note?: string;
  locations?: { id: number; name: string }[];
}

/**
 * One system that workspaces connect with. What it can do follows from the handlers it has. Adding a provider is
 * adding a folder with one of these, and its line in index.ts.
 */
export interface Provider {
  slug: string;
  /** Of the merged configuration; every key optional, because keys are set one after the other. */
  configSchema: Joi.ObjectSchema;
  /** What the form cannot see. Fields are named within the configuration. */
  checkConfig(config: JsonObject, guard: GuardOptions): Problem[];
  secretKeys: readonly string[];
  /** Those of them that go to `base_url`. */
  secretsSent: readonly string[];
  inbound?: Inbound;
  outbound?: Outbound;
  imports?: Imports;
  /** Tries whether the outside system answers. */
  test?(rest: Rest, account: Account): Promise<ConnectionReport>;
}

export type Capability = 'inbound' | 'outbound' | 'import';

export const canDo = (provider: Provider, capability: Capability): boolean =>
  provider[capability === 'import' ? 'imports' : capability] !== undefined;

/** A page that could not be had. */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed';
  constructor(
    message: string,
    /** It would fail again: the fault is in what was asked or answered. */
    readonly final: boolean,
  ) {
    super(message);
  }
}
