import { createEvent, findDefinition, type PointsMoved, type TierChanged } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import type { passes } from '@laurel/rpc';
import { workOff } from '@laurel/testing';
import type { SegmentFilter } from '../domain/segments/filter';
import { DEPTH_MAX } from '../domain/segments/nesting';
import { createHarness, type Harness, KNOWN_TIER } from '../testing/harness';
import { anonymizeClient } from './anonymize-client';
import { backfillProfiles, backfillWorker } from './backfill-profiles';
import { countSegment } from './count-segment';
import { createField } from './create-field';
import { createSegment } from './create-segment';
import { deleteClient } from './delete-client';
import { deleteEvents } from './delete-events';
import { duplicateSegment } from './duplicate-segment';
import { followPass } from './follow-pass';
import { listEvents } from './list-events';
import { listSegmentClients } from './list-segment-clients';
import { mergeClients } from './merge-clients';
import { previewSegment } from './preview-segment';
import { recordDomainEvents } from './record-domain-events';
import { recordEvents } from './record-events';
import { recordTrail } from './record-trail';
import { removeWorkspace } from './remove-workspace';
import { segmentsContaining } from './segments-containing';
import { processSweeper } from './sweep-processes';
import type { TrailedEvent } from './trailed-events';
import { updateField } from './update-field';
import { updateSegment } from './update-segment';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

const DAY_MS = 86_400_000;
const workspace = () => ({ workspace_id: harness.workspaceId });
const filterOf = (filter_type: SegmentFilter['filter_type'], config: object) => ({
  filter_type,
  filter_config: config as never,
});
const segment = async (...filters: ReturnType<typeof filterOf>[]) =>
  (await createSegment(harness.deps, { ...workspace(), name: 'S', filters })).id;
const total = async (id: string) =>
  (await countSegment(harness.deps, { ...workspace(), id })).total;
/** How many clients comply, once asked of the store and once of each profile: both must agree. */
const matching = async (clientIds: string[], ...filters: ReturnType<typeof filterOf>[]) => {
  const id = await segment(...filters);
  const containing = await Promise.all(
    clientIds.map(async (client_id) => {
      const request = { ...workspace(), segment_ids: [id], client_id };
      return (await segmentsContaining(harness.deps, request)).ids.length > 0 ? [client_id] : [];
    }),
  );
  const { clients } = await listSegmentClients(harness.deps, { ...workspace(), id, limit: 100 });
  const listed = clients.map((client) => client.id).filter((one) => clientIds.includes(one));
  expect(listed.sort()).toEqual(containing.flat().sort());
  return containing.flat();
};

const moved = (clientId: string, sequence: number, active: number): TrailedEvent => {
  const example = structuredClone(findDefinition('loyalty.points_earned')!.example) as PointsMoved;
  const id = newId();
  const entry = { ...example.entry, id, sequence, workspace_id: harness.workspaceId, amount: 5 };
  const wallet = { ...example.wallet, active_balance: active, total_earned: active };
  const data = { ...example, entry, wallet, client_id: clientId };
  const envelope = { id, workspaceId: harness.workspaceId, subject: clientId };
  return createEvent('loyalty.points_earned', { ...envelope, time: harness.clock.now(), data });
};
const promoted = (clientId: string, tierId: string | null, revision: number): TrailedEvent => {
  const example = findDefinition('tiers.tier_promoted')!.example as TierChanged;
  const tier = tierId === null ? null : { ...example.tier!, id: tierId };
  const data = { ...example, tier, client_id: clientId, member_revision: revision };
  return createEvent('tiers.tier_promoted', {
    workspaceId: harness.workspaceId,
    subject: clientId,
    data,
  });
};
const handle = (...events: TrailedEvent[]) =>
  unitOfWork(harness.deps.connection, (session) =>
    recordDomainEvents(harness.deps, events, session),
  );
const passEvent = (
  type: 'passes.pass_created' | 'passes.pass_updated' | 'passes.pass_deleted',
  [pass_id, client_id]: [string, string | null],
  pass_template_id = TEMPLATE,
) => {
  const data = { pass_id, client_id, pass_template_id, project_id: newId() };
  const event = createEvent(type, { workspaceId: harness.workspaceId, subject: pass_id, data });
  return unitOfWork(harness.deps.connection, (session) => followPass(harness.deps, event, session));
};
const TEMPLATE = newId();

const buy = (passId: string, amount: number, daysAgo = 0, event_type = 'purchase') =>
  recordEvents(harness.deps, {
    workspace_ids: [harness.workspaceId],
    events: [
      {
        pass_id: passId,
        event_category: 'transaction',
        event_type,
        amount,
        currency: 'EUR',
        event_timestamp: new Date(harness.clock.now().getTime() - daysAgo * DAY_MS).toISOString(),
      },
    ],
  });
const spent = (operator: string, value: number, period_days?: number) =>
  filterOf('metric', {
    metric: 'total_spending',
    operator,
    value,
    ...(period_days === undefined ? {} : { period_days }),
  });
const balance = (operator: string, value: number) =>
  filterOf('wallet_balance', {
    wallet_type_code: 'points',
    balance: 'active',
    operator,
    value,
  });
const inGold = filterOf('tier', { tier_ids: [KNOWN_TIER] });
const installed = filterOf('pass', {
  has_pass: true,
  pass_template_ids: [TEMPLATE],
  installed: true,
});
const everybody = [spent('_gte', -1_000_000)] as const;

test('purchases and refunds count, within their windows and of all time', async () => {
  const client = await harness.client();
  const passId = await harness.pass(client.id);
  await buy(passId, 100, 20);
  await buy(passId, 10.5, 2);
  await buy(passId, 0.5, 1, 'refund');
  const ids = [client.id];
  expect(await matching(ids, spent('_eq', 110))).toEqual(ids);
  expect(await matching(ids, spent('_eq', 10, 7))).toEqual(ids);
  const bought = { event_category: 'transaction', event_type: 'purchase', operator: '_eq' };
  expect(await matching(ids, filterOf('event', { ...bought, within_days: 7, value: 1 }))).toEqual(
    ids,
  );
  expect(await matching(ids, filterOf('event', { ...bought, within_days: 30, value: 2 }))).toEqual(
    ids,
  );
  expect(await matching(ids, filterOf('event', { ...bought, within_days: 1, value: 0 }))).toEqual(
    ids,
  );
});

test('who says how a client stands is answered by that, and what is known here stays as it was', async () => {
  const client = await harness.client();
  await handle(moved(client.id, 1, 5), promoted(client.id, null, 1));
  const segment_ids = [
    await segment(balance('_gte', 100)),
    await segment(inGold),
    await segment(filterOf('metric', { metric: 'points_earned', operator: '_eq', value: 120 })),
  ];
  const ask = { ...workspace(), segment_ids, client_id: client.id };
  const wallet = { wallet_type_code: 'points', pending: 0, spent: 20 };
  const standing = { wallets: [{ ...wallet, active: 100, earned: 120 }], tier_id: KNOWN_TIER };
  const inAll = await segmentsContaining(harness.deps, { ...ask, standing });
  expect(inAll.ids.sort()).toEqual([...segment_ids].sort());
  expect(await segmentsContaining(harness.deps, ask)).toEqual({ ids: [] });
});

test('many events of one client at once lose none', async () => {
  const client = await harness.client();
  const passId = await harness.pass(client.id);
  await Promise.all(Array.from({ length: 12 }, () => buy(passId, 1)));
  expect(await matching([client.id], spent('_eq', 12, 3))).toEqual([client.id]);
});

test('balances follow the ledger, whatever is repeated or overtaken on the way', async () => {
  const client = await harness.client();
  const [first, second, third] = [1, 2, 3].map((n) => moved(client.id, n, n * 10));
  await handle(third!, first!);
  await handle(second!, first!);
  await handle(third!);
  expect(await matching([client.id], balance('_eq', 30))).toEqual([client.id]);
  const earned = { metric: 'points_earned', operator: '_eq' };
  expect(
    await matching([client.id], filterOf('metric', { ...earned, value: 15, period_days: 3_650 })),
  ).toEqual([client.id]);
  expect(await matching([client.id], filterOf('metric', { ...earned, value: 30 }))).toEqual([
    client.id,
  ]);
});

test('a tier follows the latest move', async () => {
  const client = await harness.client();
  await handle(promoted(client.id, KNOWN_TIER, 2));
  await handle(promoted(client.id, null, 1));
  expect(await matching([client.id], inGold)).toEqual([client.id]);
  await handle(promoted(client.id, null, 3));
  expect(await matching([client.id], inGold)).toEqual([]);
});

test('passes follow their holders, and whether they are on a device', async () => {
  const [one, other] = [await harness.client(), await harness.client()];
  const ids = [one.id, other.id];
  const passId = newId();
  const onDevice = (event_type: string, minutes: number) =>
    recordTrail(harness.deps, {
      ...workspace(),
      entries: [
        {
          id: newId(),
          pass_id: passId,
          client_id: one.id,
          event_category: 'pass_lifecycle',
          event_type,
          source: 'wallet',
          event_timestamp: new Date(harness.clock.now().getTime() + minutes * 60_000).toISOString(),
        },
      ],
    });
  await onDevice('pass_installed', 1);
  await passEvent('passes.pass_created', [passId, one.id]);
  expect(await matching(ids, installed)).toEqual([one.id]);
  await passEvent('passes.pass_updated', [passId, other.id]);
  expect(await matching(ids, installed)).toEqual([other.id]);
  await onDevice('pass_uninstalled', 3);
  await onDevice('pass_installed', 2);
  expect(await matching(ids, installed)).toEqual([]);
  expect(await matching(ids, filterOf('pass', { has_pass: true, installed: false }))).toEqual([
    other.id,
  ]);
  await passEvent('passes.pass_deleted', [passId, null]);
  expect(await matching(ids, filterOf('pass', { has_pass: false }))).toEqual(ids);
});

test('a merge makes one profile of two', async () => {
  const [source, target] = [await harness.client(), await harness.client()];
  const [theirs, ours] = [await harness.pass(source.id), await harness.pass(target.id)];
  await buy(theirs, 5);
  await buy(ours, 7);
  await mergeClients(harness.deps, {
    ...workspace(),
    source_client_id: source.id,
    target_client_id: target.id,
  });
  const ids = [source.id, target.id];
  expect(await matching(ids, spent('_eq', 12))).toEqual([target.id]);
  expect(await matching(ids, spent('_eq', 12, 3))).toEqual([target.id]);
  const count = { event_category: 'transaction', within_days: 3, operator: '_eq', value: 2 };
  expect(await matching(ids, filterOf('event', count))).toEqual([target.id]);
  expect(await total(await segment())).toBe(1);
});

test('who is anonymized or deleted is in no segment, also when events come late', async () => {
  const [anonymized, deleted] = [await harness.client(), await harness.client()];
  const all = await segment();
  await anonymizeClient(harness.deps, { ...workspace(), id: anonymized.id });
  expect(await total(all)).toBe(1);
  await deleteClient(harness.deps, { ...workspace(), id: deleted.id });
  await handle(moved(anonymized.id, 1, 5), moved(deleted.id, 1, 5), promoted(deleted.id, null, 1));
  expect(await total(all)).toBe(0);
  expect(await matching([anonymized.id, deleted.id], ...everybody)).toEqual([]);
});

test('deleted events leave the windows', async () => {
  const client = await harness.client();
  const passId = await harness.pass(client.id);
  await buy(passId, 5);
  await buy(passId, 7);
  const { events } = await listEvents(harness.deps, { ...workspace(), limit: 10, offset: 0 });
  const five = events.find(({ amount }) => amount === 5)!;
  await deleteEvents(harness.deps, { ...workspace(), event_ids: [five.id] });
  expect(await matching([client.id], spent('_eq', 7, 3))).toEqual([client.id]);
  expect(await matching([client.id], spent('_eq', 12))).toEqual([client.id]);
});

test('a workspace takes its segments and profiles with it', async () => {
  const client = await harness.client();
  await handle(moved(client.id, 1, 5));
  const id = await segment();
  await removeWorkspace(harness.deps, harness.workspaceId);
  await expect(total(id)).rejects.toMatchObject({ httpStatus: 404 });
  const left = ['client_profiles', 'segments', 'segment_locks'].map((name) =>
    harness.deps.connection.collection(name).countDocuments({}),
  );
  expect(await Promise.all(left)).toEqual([0, 0, 0]);
});

test('clients who were there before profiles get theirs, once and with all that is known of them', async () => {
  const [client, gone] = [await harness.client({ source: 'web' }), await harness.client()];
  const passId = await harness.pass(client.id);
  await buy(passId, 7);
  await anonymizeClient(harness.deps, { ...workspace(), id: gone.id });
  await harness.deps.connection.collection('client_profiles').deleteMany({});
  const filters = [
    spent('_eq', 7, 3),
    spent('_eq', 7),
    balance('_eq', 30),
    inGold,
    filterOf('pass', { has_pass: true }),
  ];
  expect(await matching([client.id, gone.id], ...filters)).toEqual([]);
  const head = {
    client_id: client.id,
    wallet_type_code: 'points',
    active_balance: 30,
    sequence: 7,
  };
  const heads = [{ ...head, pending_balance: 0, total_earned: 30, total_spent: 0 }];
  const ledger = { ...harness.ledger, ListWalletHeads: async () => ({ heads }) };
  const deps = { ...harness.deps, ledger };
  expect(await backfillProfiles(deps)).toEqual({ more: true });
  await workOff(backfillWorker(deps));
  await handle(moved(client.id, 6, 25));
  expect(await backfillProfiles(deps)).toEqual({ more: false });
  expect(await backfillProfiles(deps)).toEqual({ more: false });
  expect(await matching([client.id, gone.id], ...filters)).toEqual([client.id]);
  expect(await total(await segment())).toBe(1);
});

test('pages of a segment follow each other without gaps', async () => {
  const ids: string[] = [];
  for (let made = 0; made < 5; made += 1) ids.unshift((await harness.client()).id);
  const id = await segment();
  const seen: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = { ...workspace(), id, limit: 2, ...(cursor ? { cursor } : {}) };
    const { clients, next_cursor } = await listSegmentClients(harness.deps, page);
    seen.push(...clients.map((client) => client.id));
    cursor = next_cursor;
  } while (cursor);
  expect(seen).toEqual(ids);
});

test('who asks for a segment hears while merges are under way, until all that is the target’s is there', async () => {
  const [source, target] = [await harness.client(), await harness.client()];
  const request = { ...workspace(), id: await segment(), limit: 1 };
  const isMerging = async () => (await listSegmentClients(harness.deps, request)).merging ?? false;
  expect(await isMerging()).toBe(false);
  harness.ledger.goAway();
  const merge = { source_client_id: source.id, target_client_id: target.id };
  const merged = mergeClients(harness.deps, { ...workspace(), ...merge });
  await expect(merged).rejects.toMatchObject({ httpStatus: 503 });
  expect(await isMerging()).toBe(true);
  harness.ledger.comeBack();
  harness.clock.advanceMs(60_000);
  await workOff(processSweeper(harness.deps));
  expect(await isMerging()).toBe(false);
});

test('a segment is listed and counted by status where somebody asks for one', async () => {
  const active = await harness.client();
  await harness.client({ status: 'inactive' });
  const request = { ...workspace(), id: await segment(), status: 'active' };
  expect(await countSegment(harness.deps, request)).toEqual({ total: 1 });
  const { clients } = await listSegmentClients(harness.deps, { ...request, limit: 10 });
  expect(clients.map(({ id }) => id)).toEqual([active.id]);
  expect(await total(request.id)).toBe(2);
});

test('no race nests segments in a circle', async () => {
  const ids = await Promise.all([segment(), segment(), segment()]);
  const nest = (id: string, segment_id: string) =>
    updateSegment(harness.deps, {
      ...workspace(),
      id,
      filters: { items: [filterOf('segment', { segment_id })] },
    });
  const outcomes = await Promise.allSettled([
    nest(ids[0]!, ids[1]!),
    nest(ids[1]!, ids[2]!),
    nest(ids[2]!, ids[0]!),
  ]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
  ]);
});

describe('a segment that is nested as deep as it may be', () => {
  const inner = async () => {
    let id = await segment();
    for (let depth = 0; depth < DEPTH_MAX; depth += 1)
      id = await segment(filterOf('segment', { segment_id: id, negate: true }));
    return id;
  };
  const nested = (segment_id: string) => [filterOf('segment', { segment_id })];
  const preview = (filters: ReturnType<typeof filterOf>[]) =>
    previewSegment(harness.deps, { ...workspace(), filters, limit: 1 });
  const refused = { httpStatus: 400, problems: [{ field: 'filters' }] };

  test('is counted, listed and asked of one client; one more is refused in a preview as where it is saved', async () => {
    const client = await harness.client();
    const id = await inner();
    expect(await total(id)).toBe(1);
    const request = { ...workspace(), segment_ids: [id], client_id: client.id };
    expect(await segmentsContaining(harness.deps, request)).toEqual({ ids: [id] });
    await expect(segment(...nested(id))).rejects.toMatchObject(refused);
    await expect(preview(nested(id))).rejects.toMatchObject(refused);
  });
});

test('a preview has as many filters with all that is nested in them as a segment, and no more', async () => {
  const plain = Array.from({ length: 50 }, () =>
    filterOf('client_field', { field: 'email', operator: '_nnull' }),
  );
  const id = await segment(...plain);
  const nested = Array.from({ length: 10 }, () => filterOf('segment', { segment_id: id }));
  const refused = { httpStatus: 400, problems: [{ field: 'filters' }] };
  await expect(segment(...nested)).rejects.toMatchObject(refused);
  const preview = { ...workspace(), filters: nested, limit: 1 };
  await expect(previewSegment(harness.deps, preview)).rejects.toMatchObject(refused);
  const fewer = { ...preview, filters: nested.slice(1) };
  expect(await previewSegment(harness.deps, fewer)).toMatchObject({ total: 0 });
});

test('who has a card on a template that is being migrated away is counted, and no segment comes to name it', async () => {
  const { id } = await harness.client();
  await passEvent('passes.pass_created', [newId(), id]);
  const GetTemplates = async ({ ids, with_migrating }: passes.IdsRequest) =>
    ({ templates: with_migrating ? ids.map((one) => ({ id: one })) : [] }) as never;
  const deps = { ...harness.deps, templates: { GetTemplates } };
  const filters = [filterOf('pass', { has_pass: true, pass_template_ids: [TEMPLATE] })];
  expect(await previewSegment(deps, { ...workspace(), filters, limit: 1 })).toMatchObject({
    total: 1,
    sample: [{ id }],
  });
  const saved = createSegment(deps, { ...workspace(), name: 'S', filters });
  await expect(saved).rejects.toMatchObject({ httpStatus: 400 });
});

describe('what a workspace sets up has an end', () => {
  const valuesOf = (characters: number) =>
    Array.from({ length: characters / 100 }, (_, n) => String(n).padEnd(97, 'x'));
  const large = (characters: number) =>
    filterOf('client_field', { field: 'source', operator: '_in', value: valuesOf(characters) });
  const refused = (message: string) => ({ code: 'INVALID_PAYLOAD', problems: [{ message }] });
  const tooLarge = refused(
    'filters of a segment must together be at most 40000 characters of JSON',
  );
  const put = (id: string, ...filters: ReturnType<typeof filterOf>[]) =>
    harness.deps.connection
      .collection<{ _id: string }>('segments')
      .updateOne({ _id: id }, { $set: { filters: JSON.stringify(filters) } });

  test('and so have the filters of a segment; larger ones from before stay, and may not grow', async () => {
    await segment(large(39_000));
    await expect(segment(large(41_000))).rejects.toMatchObject(tooLarge);
    const id = await segment();
    const before = { ...large(60_000), id: newId() };
    await put(id, before);
    const update = (change: object) =>
      updateSegment(harness.deps, { ...workspace(), id, ...change });
    await update({ name: 'Renamed' });
    await update({ filters: { items: [before] } });
    await update({ filters: { items: [{ ...large(50_000), id: before.id }] } });
    const larger = { filters: { items: [{ ...large(60_000), id: before.id }] } };
    await expect(update(larger)).rejects.toMatchObject(tooLarge);
    const copy = duplicateSegment(harness.deps, { ...workspace(), id });
    await expect(copy).rejects.toMatchObject(tooLarge);
  });

  test('and there are a thousand segments at most, however one more is made', async () => {
    const id = await segment();
    const { connection } = harness.deps;
    const rows = Array.from({ length: 998 }, () => ({
      _id: newId(),
      workspace_id: harness.workspaceId,
      name: 'S',
      description: null,
      filters: '[]',
      nested_ids: [],
      date_created: harness.clock.now(),
    }));
    await connection.collection<{ _id: string }>('segments').insertMany(rows);
    await segment();
    const full = { code: 'INVALID_PAYLOAD', message: 'a workspace has at most 1000 segments' };
    await expect(segment()).rejects.toMatchObject(full);
    const copy = duplicateSegment(harness.deps, { ...workspace(), id });
    await expect(copy).rejects.toMatchObject(full);
    await updateSegment(harness.deps, { ...workspace(), id, name: 'Renamed' });
  });

  test('and five hundred custom fields', async () => {
    const { deps, workspaceId: workspace_id } = harness;
    const define = (field_name: string) =>
      createField(deps, { workspace_id, field_name, field_type: 'text' });
    const { id } = await define('first');
    const rows = Array.from({ length: 498 }, (_, n) => ({
      _id: newId(),
      workspace_id,
      field_name: `field ${n}`,
      field_label: 'F',
      field_type: 'text',
      is_required: false,
      sort_order: n,
      options: [],
    }));
    await deps.connection.collection<{ _id: string }>('field_definitions').insertMany(rows);
    await define('last');
    await expect(define('one more')).rejects.toMatchObject({
      code: 'INVALID_PAYLOAD',
      message: 'a workspace has at most 500 custom fields',
    });
    await updateField(deps, { workspace_id, id, field_label: 'Renamed' });
  });
});
