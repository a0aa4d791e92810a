import type { Campaign } from '@laurel/client';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk, useForget } from '../../parts/ask';
import { DeleteButton } from '../../parts/delete-button';
import { Go, useGo, usePathPart } from '../../parts/go';
import { Loaded, Trouble } from '../../parts/loaded';
import { Managed } from '../../parts/managed';
import { Page, Panel } from '../../parts/page';
import { useToast } from '../../parts/toast';
import { useWish } from '../../parts/wish';
import { Actions } from './actions';
import { CampaignState } from './campaigns';
import { Check } from './check';
import { Schedule } from './schedule';
import { Statistics } from './statistics';

/** One campaign: who, what, when, and what came of it. */
export function CampaignPage(): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const id = usePathPart(1);
  const go = useGo();
  const forget = useForget();
  const toast = useToast();
  const campaign = useAsk(['campaigns', id], () => laurel.campaigns.get(id));
  const copy = useWish(
    (_: null, options) => laurel.campaigns.duplicate(id, {}, options),
    (made) => {
      forget('campaigns');
      toast({ text: say('campaign.copied') });
      go(`/campaigns/${made.id}`);
    },
  );
  const remove = useWish(
    (_: null, options) => laurel.campaigns.delete(id, options),
    () => {
      forget('campaigns');
      go('/campaigns');
    },
  );
  const refused = copy.refused ?? remove.refused;
  return (
    <Loaded query={campaign} lines={10}>
      {(found) => (
        <Page
          title={found.name}
          lead={<CampaignState status={found.status} />}
          back={{ to: '/campaigns', label: say('campaigns.title') }}
          actions={
            <>
              <Button variant="default" loading={copy.isBusy} onClick={() => void copy.send(null)}>
                {say('campaign.copy')}
              </Button>
              {found.status === 'draft' && (
                <DeleteButton
                  ask={say('campaign.delete.ask', { name: found.name })}
                  wish={remove}
                />
              )}
            </>
          }
        >
          <Managed kind="campaigns" name={found.key} />
          {refused !== null && <Trouble error={refused} />}
          {found.status !== 'draft' && found.status !== 'scheduled' && (
            <Statistics id={id} status={found.status} />
          )}
          <Who key={`who ${found.date_updated}`} campaign={found} />
          <Actions campaign={found} />
          {(found.status === 'draft' || found.status === 'scheduled') && <Check campaign={found} />}
          <Schedule campaign={found} />
        </Page>
      )}
    </Loaded>
  );
}

/** Who gets it; saved as it is chosen, since a draft reaches nobody. */
function Who({ campaign }: { campaign: Campaign }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const forget = useForget();
  const isDraft = campaign.status === 'draft';
  const segments = useAsk(['segments'], () => laurel.segments.list());
  const [name, setName] = useState(campaign.name);
  const count = useAsk(
    ['campaigns', campaign.id, 'count', campaign.segment_id],
    () => laurel.campaigns.countAudience(campaign.id),
    { isWanted: campaign.segment_id !== null || campaign.manual_client_ids.length > 0 },
  );
  const change = useWish(
    (body: { segment_id?: string | null; name?: string }, options) =>
      laurel.campaigns.update(campaign.id, body, options),
    () => forget('campaigns'),
  );
  return (
    <Panel title={`1. ${say('campaign.who')}`}>
      {change.refused !== null && <Trouble error={change.refused} />}
      <div className="row row-end">
        <TextInput
          className="grow"
          label={say('name')}
          value={name}
          disabled={!isDraft}
          onChange={(event) => setName(event.currentTarget.value)}
          onBlur={() => {
            if (name.trim() !== '' && name !== campaign.name) void change.send({ name });
          }}
        />
        <NativeSelect
          label={say('customers.segment')}
          value={campaign.segment_id ?? ''}
          disabled={!isDraft || change.isBusy}
          onChange={(event) => void change.send({ segment_id: event.currentTarget.value || null })}
          data={[
            { value: '', label: say('choose') },
            ...(segments.data ?? []).map((one) => ({ value: one.id, label: one.name })),
          ]}
        />
        {isDraft && <Go to="/segments/new">{say('segments.new')}</Go>}
      </div>
      {count.data !== undefined && <b>{say('tiers.count', { count: count.data })}</b>}
    </Panel>
  );
}
