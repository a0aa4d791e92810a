import { Button, Notice } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { usePage } from '../context';
import { FirstRun } from '../first-run/first-run';
import { Heading } from '../heading';
import { Home } from '../home/home';
import { sayRefused } from '../refusals';
import { createShopApi, type Shop, type Standing } from '../shop';
import { SignOut } from '../sign-out';
import { OpenInvitations } from './open-invitations';
import { PendingAddress } from './pending-address';

/** Where signing in leads: the first run as long as something is missing, then what the programme has to offer. */
export function Welcome(): VNode {
  const { account, language, go } = usePage();
  const { say } = language;
  useEffect(() => {
    if (account === null) go('/sign-in');
  }, [account]);
  if (!account) return <Waiting />;
  return (
    <div class="stack">
      {!account.user.email_verified && <PendingAddress account={account} />}
      <Shops />
      <div class="row">
        <span class="hint">{say('signedInAs', { email: account.user.email })}</span>
        <SignOut text={say('signOut')} />
      </div>
    </div>
  );
}

function Shops(): VNode {
  const { language, session } = usePage();
  const { say } = language;
  const [shops, setShops] = useState<Shop[] | null>(null);
  const [chosen, choose] = useState<Shop | null>(null);
  // What is typed for one shop is not what another is asked.
  const [picked, pick] = useState('');
  const [standing, setStanding] = useState<Standing | null>(null);
  const [refused, setRefused] = useState<unknown>(null);
  const api = createShopApi(session);
  const turn = useRef(0);

  async function load(shop?: Shop): Promise<void> {
    turn.current += 1;
    const mine = turn.current;
    setRefused(null);
    try {
      const all = await api.shops();
      const next = shop ?? all.find(({ id }) => id === chosen?.id) ?? all[0] ?? null;
      const found = next ? await api.standing(next) : null;
      // Another shop was chosen since: what is shown of this one would be taken for that one's.
      if (turn.current !== mine) return;
      setStanding(found);
      choose(next);
      setShops(all);
    } catch (error) {
      if (turn.current === mine) setRefused(error);
    }
  }
  useEffect(() => void load(), []);

  if (refused !== null)
    return (
      <section class="card stack">
        <Heading text={say('welcome.title')} />
        <Notice kind="bad">{sayRefused(language, refused)}</Notice>
        <Button type="button" onClick={() => load()}>
          {say('retry')}
        </Button>
      </section>
    );
  if (!shops) return <Waiting />;
  const isOwner = chosen?.role === 'admin';
  const isUnfinished = !chosen || (isOwner && standing && !standing.form);
  return (
    <>
      <OpenInvitations onAccepted={() => load()} />
      {shops.length > 1 && (
        <label class="field card">
          {say('welcome.choose')}
          <select
            value={chosen?.id}
            onChange={({ currentTarget: { value } }) => {
              pick(value);
              void load(shops.find(({ id }) => id === value));
            }}
          >
            {shops.map(({ id, name }) => (
              <option value={id} key={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {isUnfinished ? (
        <FirstRun key={picked} shop={chosen} standing={standing} onChange={load} />
      ) : (
        <Home key={chosen.id} shop={chosen} standing={standing!} />
      )}
    </>
  );
}

function Waiting(): VNode {
  const { say } = usePage().language;
  return (
    <section class="card" aria-busy="true">
      <p role="status">{say('loading')}</p>
    </section>
  );
}
