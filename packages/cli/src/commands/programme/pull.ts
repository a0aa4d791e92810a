import { acting, command } from '../../command';
import { say } from '../../output';
import { type Wanted, writeProgramme } from '../../programme/files';
import { type Body, KINDS } from '../../programme/kinds';
import { type Found, readWorkspace, worthSaying } from '../../programme/live';
import { pullPictures } from '../../programme/pictures';
import { takeOver } from '../../programme/take-over';
import { contentsOf, readTexts } from '../../programme/texts';
import { type GlobalOptions, openWorkspace } from '../../session';
import type { Terminal } from '../../terminal';
import { type Place, wantedAndFound } from './planned';

export const pull = (terminal: Terminal) =>
  acting<{ adopt?: boolean; force?: boolean; only?: string }>(
    command({
      usage: 'pull <folder>',
      summary: 'Write the programme of a workspace into files',
      examples: [
        'laurel programme pull programme',
        'laurel programme pull programme --workspace coffee-corner --force',
        'laurel programme pull programme --only rewards/free-coffee',
      ],
      notes:
        'A YAML file for each kind; what is empty or as usual is left out. Things without a key stand under one made of their name; with --adopt they bear it from then on, as after an apply, and may be called otherwise. --only takes one thing over that was changed by hand: of what its file names, what differs.',
    })
      .option('--adopt', 'give things without a key the one they stand under')
      .option('--only <thing>', 'one thing, into the file where it stands: rewards/free-coffee')
      .option('--force', 'write over files that are there already'),
    terminal,
    async (_, { args: [folder], options }) => {
      const place = await openWorkspace(terminal, options);
      const { laurel } = place;
      if (options.only !== undefined)
        return pullOne(terminal, place, { folder: folder!, only: options.only, options });
      const found = await readWorkspace(laurel, []);
      const things = withoutInherited(found).map(
        (one): Wanted => ({ kind: one.kind, key: one.key, body: worthSaying(one), file: '' }),
      );
      const wanted = await pullPictures(laurel, things, folder!);
      const files = writeProgramme(folder!, wanted, options.force === true);
      const nameless = found.filter(({ body }) => body.key === null);
      if (options.adopt)
        for (const { kind, key, id } of nameless)
          await KINDS[kind].update(laurel, { id, body: { key } as never, options: {} });
      const adopted = options.adopt ? nameless.length : 0;
      say(terminal, options, {
        data: { files, things: wanted.length, adopted },
        lines: [
          `✓ ${wanted.length} things in ${files.join(', ')}`,
          ...(adopted > 0 ? [`✓ ${adopted} of them bear their keys from now on`] : []),
        ],
      });
    },
  );

/** The portal answers with the look of the brand where it has none; in files that stands once. */
function withoutInherited(found: readonly Found[]): Found[] {
  const brand = found.find(({ kind }) => kind === 'brand')?.body;
  if (!brand) return [...found];
  const { primary, background } = brand.colours as Body;
  return found.map((one) => {
    if (one.kind !== 'portal') return one;
    const { primary_color, background_color, logo_url, privacy_url, ...own } = one.body;
    const body: Body = { ...own };
    if (primary_color !== primary) body.primary_color = primary_color;
    if (background_color !== background) body.background_color = background_color;
    if (privacy_url !== brand.privacy_url) body.privacy_url = privacy_url;
    if (!brand.logo || !String(logo_url).includes(String(brand.logo))) body.logo_url = logo_url;
    return { ...one, body };
  });
}

async function pullOne(
  terminal: Terminal,
  place: Place,
  { folder, only, options }: { folder: string; only: string; options: GlobalOptions },
): Promise<void> {
  const texts = readTexts(folder);
  const contents = contentsOf(texts, terminal.env);
  const { wanted, found } = await wantedAndFound(place, { texts, contents });
  const file = takeOver(folder, only, { wanted, found });
  const words =
    file === null ? `✓ ${only} is as its file says` : `✓ ${only} is in ${file} as it is`;
  say(terminal, options, {
    data: { files: file === null ? [] : [file], things: 1, adopted: 0 },
    lines: [words],
  });
}
