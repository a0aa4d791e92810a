import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Loaded } from '../../parts/loaded';
import { tellEventType } from './tell-events';

const EVERYTHING = '*';

/** Which events an address hears of. All of them, also those to come, is a choice beside which no other stands. */
export function EventChoice({
  value,
  onChange,
  error,
}: {
  value: readonly string[];
  onChange: (types: string[]) => void;
  error: string | undefined;
}): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const types = useAsk(['event-types'], () => laurel.webhooks.listEventTypes());
  const hearsAll = value.includes(EVERYTHING);
  return (
    <Loaded query={types}>
      {(all) => {
        const offered = all.filter(({ webhook }) => webhook);
        // Groups such as loyalty.* come from programs, and must not go by being looked at.
        const others = value.filter(
          (one) => one !== EVERYTHING && !offered.some(({ type }) => type === one),
        );
        return (
          <Checkbox.Group
            label={say('webhook.events')}
            value={[...value]}
            onChange={(chosen) =>
              onChange(chosen.includes(EVERYTHING) && !hearsAll ? [EVERYTHING] : chosen)
            }
            error={error}
          >
            <div className="stack-small">
              <Checkbox value={EVERYTHING} label={say('webhook.everything')} />
              {others.map((type) => (
                <Checkbox key={type} value={type} label={type} disabled={hearsAll} />
              ))}
              {offered.map((event) => (
                <Checkbox
                  key={event.type}
                  value={event.type}
                  label={event.type}
                  description={tellEventType(say, event)}
                  disabled={hearsAll}
                />
              ))}
            </div>
          </Checkbox.Group>
        );
      }}
    </Loaded>
  );
}
