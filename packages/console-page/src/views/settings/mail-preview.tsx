import type { ShopMail } from '@laurel/client';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Loaded } from '../../parts/loaded';
import { Panel } from '../../parts/page';
import type { Words } from './mail-words';

const PAUSE_MS = 400;

/** A mail as it would arrive, with samples: both ways in which mail programs show it. */
export function MailPreview({ mail, words }: { mail: ShopMail; words: Words }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const { kind, language: spoken } = mail;
  const [wanted] = useDebouncedValue(words, PAUSE_MS);
  const preview = useAsk(['mail-preview', kind, spoken, wanted], () =>
    laurel.mails.preview(kind, spoken, { words: wanted }),
  );
  return (
    <Panel title={say('mails.preview')}>
      <Loaded query={preview} lines={10}>
        {({ subject, from_name, reply_to, html, text }) => (
          <>
            <dl className="facts">
              <dt>{say('mails.from')}</dt>
              <dd>{from_name}</dd>
              <dt>{say('mails.replyTo')}</dt>
              <dd>{reply_to ?? say('mails.nobody')}</dd>
              <dt>{say('mails.subject')}</dt>
              <dd>
                <b>{subject}</b>
              </dd>
            </dl>
            <Drawn html={html} />
            <details>
              <summary>{say('mails.plain')}</summary>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
              <pre className="mail-plain" tabIndex={0}>
                {text}
              </pre>
            </details>
          </>
        )}
      </Loaded>
    </Panel>
  );
}

/** Drawn in a page of its own that reaches nothing; see the gateway's mail-frame. */
function Drawn({ html }: { html: string }): ReactNode {
  const { language } = useConsole();
  const frame = useRef<HTMLIFrameElement>(null);
  // It has no origin that could be named.
  const tell = () => frame.current?.contentWindow?.postMessage(html, '*');
  useEffect(tell, [html]);
  return (
    <iframe
      ref={frame}
      className="mail-drawn"
      title={language.say('mails.preview')}
      src="/console/mail-frame"
      sandbox="allow-scripts"
      onLoad={tell}
    />
  );
}
