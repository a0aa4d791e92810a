import { LaurelError, type PassTemplate } from '@laurel/client';
import { useDebouncedValue } from '@mantine/hooks';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Loaded, Trouble } from '../../parts/loaded';
import { Panel } from '../../parts/page';
import { isOpen } from '../../refusals';

const PAUSE_MS = 500;

interface Drawn {
  id: string;
  draft: Partial<PassTemplate>;
  version: string;
}

/** The platform's own pictures of the card as it stands now, saved or not: what the phones get. */
export function Pictures({ id, draft, version }: Drawn): ReactNode {
  const { language } = useConsole();
  const { say } = language;
  const [wanted] = useDebouncedValue(draft, PAUSE_MS);
  const drawn = { id, draft: wanted, version };
  const [apple, google] = [usePicture('apple', drawn), usePicture('google', drawn)];
  // What cannot be drawn for one cannot be drawn for the other: it is said once.
  const failed = [apple, google].find(({ isError }) => isError);
  const again = () => {
    void apple.refetch();
    void google.refetch();
  };
  return (
    <Panel title={say('card.pictures')}>
      {failed ? (
        <Trouble error={failed.error} {...(isOpen(failed.error) ? { onRetry: again } : {})} />
      ) : (
        <>
          <Picture name="Apple Wallet" picture={apple} />
          <Picture name="Google Wallet" picture={google} />
        </>
      )}
    </Panel>
  );
}

function usePicture(
  platform: 'apple' | 'google',
  { id, draft, version }: Drawn,
): UseQueryResult<Blob> {
  const { fetch, workspace } = useConsole();
  return useAsk(['card-picture', id, platform, draft, version], async () => {
    const answer = await fetch(`/service-api/workspace/${workspace.id}/pass-templates/preview`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ pass_template_id: id, template: draft, platform }),
    });
    if (!answer.ok) throw await refusalOf(answer);
    return answer.blob();
  });
}

/** The client of the platform reads no pictures; what it would have thrown. */
async function refusalOf(answer: Response): Promise<LaurelError> {
  const { errors = [] } = (await answer.json().catch(() => ({}))) as {
    errors?: { message: string; extensions: { code: string; field?: string } }[];
  };
  return new LaurelError({
    status: answer.status,
    problems: errors.map(({ message, extensions }) => ({ ...extensions, message })),
    requestId: undefined,
    retryAfterSeconds: undefined,
  });
}

function Picture({ name, picture }: { name: string; picture: UseQueryResult<Blob> }): ReactNode {
  const { say } = useConsole().language;
  const [address, setAddress] = useState('');
  useEffect(() => {
    if (!picture.data) return;
    const made = URL.createObjectURL(picture.data);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [picture.data]);
  return (
    <figure className="plain">
      <figcaption className="hint">{name}</figcaption>
      <Loaded query={picture} lines={5}>
        {() =>
          address && (
            <img className="card-picture" src={address} alt={say('card.picture', { name })} />
          )
        }
      </Loaded>
    </figure>
  );
}
