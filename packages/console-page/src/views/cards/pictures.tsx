import type { PassTemplate } from '@laurel/client';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useEffect, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Loaded } from '../../parts/loaded';
import { Panel } from '../../parts/page';

const PAUSE_MS = 500;

/** The platform's own pictures of the card as it stands now, saved or not: what the phones get. */
export function Pictures({
  id,
  draft,
  version,
}: {
  id: string;
  draft: Partial<PassTemplate>;
  version: string;
}): ReactNode {
  const { language } = useConsole();
  const { say } = language;
  const [wanted] = useDebouncedValue(draft, PAUSE_MS);
  return (
    <Panel title={say('card.pictures')}>
      {(['apple', 'google'] as const).map((platform) => (
        <Picture key={platform} id={id} platform={platform} draft={wanted} version={version} />
      ))}
    </Panel>
  );
}

function Picture({
  id,
  platform,
  draft,
  version,
}: {
  id: string;
  platform: 'apple' | 'google';
  draft: Partial<PassTemplate>;
  version: string;
}): ReactNode {
  const { fetch, language, workspace } = useConsole();
  const picture = useAsk(['card-picture', id, platform, draft, version], async () => {
    const answer = await fetch(`/service-api/workspace/${workspace.id}/pass-templates/preview`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ pass_template_id: id, template: draft, platform }),
    });
    if (!answer.ok) throw new Error(`the picture answered ${answer.status}`);
    return answer.blob();
  });
  const [address, setAddress] = useState('');
  useEffect(() => {
    if (!picture.data) return;
    const made = URL.createObjectURL(picture.data);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [picture.data]);
  const name = platform === 'apple' ? 'Apple Wallet' : 'Google Wallet';
  return (
    <figure className="plain">
      <figcaption className="hint">{name}</figcaption>
      <Loaded query={picture} lines={5}>
        {() =>
          address && (
            <img
              className="card-picture"
              src={address}
              alt={language.say('card.picture', { name })}
            />
          )
        }
      </Loaded>
    </figure>
  );
}
