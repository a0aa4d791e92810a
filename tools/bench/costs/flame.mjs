// A profile as a flame graph: one SVG that any browser opens. As wide as the time in it, callers above what they call.
import { IDLE, ownUsOf, packageOf, placeOf } from './samples.mjs';

/**
 * @typedef {{ name: string, place: string, us: number, below: Map<string, Flame> }} Flame `us` with everything that it called
 */

const ROOT = '(root)';
const ROW_PX = 17;
const HEAD_PX = 44;
/** What takes less of the whole than that is too narrow to be seen, zoomed in or not. */
const SHARE_MIN = 0.0005;

/**
 * Stacks that pass through the same functions are one flame, at whichever line they were sampled.
 *
 * @param {import('./samples.mjs').Profile} profile
 * @returns {Flame} the whole of it, without the time in which there was nothing to do
 */
export function flameOf(profile) {
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const own = ownUsOf(profile);
  const whole = newFlame('all', '');
  /** @param {number} id @param {Flame} above @returns {number} */
  const grow = (id, above) => {
    const node = byId.get(id);
    if (!node || node.callFrame.functionName === IDLE) return 0;
    const flame = node.callFrame.functionName === ROOT ? above : flameBelow(above, node.callFrame);
    let us = own.get(id) ?? 0;
    for (const child of node.children ?? []) us += grow(child, flame);
    flame.us += us;
    return us;
  };
  const [root] = profile.nodes;
  if (root) grow(root.id, whole);
  return whole;
}

/** @param {string} name @param {string} place @returns {Flame} */
const newFlame = (name, place) => ({ name, place, us: 0, below: new Map() });

/** @param {Flame} above @param {import('./samples.mjs').CallFrame} callFrame */
function flameBelow(above, callFrame) {
  const place = placeOf(callFrame);
  const name = callFrame.functionName || '(anonymous)';
  const key = `${name} ${place}:${callFrame.lineNumber + 1}`;
  const found = above.below.get(key);
  if (found) return found;
  const made = newFlame(name, place === name ? '' : `${place}:${callFrame.lineNumber + 1}`);
  above.below.set(key, made);
  return made;
}

/**
 * @param {string} title
 * @param {Flame} whole
 * @returns {string} SVG; a click on a function makes it as wide as the page, a click on what called it goes back
 */
export function renderFlame(title, whole) {
  /** @type {string[]} */
  const boxes = [];
  let deepest = 0;
  /** @param {Flame} flame @param {number} from a share of the whole @param {number} depth */
  const draw = (flame, from, depth) => {
    const share = flame.us / whole.us;
    if (!(share >= SHARE_MIN)) return;
    deepest = Math.max(deepest, depth);
    boxes.push(boxOf(flame, { from, share, depth }));
    let at = from;
    const widestFirst = [...flame.below.values()].sort((one, other) => other.us - one.us);
    for (const child of widestFirst) {
      draw(child, at, depth + 1);
      at += child.us / whole.us;
    }
  };
  draw(whole, 0, 0);
  const height = HEAD_PX + (deepest + 1) * ROW_PX;
  const busy = (whole.us / 1_000).toFixed(0);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="${height}" font-family="monospace" font-size="12">
<style>.box{cursor:pointer}.box text{pointer-events:none}.box:hover rect{stroke:#000}.box rect{stroke:#fff;stroke-width:.5}</style>
<rect width="100%" height="100%" fill="#fff"/>
<text x="8" y="17" font-size="14">${escaped(title)}: ${busy} ms of work, callers above what they call</text>
<text x="8" y="34" fill="#555">orange: the platform; yellow: libraries; green: Node.js; grey: V8 and native code. Click to zoom.</text>
${boxes.join('\n')}
<script>//<![CDATA[
${ZOOM}
//]]></script>
</svg>
`;
}

/** @param {Flame} flame @param {{ from: number, share: number, depth: number }} where */
function boxOf({ name, place, us }, { from, share, depth }) {
  const y = HEAD_PX + depth * ROW_PX;
  const [x, width] = [from, share].map((part) => (part * 100).toFixed(3));
  const said = `${name} ${place}\n${(us / 1_000).toFixed(1)} ms, ${(share * 100).toFixed(1)} %`;
  return `<svg class="box" x="${x}%" y="${y}" width="${width}%" height="${ROW_PX}" data-x="${x}" data-width="${width}"><title>${escaped(said)}</title><rect width="100%" height="100%" fill="${colourOf(place)}"/><text x="3" y="13">${escaped(name)}</text></svg>`;
}

/** @param {string} place */
function colourOf(place) {
  if (place.startsWith('@laurel/')) return '#f6a15b';
  if (place.startsWith('node:')) return '#9fcf8f';
  return place === '' || packageOf(place).startsWith('(') ? '#cfcfcf' : '#f5dd7a';
}

/** @param {string} text */
const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Runs in the browser: what lies over or under the box that was clicked is drawn as wide as its share of that box. */
const ZOOM = `const boxes = [...document.querySelectorAll('.box')];
document.documentElement.addEventListener('click', ({ target }) => {
  const chosen = target.closest('.box');
  if (!chosen) return;
  const [from, width] = [Number(chosen.dataset.x), Number(chosen.dataset.width)];
  for (const box of boxes) {
    const start = Math.max(Number(box.dataset.x), from);
    const end = Math.min(Number(box.dataset.x) + Number(box.dataset.width), from + width);
    box.style.display = end - start > 0.0005 ? '' : 'none';
    box.setAttribute('x', ((start - from) / width) * 100 + '%');
    box.setAttribute('width', (Math.max(0, end - start) / width) * 100 + '%');
  }
});`;
