import { Button, Notice } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePage } from '../context';
import { sayRefused } from '../refusals';

/** What could not be asked for is not shown: an invitation is in the mail, too. */
const showsNone = (): undefined => undefined;

interface OpenInvitation {
  id: string;
  invitation_token: string;
  workspace_name: string;
}

/** Invitations to the address of the signed-in user, for those who did not come by the mailed link. */
export function OpenInvitations({ onAccepted }: { onAccepted: () => void }): VNode {
  const { language, session } = usePage();
  const { say } = language;
  const [open, setOpen] = useState<OpenInvitation[]>([]);
  const [refused, setRefused] = useState<unknown>(null);
  useEffect(() => {
    session
      .call<{ invitations: OpenInvitation[] }>('GET', '/service-api/my-invitations')
      .then(({ invitations }) => setOpen(invitations), showsNone);
  }, []);
  const accept = async ({ invitation_token }: OpenInvitation) => {
    try {
      const body = { invitation_token };
      await session.call('POST', '/service-api/accept-invitation', { body });
      setOpen(open.filter((each) => each.invitation_token !== invitation_token));
      onAccepted();
    } catch (error) {
      setRefused(error);
    }
  };
  return (
    <>
      {open.map((invitation) => (
        <div class="notice row spread" key={invitation.id}>
          <p>{say('invitation.to', { name: invitation.workspace_name })}</p>
          <Button type="button" onClick={() => accept(invitation)}>
            {say('invitation.accept', { name: invitation.workspace_name })}
          </Button>
        </div>
      ))}
      {refused !== null && <Notice kind="bad">{sayRefused(language, refused)}</Notice>}
    </>
  );
}
