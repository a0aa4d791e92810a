import { Button, Notice, newKey, useForm } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { renderSVG } from 'uqr';
import { usePage } from '../context';
import { LANGUAGES } from '../language';
import { sayRefused } from '../refusals';
import { createShopApi, type Shop } from '../shop';
import { type Pairing, pairPhone } from './pair-phone';

async function tillWords(locale: string): Promise<{ purchase: string; amount: string }> {
  const { say } = await LANGUAGES.of(locale);
  return { purchase: say('till.purchase'), amount: say('till.amount') };
}

/** Makes a phone a till: a code that it scans, good for ten minutes. */
export function TillTile({ shop }: { shop: Shop }): VNode {
  const { language, session, account } = usePage();
  const { say, time } = language;
  const [pairing, setPairing] = useState<Pairing | null>(null);
  const { isBusy, refused, submit } = useForm(async () => {
    setPairing(
      await pairPhone(
        { api: createShopApi(session), shop },
        { user: account!.user, words: tillWords },
        newKey(),
      ),
    );
  });
  return (
    <form class="card stack tile" onSubmit={submit}>
      <h2>{say('till.title')}</h2>
      <p>{say('till.text')}</p>
      {pairing && (
        <>
          <img class="qr" src={drawn(tillAddress(pairing))} alt={say('till.qr')} />
          <p>{say('till.byHand', { identifier: pairing.identifier })}</p>
          <p class="code">{pairing.code}</p>
          <p class="hint">{say('till.until', { time: time(new Date(pairing.expiresAt)) })}</p>
        </>
      )}
      {refused !== null && <Notice kind="bad">{sayRefused(language, refused)}</Notice>}
      <Button kind={pairing ? 'quiet' : 'main'} isBusy={isBusy}>
        {say(pairing ? 'till.again' : 'till.pair')}
      </Button>
    </form>
  );
}

/** What follows on the # stays in the browser: no server and no log ever sees the code. */
const tillAddress = ({ identifier, code }: Pairing): string =>
  `${location.origin}/till/#pair=${encodeURIComponent(identifier)}:${code}`;

const drawn = (address: string): string =>
  `data:image/svg+xml,${encodeURIComponent(renderSVG(address, { border: 1 }))}`;
