// One line that fills up while something long is done; plain lines where there is no terminal to watch.

const WIDTH = 30;
const REDRAW_MS = 100;

/** @param {string} what @param {number} total */
export function startBar(what, total) {
  const isTerminal = process.stdout.isTTY === true;
  const since = performance.now();
  let done = 0;
  let drawnAt = 0;
  function draw() {
    const share = total === 0 ? 1 : Math.min(1, done / total);
    const bar = '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '·');
    process.stdout.write(`\r  ${what.padEnd(26)} ${bar} ${done}/${total}\x1b[K`);
    drawnAt = performance.now();
  }
  return {
    add(more = 1) {
      done += more;
      if (isTerminal && performance.now() - drawnAt > REDRAW_MS) draw();
    },
    end() {
      const seconds = ((performance.now() - since) / 1_000).toFixed(1);
      const line = `  ${what.padEnd(26)} ${done}/${total} in ${seconds} s`;
      process.stdout.write(isTerminal ? `\r${line}\x1b[K\n` : `${line}\n`);
    },
  };
}
