import { ofEveryService } from '@laurel/backend';
import type { CloudEvent } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import { workOff } from '@laurel/testing';
import type { Room } from '@laurel/work';
import sharp from 'sharp';
import { collections } from './collections';
import { createHarness, type Harness } from './testing/harness';
import { storeFile } from './use-cases/file/store-file';
import { makePass } from './use-cases/pass/create-pass';
import { getPass, listPassesOfClients } from './use-cases/pass/read-passes';
import { updatePass } from './use-cases/pass/update-pass';
import { templateRefreshWorker } from './use-cases/template/work-template-refreshes';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

const own = () => ({ workspace_id: harness.workspaceId });
const pushNews = (client_id: string, body: string) =>
  harness.deliver(
    harness.event('automations.push_requested', {
      automation_rule_id: newId(),
      automation_execution_id: newId(),
      client_id,
      title: 'News',
      body,
    }),
  );
const read = (id: string) => getPass(harness.deps, { ...own(), id, with_client: false });
const passesOf = async (clientId: string) =>
  (await listPassesOfClients(harness.deps, { ...own(), client_ids: [clientId] })).passes;

async function newTemplates(count: number) {
  const { id } = await harness.project();
  return Promise.all(Array.from({ length: count }, () => harness.template(id)));
}

const reference = (id: string, name: string) => ({
  id,
  name,
  sort_order: 1,
  kind: 'auto' as const,
});

function promoted(clientId: string, tier: { id?: string; name?: string } | null) {
  return harness.event('tiers.tier_promoted', {
    client_id: clientId,
    previous_tier: null,
    tier: tier && reference(tier.id!, tier.name!),
    manually_assigned: false,
    expires_at: null,
  });
}

describe('when an address is proven of somebody whom a text message had let in', () => {
  const linkOf = async (id: string) => (await read(id)).apple_pass_url;
  const made = async (client_id: string | null) => {
    const [template] = await newTemplates(1);
    return (await harness.pass(template!, { client_id })).id;
  };
  const proof = (client_id: string) =>
    harness.event('clients.address_proven', { client_id, came_by_form: false, was_reached: true });
  const merge = (source_client_id: string, target_client_id: string) =>
    harness.event('clients.merged', { source_client_id, target_client_id });
  /** Which of some passes keep their links when the news comes. */
  const keptBy = async (news: CloudEvent, ids: readonly string[]) => {
    const before = await Promise.all(ids.map(linkOf));
    await harness.deliver(news);
    const after = await Promise.all(ids.map(linkOf));
    return after.map((link, at) => link === before[at]);
  };
  const give = (id: string, client_id: string) =>
    updatePass(harness.deps, { ...own(), id, client_id });

  test('the links of passes that they had by then end, however they came to them', async () => {
    const [ann, bo, cy] = [harness.client(), harness.client(), harness.client()];
    const [first, given, merged] = [await made(ann), await made(null), await made(cy)];
    harness.clock.advanceMs(1_000);
    await give(given, ann);
    await harness.deliver(merge(cy, ann));
    const others = await made(bo);
    harness.clock.advanceMs(1_000);
    const kept = await keptBy(proof(ann), [first, given, merged, others]);
    expect(kept).toEqual([false, false, false, true]);
  });

  test('those of a merged client’s pass end that only the reader of that one’s address had, by a mail or a proof', async () => {
    const [ann, cy] = [harness.client(), harness.client()];
    const [template] = await newTemplates(1);
    const request = { ...own(), project_id: template!.project_id, client_id: cy };
    const mailed = await makePass(
      harness.deps,
      { ...request, pass_template_id: template!.id },
      { to: 'proven' },
    );
    const renewed = await made(cy);
    harness.clock.advanceMs(1_000);
    await harness.deliver(proof(cy));
    const links = await linkOf(mailed.id);
    await harness.deliver(merge(cy, ann));
    expect(await linkOf(mailed.id)).toBe(links);
    harness.clock.advanceMs(1_000);
    expect(await keptBy(proof(ann), [mailed.id, renewed])).toEqual([false, false]);
  });

  test('those of passes that came to them since stay, however late that is heard of', async () => {
    const [ann, cy] = [harness.client(), harness.client()];
    const [first, given, taken, merged] = [
      await made(ann),
      await made(null),
      await made(cy),
      await made(cy),
    ];
    harness.clock.advanceMs(1_000);
    const proven = proof(ann);
    harness.clock.advanceMs(1_000);
    const later = await made(ann);
    await give(given, ann);
    await give(taken, ann);
    await harness.deliver(merge(cy, ann));
    const kept = await keptBy(proven, [first, later, given, taken, merged]);
    expect(kept).toEqual([false, true, true, true, true]);
  });

  test('those of a merged client’s end also where the merge, which was before it, is heard of later than it was', async () => {
    const [ann, cy] = [harness.client(), harness.client()];
    const merged = await made(cy);
    const news = merge(cy, ann);
    harness.clock.advanceMs(1_000);
    const proven = proof(ann);
    harness.clock.advanceMs(1_000);
    await harness.deliver(news);
    expect(await keptBy(proven, [merged])).toEqual([false]);
  });
});

describe('when a client goes', () => {
  test('deleted: its passes go with it, each with one event', async () => {
    const [template] = await newTemplates(1);
    const clientId = harness.client();
    const { id } = await harness.pass(template!, { client_id: clientId });
    const gone = harness.event('clients.deleted', { client_id: clientId, external_identities: [] });
    await harness.deliver(gone);
    await harness.deliver(gone);
    await expect(read(id)).rejects.toMatchObject({ code: 'RECORD_NOT_FOUND' });
    expect(await harness.told('passes.pass_deleted')).toHaveLength(1);
  });

  describe('while a pass was being made for it, which is there when the news has come', () => {
    async function madeLate(news: CloudEvent, clientId: string): Promise<string> {
      const [template] = await newTemplates(1);
      await harness.deliver(news);
      const { id } = await harness.pass(template!, {
        client_id: clientId,
        pass_fields: { nickname: 'Ada' },
      });
      const [created] = await harness.told('passes.pass_created');
      await harness.deliver(created!);
      return id;
    }

    test('deleted: the pass goes as soon as the event comes', async () => {
      const clientId = harness.client();
      const gone = { client_id: clientId, external_identities: [] };
      const id = await madeLate(harness.event('clients.deleted', gone), clientId);
      await expect(read(id)).rejects.toMatchObject({ code: 'RECORD_NOT_FOUND' });
    });

    test('anonymized: the pass ends, and says nothing of it', async () => {
      const clientId = harness.client();
      const news = harness.event('clients.anonymized', { client_id: clientId });
      const id = await madeLate(news, clientId);
      expect(await read(id)).toMatchObject({ pass_fields: {}, status: 'voided' });
      expect(await harness.deps.retiredPasses.locate(id, harness.clock.now())).not.toBeNull();
    });

    test('merged: the pass is the target’s', async () => {
      const [source, target] = [harness.client(), harness.client()];
      const merged = { source_client_id: source, target_client_id: target };
      const id = await madeLate(harness.event('clients.merged', merged), source);
      expect((await read(id)).client_id).toBe(target);
    });

    test('merged, and the news has not come: the pass waits for it', async () => {
      const [source, target] = [harness.client(), harness.client()];
      const [template] = await newTemplates(1);
      const { id } = await harness.pass(template!, { client_id: source });
      harness.peers.clients.delete(source);
      const [created] = await harness.told('passes.pass_created');
      await harness.deliver(created!);
      const merged = { source_client_id: source, target_client_id: target };
      await harness.deliver(harness.event('clients.merged', merged));
      expect((await read(id)).client_id).toBe(target);
    });
  });

  test('merged into somebody of whose erasure was heard first: what was the source’s goes, too', async () => {
    const [template] = await newTemplates(1);
    const [source, target] = [harness.client(), harness.client()];
    const { id } = await harness.pass(template!, {
      client_id: source,
      pass_fields: { nickname: 'Ada' },
    });
    await harness.deliver(harness.event('clients.anonymized', { client_id: target }));
    const merged = { source_client_id: source, target_client_id: target };
    await harness.deliver(harness.event('clients.merged', merged));
    expect(await read(id)).toMatchObject({ pass_fields: {}, status: 'voided' });
  });

  test('anonymized while a text was filled with its name: no pass shows it', async () => {
    const [template] = await newTemplates(1);
    const clientId = harness.client({ first_name: 'Ada' });
    const { id } = await harness.pass(template!, { client_id: clientId });
    const { GetClients } = harness.deps.clients;
    let isGone = false;
    harness.deps.clients.GetClients = async (request) => {
      const found = await GetClients(request);
      if (!isGone) {
        isGone = true;
        await harness.deliver(harness.event('clients.anonymized', { client_id: clientId }));
      }
      return found;
    };
    await pushNews(clientId, 'Hello {{first_name}}');
    expect(isGone).toBe(true);
    expect((await read(id)).notification).toBeNull();

    const late = updatePass(harness.deps, { ...own(), id, notification: 'Hi {{first_name}}' });
    await expect(late).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('anonymized twice: its passes are drawn again once', async () => {
    const [template] = await newTemplates(1);
    const clientId = harness.client();
    const { id } = await harness.pass(template!, { client_id: clientId });
    await harness.deliver(harness.event('clients.anonymized', { client_id: clientId }));
    const { barcode_value } = await read(id);
    await harness.deliver(harness.event('clients.anonymized', { client_id: clientId }));
    expect((await read(id)).barcode_value).toBe(barcode_value);
  });

  test('anonymized: its passes say nothing of it any more and are drawn again', async () => {
    const [template] = await newTemplates(1);
    const clientId = harness.client();
    const fields = { pass_fields: { nickname: 'Ada' } };
    const { id } = await harness.pass(template!, { client_id: clientId, ...fields });
    await updatePass(harness.deps, { ...own(), id, notification: 'Hello Ada' });
    await harness.deliver(harness.event('clients.anonymized', { client_id: clientId }));
    expect(await read(id)).toMatchObject({ pass_fields: {}, notification: null });
    expect(await harness.owed()).toEqual([id]);
  });

  test.each(['deleted', 'anonymized'] as const)(
    '%s: pictures that only its passes showed go, those that others show stay',
    async (how) => {
      const { deps, workspaceId } = harness;
      const keep = async (name: string) => {
        const content = await sharp({
          create: { width: 2, height: 2, channels: 3, background: 'red' },
        })
          .png()
          .toBuffer();
        const request = { workspace_id: workspaceId, filename: name, content };
        return (await storeFile(deps, request)).id;
      };
      const [photo, logo, shared] = [await keep('photo'), await keep('logo'), await keep('shared')];
      const template = await harness.template((await harness.project()).id, { logo });
      const [gone, stays] = [harness.client(), harness.client()];
      const fields = { photo, logo, picture: `https://l.example/assets/${shared}` };
      await harness.pass(template, { client_id: gone, pass_fields: fields });
      await harness.pass(template, { client_id: stays, pass_fields: { picture: shared } });
      await harness.deliver(
        how === 'deleted'
          ? harness.event('clients.deleted', { client_id: gone, external_identities: [] })
          : harness.event('clients.anonymized', { client_id: gone }),
      );
      const left = await deps.files.list(workspaceId, { limit: 10 });
      expect(left.files.map(({ filename }) => filename).sort()).toEqual(['logo', 'shared']);
    },
  );

  test('merged: its passes move, but for one on a template where the target has one', async () => {
    const [shared, alone] = await newTemplates(2);
    const [source, target] = [harness.client(), harness.client()];
    const kept = await harness.pass(shared!, { client_id: target });
    const detached = await harness.pass(shared!, { client_id: source });
    const moved = await harness.pass(alone!, { client_id: source });
    const merged = { source_client_id: source, target_client_id: target };
    await harness.deliver(harness.event('clients.merged', merged));
    expect((await passesOf(target)).map((pass) => pass.id)).toEqual([moved.id, kept.id]);
    expect((await read(detached.id)).client_id).toBeNull();
    const generationOf = async (id: string) =>
      (await harness.deps.passes.find(harness.workspaceId, id))!.link_generation;
    expect([await generationOf(detached.id), await generationOf(moved.id)]).toEqual([1, 0]);
    expect(await harness.told('passes.pass_updated')).toHaveLength(2);
  });

  test('merged: of two cards of one template one stays, also where a tier has put it on another', async () => {
    const [home, golden] = await newTemplates(2);
    const [source, target] = [harness.client(), harness.client()];
    const gold = { id: newId(), name: 'Gold', pass_template_id: golden!.id };
    harness.peers.tiers = [gold];
    harness.peers.tierOf.set(target, gold.id);
    const kept = await harness.pass(home!, { client_id: target });
    await harness.deliver(promoted(target, gold));
    const detached = await harness.pass(home!, { client_id: source });
    const merged = { source_client_id: source, target_client_id: target };
    await harness.deliver(harness.event('clients.merged', merged));
    expect(await passesOf(target)).toMatchObject([{ id: kept.id, pass_template_id: golden!.id }]);
    expect((await read(detached.id)).client_id).toBeNull();
    harness.peers.tierOf.delete(target);
    await harness.deliver(promoted(target, null));
    expect((await read(kept.id)).pass_template_id).toBe(home!.id);
  });

  test('merged: a card that shows another template for a while moves, though the target has one of that template', async () => {
    const [home, away, other] = await newTemplates(3);
    const [source, target] = [harness.client(), harness.client()];
    const inPlace = { pass_template_id: away!.id, duration_days: 1 };
    const moved = await harness.pass(home!, { client_id: source });
    await updatePass(harness.deps, { ...own(), id: moved.id, ...inPlace });
    const kept = await harness.pass(away!, { client_id: target });
    const elsewhere = { pass_template_id: other!.id, duration_days: 1 };
    await updatePass(harness.deps, { ...own(), id: kept.id, ...elsewhere });
    const merged = { source_client_id: source, target_client_id: target };
    await harness.deliver(harness.event('clients.merged', merged));
    expect((await passesOf(target)).map(({ id }) => id).sort()).toEqual([moved.id, kept.id].sort());
  });
});

describe('a notification', () => {
  test('of a reward is filled and shown on every pass of the client', async () => {
    const [one, other] = await newTemplates(2);
    const clientId = harness.client({ first_name: 'Ada', custom_fields: { city: 'Berlin' } });
    const passes = [
      await harness.pass(one!, { client_id: clientId }),
      await harness.pass(other!, { client_id: clientId }),
    ];
    await harness.deliver(
      harness.event('rewards.notification_requested', {
        client_id: clientId,
        reward_id: newId(),
        redemption_id: newId(),
        body: '{{first_name}} from {{city}}: {{reward_name}}, {{coupon_code}}, {{points_spent}}',
        tokens: { reward_name: 'Coffee', coupon_code: 'ABC', points_spent: 12.5 },
      }),
    );
    for (const { id } of passes)
      expect((await read(id)).notification).toBe('Ada from Berlin: Coffee, ABC, 12.5');
    expect((await harness.owed()).sort()).toEqual(passes.map(({ id }) => id).sort());
  });

  test('of a rule shows its title, and points as they are', async () => {
    harness.peers.walletTypes = [{ code: 'beans', is_default: true, name: 'Beans' }];
    const [template] = await newTemplates(1);
    const clientId = harness.client();
    harness.peers.balances.set(clientId, 40);
    const { id } = await harness.pass(template!, { client_id: clientId });
    await pushNews(clientId, 'You have ${wallet.points} ${wallet.name}');
    expect((await read(id)).notification).toBe('News\nYou have 40 Beans');
  });
});

describe('what is asked for a client who was merged since', () => {
  /** The clients service is done with the merge; `hear` lets this one know. */
  async function merged() {
    const [home, away] = await newTemplates(2);
    const [source, target] = [harness.client(), harness.client({ first_name: 'Grace' })];
    const { id } = await harness.pass(home!, { client_id: source });
    harness.peers.clients.delete(source);
    harness.peers.successors.set(source, target);
    const news = { source_client_id: source, target_client_id: target };
    const hear = () => harness.deliver(harness.event('clients.merged', news));
    return { id, source, away: away!, hear };
  }

  test.each(['before', 'after'])(
    'a text, %s this service hears of it, is for the target',
    async (when) => {
      const { id, source, hear } = await merged();
      if (when === 'after') await hear();
      await pushNews(source, 'Hello {{first_name}}');
      expect((await read(id)).notification).toBe('News\nHello Grace');
    },
  );

  test.each(['before', 'after'])(
    'a template, %s this service hears of it, is for the pass of then',
    async (when) => {
      const { id, source, away, hear } = await merged();
      if (when === 'after') await hear();
      await harness.deliver(
        harness.event('automations.template_switch_requested', {
          automation_rule_id: newId(),
          automation_execution_id: newId(),
          client_id: source,
          template_id: away.id,
          duration_days: null,
        }),
      );
      expect((await read(id)).pass_template_id).toBe(away.id);
    },
  );
});

describe('a template that a rule asks for', () => {
  const ask = (clientId: string, templateId: string, days: number | null) =>
    harness.event('automations.template_switch_requested', {
      automation_rule_id: newId(),
      automation_execution_id: newId(),
      client_id: clientId,
      template_id: templateId,
      duration_days: days,
    });

  test('is put on the pass of its project, once, for as long as asked', async () => {
    const [home, away] = await newTemplates(2);
    const [elsewhere] = await newTemplates(1);
    const clientId = harness.client();
    const { id } = await harness.pass(home!, { client_id: clientId });
    const other = await harness.pass(elsewhere!, { client_id: clientId });
    const asked = ask(clientId, away!.id, 2);
    await harness.deliver(asked);
    await harness.deliver(asked);
    expect(await read(id)).toMatchObject({
      pass_template_id: away!.id,
      previous_template_id: home!.id,
    });
    expect((await read(other.id)).pass_template_id).toBe(elsewhere!.id);
    const [told] = await harness.told('passes.pass_updated');
    expect(told?.data).toMatchObject({ source: 'automation', previous_template_id: home!.id });
  });

  test('that is gone by then changes nothing', async () => {
    const [home] = await newTemplates(1);
    const clientId = harness.client();
    const { id } = await harness.pass(home!, { client_id: clientId });
    await harness.deliver(ask(clientId, newId(), null));
    expect((await read(id)).pass_template_id).toBe(home!.id);
  });
});

describe('a tier', () => {
  test('writes its field and puts its template on; without one both go back', async () => {
    const [home, golden] = await newTemplates(2);
    const clientId = harness.client();
    const gold = {
      id: newId(),
      name: 'Gold',
      pass_template_id: golden!.id,
      pass_sync_config: { field_name: 'level', sync_value: 'top' },
    };
    const plain = { id: newId(), name: 'Plain', pass_sync_config: { field_name: 'rank' } };
    harness.peers.tiers = [plain, gold];
    const { id } = await harness.pass(home!, { client_id: clientId, pass_fields: { a: 1 } });

    harness.peers.tierOf.set(clientId, gold.id);
    const up = promoted(clientId, gold);
    await harness.deliver(up);
    await harness.deliver(up);
    expect(await read(id)).toMatchObject({
      pass_fields: { a: 1, level: 'top' },
      pass_template_id: golden!.id,
      template_expires_at: null,
    });

    harness.peers.tierOf.set(clientId, plain.id);
    await harness.deliver(promoted(clientId, plain));
    expect(await read(id)).toMatchObject({
      pass_fields: { a: 1, rank: 'Plain' },
      pass_template_id: home!.id,
    });

    harness.peers.tierOf.delete(clientId);
    await harness.deliver(promoted(clientId, null));
    expect((await read(id)).pass_fields).toEqual({ a: 1 });
  });

  test('that names a template that is gone puts none on, and what an earlier one put on goes', async () => {
    const [home, golden] = await newTemplates(2);
    const clientId = harness.client();
    const gold = { id: newId(), name: 'Gold', pass_template_id: golden!.id };
    const silver = { id: newId(), name: 'Silver', pass_template_id: newId() };
    harness.peers.tiers = [gold, silver];
    const { id } = await harness.pass(home!, { client_id: clientId });
    for (const [tier, shown] of [
      [gold, golden],
      [silver, home],
    ] as const) {
      harness.peers.tierOf.set(clientId, tier.id);
      await harness.deliver(promoted(clientId, tier));
      expect((await read(id)).pass_template_id).toBe(shown!.id);
    }
  });

  test('is on a pass that is created later, and does not undo a template chosen by hand', async () => {
    const [home, golden, chosen] = await newTemplates(3);
    const clientId = harness.client();
    const gold = { id: newId(), name: 'Gold', pass_template_id: golden!.id };
    harness.peers.tiers = [gold];
    harness.peers.tierOf.set(clientId, gold.id);
    const { id } = await harness.pass(home!, { client_id: clientId });
    const [created] = await harness.told('passes.pass_created');
    await harness.deliver(created!);
    expect((await read(id)).pass_template_id).toBe(golden!.id);
    await updatePass(harness.deps, { ...own(), id, pass_template_id: chosen!.id });
    for (const told of await harness.told('passes.pass_updated')) await harness.deliver(told);
    expect((await read(id)).pass_template_id).toBe(chosen!.id);
  });

  test('that has another name or field, or is gone, leaves nothing of before on a pass; what staff put there stays', async () => {
    const [template] = await newTemplates(1);
    const clientId = harness.client();
    const gold = { id: newId(), name: 'Gold', pass_sync_config: { field_name: 'level' } };
    harness.peers.tiers = [gold];
    harness.peers.tierOf.set(clientId, gold.id);
    const { id } = await harness.pass(template!, { client_id: clientId, pass_fields: { a: 1 } });
    await harness.deliver(promoted(clientId, gold));
    const fieldsWith = async (tiers: typeof harness.peers.tiers) => {
      harness.peers.tiers = tiers;
      await harness.deliver(harness.event('tiers.tier_deleted', { tier_id: newId() }));
      await workOff(templateRefreshWorker(harness.deps));
      return (await read(id)).pass_fields;
    };
    expect(await fieldsWith([{ ...gold, name: 'Premium' }])).toEqual({ a: 1, level: 'Premium' });
    const elsewhere = { ...gold, pass_sync_config: { field_name: 'rank', sync_value: 'top' } };
    expect(await fieldsWith([elsewhere])).toEqual({ a: 1, rank: 'top' });
    await updatePass(harness.deps, { ...own(), id, pass_fields: { a: 1, rank: 'mine' } });
    expect(await fieldsWith([gold])).toEqual({ a: 1, rank: 'mine' });
    await harness.deliver(promoted(clientId, gold));
    expect((await read(id)).pass_fields).toEqual({ a: 1, rank: 'mine', level: 'Gold' });
    harness.peers.tierOf.delete(clientId);
    harness.peers.tiers = [];
    await harness.deliver(promoted(clientId, null));
    expect((await read(id)).pass_fields).toEqual({ a: 1, rank: 'mine' });
  });

  test('that names a field for the first time has it on the passes of its members, but where staff put something', async () => {
    const [template] = await newTemplates(1);
    const gold = { id: newId(), name: 'Gold' };
    harness.peers.tiers = [gold];
    const passOf = async (pass_fields: Record<string, string | number>, tier?: string) => {
      const client_id = harness.client();
      if (tier !== undefined) harness.peers.tierOf.set(client_id, tier);
      return (await harness.pass(template!, { client_id, pass_fields })).id;
    };
    const ids = [
      await passOf({ a: 1 }, gold.id),
      await passOf({ level: 'mine' }, gold.id),
      await passOf({ a: 1 }),
      (await harness.pass(template!, { pass_fields: { a: 1 } })).id,
    ];
    harness.peers.tiers = [{ ...gold, pass_sync_config: { field_name: 'level' } }];
    await harness.deliver(harness.event('tiers.tier_deleted', { tier_id: newId() }));
    await workOff(templateRefreshWorker(harness.deps));
    const fields = await Promise.all(ids.map(async (id) => (await read(id)).pass_fields));
    expect(fields).toEqual([{ a: 1, level: 'Gold' }, { level: 'mine' }, { a: 1 }, { a: 1 }]);
  });

  test('that is made, and so moves the levels of others, has all cards drawn again', async () => {
    const [template] = await newTemplates(1);
    const { id } = await harness.pass(template!, { client_id: harness.client() });
    const tier = {
      ...reference(newId(), 'Bronze'),
      tier_set_id: newId(),
      workspace_id: harness.workspaceId,
      ...{ description: null, condition_values: {}, benefits: [], color: null, icon: null },
      ...{ pass_sync_config: {}, pass_template_id: null, notification_config: null },
    };
    await harness.deliver(harness.event('tiers.tier_created', { tier }));
    await workOff(templateRefreshWorker(harness.deps));
    expect(await harness.owed()).toEqual([id]);
  });

  test('that changes while an earlier one is put on is what the pass shows in the end', async () => {
    const [template] = await newTemplates(1);
    const clientId = harness.client();
    const tierNamed = (name: string) => {
      return { id: newId(), name, pass_sync_config: { field_name: 'level' } };
    };
    const [silver, gold] = [tierNamed('Silver'), tierNamed('Gold')];
    harness.peers.tiers = [silver, gold];
    harness.peers.tierOf.set(clientId, silver.id);
    const { id } = await harness.pass(template!, { client_id: clientId });
    const { GetClientTiers } = harness.deps.tiers;
    let hasRisen = false;
    harness.deps.tiers.GetClientTiers = async (request) => {
      const found = await GetClientTiers(request);
      if (!hasRisen) {
        hasRisen = true;
        harness.peers.tierOf.set(clientId, gold.id);
        await harness.deliver(promoted(clientId, gold));
      }
      return found;
    };
    await harness.deliver(promoted(clientId, silver));
    expect((await read(id)).pass_fields).toEqual({ level: 'Gold' });
  });
});

describe('a wallet update', () => {
  const ROOM: Room = { count: 1, share: 1, inHand: new Map() };
  const claim = async () => {
    const wanted = { now: harness.clock.now(), leaseMs: 30_000 };
    return (await harness.deps.passUpdates.due.claim(ROOM, wanted)).map(({ row }) => row);
  };

  test('is owed after whatever changes what a pass shows', async () => {
    const [template] = await newTemplates(1);
    const clientId = harness.client();
    const { id } = await harness.pass(template!, { client_id: clientId });
    await harness.pass(template!, { client_id: harness.client() });
    const snapshot = { id: clientId } as never;
    const told = { ...harness.event('clients.anonymized', { client_id: clientId }) };
    const updated = { ...told, type: 'clients.updated', data: { client_id: clientId, snapshot } };
    const earned = { ...told, type: 'loyalty.points_earned' };
    for (const event of [updated, earned]) {
      await harness.deliver(event);
      expect(await harness.owed()).toEqual([id]);
      const [claimed] = await claim();
      await harness.deps.passUpdates.settle([claimed!], harness.clock.now());
      expect(await harness.owed()).toEqual([]);
      harness.clock.advanceMs(5_000);
    }
  });

  test('goes out at most every 5 seconds, and leaves nothing out', async () => {
    const [template] = await newTemplates(1);
    const { id } = await harness.pass(template!);
    const { passUpdates } = harness.deps;
    const ask = () =>
      passUpdates.ask(harness.workspaceId, { passIds: [id], now: harness.clock.now() });
    await Promise.all([ask(), ask(), ask()]);
    const [claimed] = await claim();
    expect(claimed).toMatchObject({ passId: id, workspaceId: harness.workspaceId });
    expect(await claim()).toEqual([]);
    await ask();
    await passUpdates.settle([claimed!], harness.clock.now());
    expect(await harness.owed()).toEqual([id]);
    harness.clock.advanceMs(4_999);
    expect(await claim()).toEqual([]);
    harness.clock.advanceMs(1);
    const [again] = await claim();
    await passUpdates.settle([again!], harness.clock.now());
    expect(await harness.owed()).toEqual([]);
  });

  test('is claimed by one of many at once, and by another when that one died', async () => {
    const [template] = await newTemplates(1);
    const { id } = await harness.pass(template!);
    const { passUpdates } = harness.deps;
    await passUpdates.ask(harness.workspaceId, { passIds: [id], now: harness.clock.now() });
    const claims = await Promise.all(Array.from({ length: 6 }, claim));
    expect(claims.flat()).toHaveLength(1);
    harness.clock.advanceMs(30_001);
    expect(await claim()).toMatchObject([{ passId: id }]);
  });
});

test('a workspace that is deleted leaves nothing behind', async () => {
  const [template] = await newTemplates(1);
  await harness.pass(template!, { client_id: harness.client() });
  // Events and kept answers end by themselves.
  const own = collections.filter((each) => !ofEveryService.includes(each));
  const held = async () => {
    const names = own.map(({ collection }) => collection);
    const counts = await Promise.all(
      names.map((name) => harness.connection.collection(name).countDocuments({})),
    );
    return names.filter((_, at) => counts[at]! > 0);
  };
  const kept = ['projects', 'pass_templates', 'template_doors', 'passes', 'pass_updates'];
  expect(await held()).toEqual(expect.arrayContaining(kept));
  const gone = harness.event('clients.anonymized', { client_id: newId() });
  await harness.deliver({ ...gone, type: 'identity.workspace_deleted', data: {} });
  expect(await held()).toEqual([]);
});
