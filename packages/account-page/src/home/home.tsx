import type { VNode } from 'preact';
import { usePage } from '../context';
import { Heading } from '../heading';
import type { Shop, Standing } from '../shop';
import { Poster } from './poster';
import { TillTile } from './till-tile';

/** What a programme that is set up has to offer, with the poster on top. */
export function Home({ shop, standing }: { shop: Shop; standing: Standing }): VNode {
  const { say } = usePage().language;
  const { form, settings, calledName, hasPortal } = standing;
  return (
    <section class="stack">
      <Heading text={shop.name} takesFocus />
      <div class={form ? 'home' : ''}>
        {form && (
          <Poster shop={shop} name={calledName} form={form} locale={settings.default_locale} />
        )}
        <div class="tiles">
          <TillTile shop={shop} />
          {form?.public_url && (
            <div class="card stack tile">
              <h2>{say('home.form')}</h2>
              <p>{say('home.form.text')}</p>
              <p>
                <a href={form.public_url}>{say('home.form.open')}</a>
              </p>
            </div>
          )}
          {hasPortal && (
            <div class="card stack tile">
              <h2>{say('home.portal')}</h2>
              <p>{say('home.portal.text')}</p>
              <p>
                <a href={`/portal/${shop.slug}`}>{say('home.portal.open')}</a>
              </p>
            </div>
          )}
          <div class="card stack tile">
            <h2>{say('home.console')}</h2>
            <p>{say('home.console.text')}</p>
            <p>
              <a href="/console">{say('home.console.open')}</a>
            </p>
          </div>
        </div>
      </div>
    </section>
  );
}
