import type { StaffUser } from '@laurel/client';
import { Button } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { renderSVG } from 'uqr';
import { readyTill } from '../../api/till';
import { useConsole } from '../../console';
import { LANGUAGES } from '../../language';
import { useAsk, useForget } from '../../parts/ask';
import { Loaded } from '../../parts/loaded';
import { Notice } from '../../parts/notice';
import { Sheet } from '../../parts/sheet';
import { staffName } from './staff-name';

const EVERY_MS = 2_000;

/** A code that makes a phone a till when it is scanned. */
export function Pair({ user, onClose }: { user: StaffUser; onClose: () => void }): ReactNode {
  const { laurel, language, settings } = useConsole();
  const { say, time } = language;
  const forget = useForget();
  // Each code ends the one before it, which somebody may be typing by now.
  const code = useAsk(
    ['pairing', user.id],
    async () => {
      await readyTill(laurel, await LANGUAGES.of(settings.default_locale));
      return laurel.staffUsers.sendPairingCode(user.id, { delivery_method: 'none' });
    },
    { isOnce: true },
  );
  const now = useAsk(['staff', user.id], () => laurel.staffUsers.get(user.id), {
    everyMs: EVERY_MS,
  });
  const isPaired =
    now.data !== undefined && now.data.paired_at !== null && now.data.paired_at !== user.paired_at;
  useEffect(() => {
    if (isPaired) forget('staff', 'till-config', 'overview');
  }, [isPaired]);
  const identifier = user.email ?? user.phone ?? '';
  return (
    <Sheet title={say('till.pairOf', { name: staffName(user) })} onClose={onClose}>
      {isPaired ? (
        <div className="stack">
          <Notice kind="good">{say('till.paired')}</Notice>
          <Button onClick={onClose}>{say('close')}</Button>
        </div>
      ) : (
        <Loaded query={code} lines={8}>
          {(sent) => {
            // What follows on the # stays in the browser: no server and no log ever sees the code.
            const address = `${location.origin}/till/#pair=${encodeURIComponent(identifier)}:${sent.code}`;
            const picture = `data:image/svg+xml,${encodeURIComponent(renderSVG(address, { border: 2 }))}`;
            return (
              <div className="stack">
                <p>{say('till.scan')}</p>
                <img className="qr" src={picture} alt={say('till.qr')} />
                <p>{say('till.byHand', { identifier })}</p>
                <p className="big">{sent.code}</p>
                <p className="hint">
                  {say('till.until', { time: time(new Date(sent.expires_at)) })}
                </p>
                <Button variant="default" onClick={() => void code.refetch()}>
                  {say('till.again')}
                </Button>
              </div>
            );
          }}
        </Loaded>
      )}
    </Sheet>
  );
}
