// npm run bench: how much it bears. See tools/bench/README.md.
//
//   npm run bench                      every subject at 1, 8 and 32 in flight, beside the floors of the same run
//   npm run bench -- --quick           32 in flight, short
//   npm run bench -- --million         over one million clients and five million ledger entries
//   npm run bench -- --overload        more than it bears: what is refused, and how soon all is well again
//   npm run bench -- --costs           what each operation asks of store, broker and CPU, everything that follows from it included
//   npm run bench -- --bursts          what comes at once, and who waits for it: batches, one client's events, an import
//   npm run bench -- --cards            passes signed, previews, a template change and campaigns over 100 000 members
//   npm run bench -- --rate             how long answers take at 60 % of what is borne, each counted from when its request was due
//   npm run bench -- --replicas         what a second of CPU brings with one, two and four replicas of everything
//   npm run bench -- --peers            beside Directus and medici: how many times as fast
//   npm run bench -- --json FILE       the figures as JSON as well
import { helpIfAsked } from '../../deploy/local/lib/help.mjs';

helpIfAsked();
/** Each has options of its own; the first file that is asked for. */
const BENCHES = {
  '--million': './million/run.mjs',
  '--overload': './overload.mjs',
  '--costs': './costs/run.mjs',
  '--bursts': './bursts.mjs',
  '--cards': './cards/run.mjs',
  '--rate': './rate.mjs',
  '--replicas': './replicas.mjs',
  '--peers': './peers/run.mjs',
};
const asked = Object.entries(BENCHES).find(([name]) => process.argv.includes(name));
await import(asked?.[1] ?? './overall.mjs');
