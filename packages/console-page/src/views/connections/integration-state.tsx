import type { Integration } from '@laurel/client';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { Badge } from '../../parts/badge';

/** How a shop system does, in one word. */
export function IntegrationState({
  integration: { last_error, enabled_inbound, enabled_outbound },
}: {
  integration: Pick<Integration, 'last_error' | 'enabled_inbound' | 'enabled_outbound'>;
}): ReactNode {
  const { say } = useConsole().language;
  if (last_error) return <Badge kind="bad">{say('integrations.trouble')}</Badge>;
  if (enabled_inbound || enabled_outbound) return <Badge kind="good">{say('on')}</Badge>;
  return <Badge>{say('off')}</Badge>;
}
