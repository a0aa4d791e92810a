import type { Distribution } from '@laurel/client';
import { posterText } from '@laurel/page-kit/poster';
import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Loaded } from '../../parts/loaded';
import { Panel } from '../../parts/page';
import { saveFile } from '../customers/download';

/** The code to hang by the door; the print button prints this and nothing else. */
export function Poster({ form }: { form: Distribution }): ReactNode {
  const { laurel, language, settings, workspace } = useConsole();
  const { say } = language;
  const { lang, text } = posterText(settings.default_locale);
  // What customers call the shop: the form behind the code greets them by that name.
  const brand = useAsk(['brand', 'name'], () => laurel.brand.get());
  const code = useAsk(['forms', form.id, 'qr'], async () => {
    const answer = await laurel.distributions.getQr(form.id, { format: 'svg' });
    return answer.blob();
  });
  const [picture, setPicture] = useState('');
  useEffect(() => {
    if (!code.data) return;
    const made = URL.createObjectURL(code.data);
    setPicture(made);
    return () => URL.revokeObjectURL(made);
  }, [code.data]);
  return (
    <Panel title={say('form.poster')}>
      <Loaded query={code} lines={6}>
        {(found) => (
          <>
            <div className="poster">
              <p className="poster-name">{brand.data?.name ?? workspace.name}</p>
              {picture && <img className="qr" src={picture} alt={say('form.qr')} />}
              <p lang={lang}>{text}</p>
            </div>
            <div className="row">
              <Button onClick={() => print()}>{say('form.print')}</Button>
              <Button variant="default" onClick={() => saveFile(found, `${form.name}.svg`)}>
                SVG
              </Button>
            </div>
          </>
        )}
      </Loaded>
    </Panel>
  );
}
