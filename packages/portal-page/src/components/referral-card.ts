import { usePortal } from '../portal-context.ts';
import type { Referral } from '../shapes.ts';
import { html, type VNode } from '../vendor/preact.js';
import { CopyButton } from './copy-button.ts';
import { Icon } from './icons.ts';

/** A sharing that was called off is no trouble. */
const calledOff = (): undefined => undefined;

/** The client's code and link to bring friends with; nothing while the programme is off. */
export function ReferralCard({ referral }: { referral: Referral }): VNode | null {
  const { say } = usePortal().language;
  if (!referral.enabled) return null;
  return html`<section class="card referral" aria-labelledby="referral-title">
    <h2 id="referral-title" class="card-title"><${Icon} name="people" />${say('referral.title')}</h2>
    ${
      referral.code
        ? html`<${Invitation} code=${referral.code} link=${referral.share_url ?? null} />`
        : html`<p>${say('referral.none')}</p>`
    }
    <${Brought} stats=${referral.stats} />
  </section>`;
}

function Invitation({ code, link }: { code: string; link: string | null }): VNode {
  const { language, config } = usePortal();
  const { say } = language;
  const share = () => {
    const text = say('referral.shareText', { name: config.workspace_name, code });
    navigator.share({ text, ...(link ? { url: link } : {}) }).catch(calledOff);
  };
  return html`<div>
    <p>${say('referral.text')}</p>
    <${Copyable} label=${say('referral.code')} text=${code} />
    ${link && html`<${Copyable} label=${say('referral.link')} text=${link} />`}
    ${
      'share' in navigator &&
      html`<button type="button" class="button wide" onClick=${share}>
        <${Icon} name="share" />${say('share')}
      </button>`
    }
  </div>`;
}

function Copyable({ label, text }: { label: string; text: string }): VNode {
  return html`<div class="copyable">
    <span class="copyable-text">
      <span class="copyable-label">${label}</span>
      <span class="copyable-value" translate="no">${text}</span>
    </span>
    <${CopyButton} text=${text} label=${label} />
  </div>`;
}

function Brought({ stats }: { stats: Referral['stats'] }): VNode | null {
  const { say } = usePortal().language;
  if (!stats || stats.completed + stats.pending === 0) return null;
  return html`<p class="hint">
    ${say('referral.completed', { count: stats.completed })}${
      stats.pending > 0 && ` · ${say('referral.pending', { count: stats.pending })}`
    }
  </p>`;
}
