import type { Campaign, CampaignsUpdateBody } from '@laurel/client';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk, useForget } from '../../parts/ask';
import { useChange } from '../../parts/change';
import { DeleteButton } from '../../parts/delete-button';
import { Editing, readSeen, type Seen, useHold } from '../../parts/editing';
import { Go, useGo, usePathPart } from '../../parts/go';
import { Loaded, Trouble } from '../../parts/loaded';
import { Managed } from '../../parts/managed';
import { Page, Panel } from '../../parts/page';
import { Refused } from '../../parts/refused';
import { choicesOf, withStored } from '../../parts/stored-choice';
import { useToast } from '../../parts/toast';
import { useWish } from '../../parts/wish';
import { Actions } from './actions';
import { Check } from './check';
import { Schedule } from './schedule';
import { CampaignOutcome, Statistics } from './statistics';

/** What goes on by itself is looked at: on its way, and until it begins. */
const LOOK_MS: Partial<Record<Campaign['status'], number>> = { active: 3_000, scheduled: 15_000 };

/** One campaign: who, what, when, and what came of it. */
export function CampaignPage(): ReactNode {
  const { laurel } = useConsole();
  const id = usePathPart(1);
  const campaign = useAsk(['campaigns', id], () => readSeen(laurel.campaigns.get(id)), {
    everyMs: (found) => (found && LOOK_MS[found.status]) ?? false,
  });
  return (
    <Loaded query={campaign} lines={10}>
      {() => (
        <Editing key={id} query={campaign}>
          {(row) => <CampaignView campaign={row} />}
        </Editing>
      )}
    </Loaded>
  );
}

function CampaignView({ campaign }: { campaign: Seen<Campaign> }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const go = useGo();
  const leave = useGo({ ignoreBlocker: true });
  const forget = useForget();
  const toast = useToast();
  const { id, name, status } = campaign;
  const copy = useWish(
    (_: null, options) => laurel.campaigns.duplicate(id, {}, options),
    (made) => {
      forget('campaigns');
      toast({ text: say('campaign.copied') });
      go(`/campaigns/${made.id}`);
    },
  );
  const remove = useChange((_: null, options) => laurel.campaigns.delete(id, options), {
    forgets: ['campaigns'],
    onDone: () => leave('/campaigns'),
  });
  return (
    <Page
      title={name}
      lead={<CampaignOutcome id={id} status={status} />}
      back={{ to: '/campaigns', label: say('campaigns.title') }}
      actions={
        <>
          <Button variant="default" loading={copy.isBusy} onClick={() => void copy.send(null)}>
            {say('campaign.copy')}
          </Button>
          {status === 'draft' && (
            <DeleteButton ask={say('campaign.delete.ask', { name })} wish={remove} />
          )}
        </>
      }
    >
      <Managed kind="campaigns" name={campaign.key} />
      {copy.refused !== null && <Trouble error={copy.refused} />}
      <Refused error={remove.refused} />
      {status !== 'draft' && status !== 'scheduled' && <Statistics id={id} status={status} />}
      <Who key={`who ${campaign.date_updated}`} campaign={campaign} />
      <Actions campaign={campaign} />
      {(status === 'draft' || status === 'scheduled') && <Check campaign={campaign} />}
      <Schedule campaign={campaign} />
    </Page>
  );
}

const EVERYBODY = 'everybody';

/** Who gets it; saved as it is chosen, since a draft reaches no customer. */
function Who({ campaign }: { campaign: Campaign }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const isDraft = campaign.status === 'draft';
  const forget = useForget();
  const segments = useAsk(['segments'], () => laurel.segments.list());
  const [name, setName] = useState(campaign.name);
  const isTyped = name !== campaign.name;
  useHold(isTyped);
  const count = useAsk(
    ['campaigns', campaign.id, 'count', campaign.segment_id],
    () => laurel.campaigns.countAudience(campaign.id),
    { isWanted: campaign.segment_id !== null || campaign.manual_client_ids.length > 0 },
  );
  const byHand = campaign.manual_client_ids.length;
  // One who chooses a segment has let the list of customers go: the two exclude each other.
  const audienceOf = (segmentId: string | null): CampaignsUpdateBody => ({
    segment_id: segmentId,
    ...(byHand > 0 ? { manual_client_ids: null } : {}),
  });
  const change = useChange(
    (body: CampaignsUpdateBody, options) => laurel.campaigns.update(campaign.id, body, options),
    { forgets: ['campaigns'] },
  );
  // A shop without segments would have to make one first, and one without a question at that.
  const everybody = useWish(
    (segmentName: string, options) =>
      laurel.segments.create({ name: segmentName, filters: [] }, options),
    (made) => {
      forget('segments', 'names');
      void change.send(audienceOf(made.id));
    },
  );
  const isOffered = isDraft && segments.data?.every((one) => one.filters.length > 0) === true;
  return (
    <Panel title={`1. ${say('campaign.who')}`}>
      {everybody.refused !== null && <Trouble error={everybody.refused} />}
      <Refused
        error={change.refused}
        onAgain={isTyped ? () => void change.send({ name }) : undefined}
      />
      <div className="row row-end">
        <TextInput
          className="grow"
          label={say('name')}
          value={name}
          disabled={!isDraft}
          onChange={(event) => setName(event.currentTarget.value)}
          onBlur={() => {
            if (name.trim() !== '' && isTyped) void change.send({ name });
          }}
        />
        <NativeSelect
          label={say('customers.segment')}
          value={campaign.segment_id ?? ''}
          disabled={!isDraft || change.isBusy || everybody.isBusy}
          onChange={({ currentTarget: { value } }) => {
            if (byHand > 0 && !confirm(say('campaign.manual.ask', { count: byHand }))) return;
            if (value === EVERYBODY) void everybody.send(say('campaign.everybody'));
            else void change.send(audienceOf(value || null));
          }}
          data={[
            {
              value: '',
              label: byHand > 0 ? say('campaign.manual', { count: byHand }) : say('choose'),
            },
            ...(isOffered ? [{ value: EVERYBODY, label: say('campaign.everybody') }] : []),
            ...withStored(say, segments.data && choicesOf(segments.data), campaign.segment_id),
          ]}
        />
        {isDraft && <Go to="/segments/new">{say('segments.new')}</Go>}
      </div>
      {count.data !== undefined && <b>{say('tiers.count', { count: count.data })}</b>}
    </Panel>
  );
}
