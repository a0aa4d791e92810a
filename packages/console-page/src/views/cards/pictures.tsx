import { type ReactNode, useEffect, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Loaded } from '../../parts/loaded';
import { Panel } from '../../parts/page';

/** The platform's own pictures of what is saved: what the phones get. */
export function Pictures({ id, version }: { id: string; version: string }): ReactNode {
  const { language } = useConsole();
  const { say } = language;
  return (
    <Panel title={say('card.pictures')}>
      {(['apple', 'google'] as const).map((platform) => (
        <Picture key={platform} id={id} platform={platform} version={version} />
      ))}
    </Panel>
  );
}

function Picture({
  id,
  platform,
  version,
}: {
  id: string;
  platform: 'apple' | 'google';
  version: string;
}): ReactNode {
  const { fetch, language, workspace } = useConsole();
  const picture = useAsk(['card-picture', id, platform, version], async () => {
    const place = `/service-api/workspace/${workspace.id}/pass-templates/${id}/preview`;
    const answer = await fetch(`${place}?platform=${platform}&format=png`);
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
