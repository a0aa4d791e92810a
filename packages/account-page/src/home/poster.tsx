import { Button, Notice } from '@laurel/page-kit';
import { posterText } from '@laurel/page-kit/poster';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePage } from '../context';
import { sayRefused } from '../refusals';
import type { Form, Shop } from '../shop';

/** The sign-up form as a code to hang by the door; the print button prints this and nothing else. */
export function Poster({
  shop,
  name,
  form,
  locale,
}: {
  shop: Shop;
  /** What customers call it. */
  name: string;
  form: Form;
  /** What the shop's customers speak. */
  locale: string;
}): VNode {
  const { language, session } = usePage();
  const { say } = language;
  const { lang, text } = posterText(locale);
  const [picture, setPicture] = useState<string | null>(null);
  const [refused, setRefused] = useState<unknown>(null);
  useEffect(() => {
    let made: string | null = null;
    const draw = async () => {
      const access = await session.token();
      const address = `/service-api/workspace/${shop.id}/distributions/${form.id}/qr?format=svg`;
      const answer = await fetch(address, { headers: { Authorization: `Bearer ${access}` } });
      if (!answer.ok) throw new Error(`the code answered ${answer.status}`);
      made = URL.createObjectURL(await answer.blob());
      setPicture(made);
    };
    draw().catch(setRefused);
    return () => {
      if (made) URL.revokeObjectURL(made);
    };
  }, [form.id]);
  return (
    <div class="stack hung">
      <div class="poster">
        <p class="poster-name">{name}</p>
        {picture && <img src={picture} alt={say('poster.alt')} />}
        <p lang={lang}>{text}</p>
      </div>
      {refused !== null && <Notice kind="bad">{sayRefused(language, refused)}</Notice>}
      <Button type="button" onClick={() => print()}>
        {say('poster.print')}
      </Button>
    </div>
  );
}
