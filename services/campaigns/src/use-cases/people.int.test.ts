import type { JsonObject } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import { erasePerson, mergePerson, removeWorkspace, unitOfWork } from '@laurel/mongo';
import type { Deps } from '../deps';
import { Harness } from '../testing/harness';
import { deleteCampaign } from './delete-campaign';
import { exportClient } from './export-client';
import { launchCampaign } from './launch-campaign';
import { listMembers } from './list-members';
import { updateCampaign } from './update-campaign';
import { workCampaign } from './work-campaigns';

let harness: Harness;
beforeEach(async () => {
  harness = await Harness.open();
});
afterEach(() => harness.close());

const manualOf = async (id: string) =>
  (await harness.deps.campaigns.find(harness.workspaceId, id))?.manual_client_ids;
const merge = (source: string, target: string) =>
  unitOfWork(harness.deps.connection, (session) =>
    mergePerson(harness.deps, { workspaceId: harness.workspaceId, source, target }, session),
  );
const forget = (clientId: string) =>
  unitOfWork(harness.deps.connection, (session) =>
    erasePerson(
      harness.deps,
      { workspaceId: harness.workspaceId, clientId, ending: 'anonymized' },
      session,
    ),
  );
const ran = async (manual_client_ids: string[]) => {
  const { id } = await harness.newCampaign({ manual_client_ids }, harness.giving());
  await launchCampaign(harness.deps, harness.row(id));
  await harness.workOut(id);
  return id;
};

describe('after a merge', () => {
  test('the target stands in the lists of campaigns to come, once, and the source in none', async () => {
    const [source, target, other] = harness.newClients(3) as [string, string, string];
    const one = await harness.newCampaign({ manual_client_ids: [source, other] });
    const both = await harness.newCampaign({ manual_client_ids: [source, target] });
    await merge(source, target);
    await merge(source, target);
    expect([...(await manualOf(one.id))!].sort()).toEqual([target, other].sort());
    expect(await manualOf(both.id)).toEqual([target]);
  });

  test('the target is served once in an audience that both were in', async () => {
    const [source, target] = harness.newClients(2) as [string, string];
    const { id } = await harness.newCampaign(
      { manual_client_ids: [source, target] },
      harness.giving(),
    );
    await launchCampaign(harness.deps, harness.row(id));
    // Between the fixing of the audience and the first to be served.
    let isMerged = false;
    const { deps } = harness;
    const { range } = deps.audience;
    const audience = {
      ...deps.audience,
      range: async (...asked: Parameters<typeof range>) => {
        if (!isMerged) await merge(source, target);
        isMerged = true;
        return range(...asked);
      },
    };
    await harness.workOut(id, { ...deps, audience });
    expect(harness.peers.done('give')).toEqual([target]);
    expect(await harness.statistics(id)).toMatchObject({
      status: 'completed',
      total_targeted: 2,
      audience_pending: 0,
      audience_completed: 1,
      audience_unreachable: 1,
      rewards_issued: 1,
    });
  });

  test('the places of the source are the target’s, for the right of access', async () => {
    const [source, target] = harness.newClients(2) as [string, string];
    const id = await ran([source]);
    await merge(source, target);
    const { workspaceId: workspace_id } = harness;
    const held = async (client_id: string) =>
      (await exportClient(harness.deps, { workspace_id, client_id })).data;
    const lists = { campaign_lists: [{ campaign_id: id, campaign_name: 'Spring' }] };
    expect(await held(source)).toEqual({ campaign_audiences: [], ...lists });
    expect(await held(target)).toMatchObject({
      campaign_audiences: [{ campaign_id: id, campaign_name: 'Spring', rewards_issued: 1 }],
    });
  });
});

/** The clients service is done with a merge, of which this one has not heard, when somebody is about to be served. */
const mergedUnheard = (source: string, target: string): Deps => {
  const { deps, peers } = harness;
  const { start } = deps.audience;
  const audience: Deps['audience'] = {
    ...deps.audience,
    start: (...members) => {
      peers.merge(source, target);
      return start(...members);
    },
  };
  return { ...deps, audience };
};
const FOR_CLIENTS = [
  ['give_reward', 'give'],
  ['custom_field_update', 'update'],
  ['assign_tier', 'assign'],
] as const;
const doing = (type: (typeof FOR_CLIENTS)[number][0]): [string, JsonObject] => {
  const configs = {
    custom_field_update: { custom_field_updates: { wave: 1 } },
    assign_tier: { tier_id: harness.newTier() },
    give_reward: { reward_ids: [harness.newReward()] },
  };
  return [type, configs[type]];
};

describe('a member who is merged while a campaign is at it', () => {
  test.each(FOR_CLIENTS)('is served by %s as whom they became', async (type, command) => {
    const [source, target, other] = harness.newClients(3) as [string, string, string];
    const { id } = await harness.newCampaign({ manual_client_ids: [source, other] }, doing(type));
    await launchCampaign(harness.deps, harness.row(id));
    await harness.workOut(id, mergedUnheard(source, target));
    await merge(source, target);
    expect(harness.peers.done(command).sort()).toEqual([target, other].sort());
    const figures = { audience_completed: 2, audience_failed: 0, audience_processing: 0 };
    expect(await harness.statistics(id)).toMatchObject(figures);
    const members = await harness.members(id);
    expect(members.map(({ client_id }) => client_id)).toEqual([target, other]);
  });

  test('gets a text on the card that is another one’s by then, who agreed to it', async () => {
    const source = harness.newClient({ marketing_consent: false }, 1);
    const target = harness.newClient();
    const [card] = harness.peers.passesOf.get(source)!;
    const { id } = await harness.newCampaign({ manual_client_ids: [source] }, harness.pushing());
    await launchCampaign(harness.deps, harness.row(id));
    await harness.workOut(id, mergedUnheard(source, target));
    expect(harness.peers.done('push')).toEqual([card]);
    expect(await harness.statistics(id)).toMatchObject({ audience_completed: 1 });
  });

  test('is served once where the other one is in the audience, too, and waits for nothing', async () => {
    const [source, target] = harness.newClients(2) as [string, string];
    const both = { manual_client_ids: [source, target] };
    const { id } = await harness.newCampaign(both, harness.giving());
    await launchCampaign(harness.deps, harness.row(id));
    await harness.workOut(id, mergedUnheard(source, target));
    expect(harness.peers.done('give')).toEqual([target]);
    expect(await harness.statistics(id)).toMatchObject({
      status: 'completed',
      audience_pending: 0,
      audience_processing: 0,
      audience_completed: 1,
      audience_unreachable: 1,
    });
  });

  test.each(FOR_CLIENTS)(
    'gets nothing twice where %s was done and its worker died before that was noted',
    async (type, command) => {
      const [source, target] = harness.newClients(2) as [string, string];
      const { id } = await harness.newCampaign({ manual_client_ids: [source] }, doing(type));
      await launchCampaign(harness.deps, harness.row(id));
      const { deps } = harness;
      const record = async () => {
        throw new Error('the process dies');
      };
      await workCampaign({ ...deps, audience: { ...deps.audience, record } }, id);
      expect(harness.peers.done(command)).toEqual([source]);
      harness.peers.merge(source, target);
      await merge(source, target);
      await harness.workOut(id);
      expect(harness.peers.done(command)).toEqual([source]);
      expect(await harness.statistics(id)).toMatchObject({ audience_completed: 1 });
    },
  );

  test('is in an audience that is fixed afterwards as whom they became', async () => {
    const [source, target, other] = harness.newClients(3) as [string, string, string];
    const manual_client_ids = [source, other];
    const { id } = await harness.newCampaign({ manual_client_ids }, harness.giving());
    await launchCampaign(harness.deps, harness.row(id));
    harness.peers.merge(source, target);
    await harness.workOut(id);
    expect(harness.peers.done('give').sort()).toEqual([target, other].sort());
  });
});

describe('two clients of a segment who become one while the audience is being fixed', () => {
  const PAGE = 500;
  const HEARD = [['is heard of'], ['is not heard of']] as const;
  /** Something happens between the first page of the segment and the next. */
  const afterFirstPage = (happen: () => Promise<void>): Deps => {
    const { deps } = harness;
    let asked = 0;
    const ListSegmentClients: Deps['clients']['ListSegmentClients'] = async (request) => {
      asked += 1;
      if (asked === 2) await happen();
      return deps.clients.ListSegmentClients(request);
    };
    return { ...deps, clients: { ...deps.clients, ListSegmentClients } };
  };
  const becomeOne = (
    [source, target]: readonly [string, string],
    { heard, then }: { heard: string; then: [id: string, members: string[]] },
  ) =>
    afterFirstPage(async () => {
      harness.peers.merge(source, target);
      harness.peers.segments.set(...then);
      if (heard === 'is heard of') await merge(source, target);
    });
  const launched = async (segment_id: string, ...action: [string, JsonObject][]) => {
    const { id } = await harness.newCampaign({ segment_id }, ...action);
    await launchCampaign(harness.deps, harness.row(id));
    return id;
  };

  test.each(HEARD)(
    'are reached once where the one was still to come and the other would have been before, and it %s',
    async (heard) => {
      const segment = newId();
      const [source, target] = harness.newClients(2) as [string, string];
      const others = harness.newClients(PAGE);
      harness.peers.segments.set(segment, [...others, source]);
      const id = await launched(segment, harness.giving());
      const then: [string, string[]] = [segment, [target, ...others]];
      await harness.workOut(id, becomeOne([source, target], { heard, then }));
      expect(harness.peers.done('give').sort()).toEqual([target, ...others].sort());
      const figures = { total_targeted: PAGE + 1, rewards_issued: PAGE + 1 };
      expect(await harness.statistics(id)).toMatchObject(figures);
    },
  );

  test.each(HEARD)(
    'are reached once where the one was before and the other is still to come, and it %s',
    async (heard) => {
      const segment = newId();
      const [source] = harness.newClients(1, 1) as [string];
      const [target] = harness.newClients(1, 1) as [string];
      const cards = [source, target].flatMap((one) => harness.peers.passesOf.get(one)!);
      const others = harness.newClients(PAGE);
      harness.peers.segments.set(segment, [source, ...others, target]);
      const id = await launched(segment, harness.giving(), harness.pushing());
      const then: [string, string[]] = [segment, [...others, target]];
      await harness.workOut(id, becomeOne([source, target], { heard, then }));
      expect(harness.peers.done('give').sort()).toEqual([target, ...others].sort());
      expect(harness.peers.done('push').sort()).toEqual(cards.sort());
      const figures = { status: 'completed', rewards_issued: PAGE + 1, audience_pending: 0 };
      expect(await harness.statistics(id)).toMatchObject(figures);
      const members = await harness.members(id);
      const theirs = members.filter(({ client_id }) => client_id === target);
      expect(theirs.filter(({ leads }) => leads)).toHaveLength(1);
      if (heard === 'is heard of') expect(theirs).toHaveLength(2);
    },
  );

  test('are reached where the merge is still under way when the segment was gone through', async () => {
    const segment = newId();
    const target = harness.newClient();
    harness.peers.segments.set(segment, []);
    harness.peers.isMerging = true;
    const id = await launched(segment, harness.giving());
    await workCampaign(harness.deps, id);
    expect(await harness.statistics(id)).toMatchObject({ status: 'active' });
    harness.peers.segments.set(segment, [target]);
    harness.peers.isMerging = false;
    await harness.workOut(id);
    expect(harness.peers.done('give')).toEqual([target]);
  });

  test('keep no campaign from running where their merge cannot go on', async () => {
    const segment = newId();
    const other = harness.newClient();
    harness.peers.segments.set(segment, [other]);
    harness.peers.isMerging = true;
    const id = await launched(segment, harness.giving());
    await harness.workOut(id);
    expect(harness.peers.done('give')).toEqual([other]);
    expect(await harness.statistics(id)).toMatchObject({ status: 'completed' });
  });
});

describe('a card that is another client’s by the time it is come to', () => {
  const SWITCHING: [string, JsonObject] = ['template_switch', { target_template_id: newId() }];
  const FOR_CARDS: ['push' | 'switch', [string, JsonObject]][] = [
    ['push', ['push_notification', { notification_message: 'Hello' }]],
    ['switch', SWITCHING],
  ];
  /** A card changes hands when the audience is fixed and nothing was done yet. */
  const handedOver = (from: string, to: string): Deps => {
    const { deps, peers } = harness;
    const start: Deps['audience']['start'] = (...members) => {
      const cards = peers.passesOf.get(from) ?? [];
      peers.passesOf.delete(from);
      peers.passesOf.set(to, [...(peers.passesOf.get(to) ?? []), ...cards]);
      return deps.audience.start(...members);
    };
    return { ...deps, audience: { ...deps.audience, start } };
  };

  test.each(FOR_CARDS)('gets no %s that was for the one, who hears of none', async (done, what) => {
    harness.peers.templates.add(SWITCHING[1].target_template_id as string);
    const [one, other] = [harness.newClient({}, 1), harness.newClient()];
    const { id } = await harness.newCampaign({ manual_client_ids: [one] }, what);
    await launchCampaign(harness.deps, harness.row(id));
    await harness.workOut(id, handedOver(one, other));
    expect(harness.peers.done(done)).toEqual([]);
    const figures = { status: 'completed', audience_failed: 1, audience_completed: 0 };
    expect(await harness.statistics(id)).toMatchObject(figures);
    expect(harness.peers.trail.size).toBe(0);
  });
});

test.each([
  ['push_notification', { notification_message: 'Hello' }],
  ['template_switch', { target_template_id: newId() }],
] as [string, JsonObject][])(
  'a card that is no client’s by the time of its %s was out of reach, which is no failure',
  async (type, config) => {
    const { deps, peers } = harness;
    const [one, other] = harness.newClients(2, 1) as [string, string];
    peers.templates.add((config.target_template_id as string) ?? '');
    const { id } = await harness.newCampaign({ manual_client_ids: [one, other] }, [type, config]);
    await launchCampaign(deps, harness.row(id));
    const start: Deps['audience']['start'] = (...members) => {
      peers.passesOf.delete(one);
      return deps.audience.start(...members);
    };
    await harness.workOut(id, { ...deps, audience: { ...deps.audience, start } });
    const figures = { audience_failed: 0, audience_unreachable: 1, audience_completed: 1 };
    expect(await harness.statistics(id)).toMatchObject({ status: 'completed', ...figures });
    const message = 'the client has no such pass any more';
    const members = await harness.members(id);
    expect(members.find(({ client_id }) => client_id === one)).toMatchObject({
      status: 'unreachable',
      error_message: message,
    });
  },
);

test('a client who is gone is in no list to come, and nothing that was said about them is kept', async () => {
  const [gone, other] = harness.newClients(2) as [string, string];
  harness.peers.before = () => {
    throw new Error('a service that keeps failing says something about them');
  };
  const done = await ran([gone]);
  harness.peers.before = () => undefined;
  const draft = await harness.newCampaign({ manual_client_ids: [gone, other] });
  await forget(gone);
  await forget(gone);
  expect(await manualOf(draft.id)).toEqual([other]);
  expect(await manualOf(done)).toEqual([gone]);
  harness.peers.people.delete(gone);
  const { workspaceId: workspace_id } = harness;
  const request = { workspace_id, campaign_id: done, limit: 10, offset: 0 };
  const { members } = await listMembers(harness.deps, request);
  expect(members).toMatchObject([
    { client_id: gone, status: 'failed', error_message: null, email: null, first_name: null },
  ]);
});

test('a list that loses somebody while it is changed is changed all the same', async () => {
  const [gone, other, third] = harness.newClients(3) as [string, string, string];
  const { id } = await harness.newCampaign({ manual_client_ids: [gone, other] });
  const request = { ...harness.row(id), manual_client_ids: [other, third] };
  await Promise.all([forget(gone), updateCampaign(harness.deps, request)]);
  expect([...(await manualOf(id))!].sort()).toEqual([other, third].sort());
});

test('the audience of a deleted campaign goes, and only it', async () => {
  const [first, second] = [await ran(harness.newClients(2)), await ran(harness.newClients(2))];
  await deleteCampaign(harness.deps, harness.row(first));
  await harness.deps.audience.removeCampaign(harness.workspaceId, first);
  expect(await harness.members(first)).toEqual([]);
  expect(await harness.members(second)).toHaveLength(2);
});

test('nothing of a deleted workspace stays, and nothing of another goes', async () => {
  const id = await ran(harness.newClients(2));
  await removeWorkspace(harness.deps, newId());
  expect(await harness.members(id)).toHaveLength(2);
  await removeWorkspace(harness.deps, harness.workspaceId);
  expect(await harness.members(id)).toEqual([]);
  for (const collection of ['campaigns', 'actions', 'audience'])
    expect(await harness.store.connection.collection(collection).countDocuments({})).toBe(0);
});
