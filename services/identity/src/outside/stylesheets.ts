import { type CssNode, generate, ident, keyword, type List, parse, property, walk } from 'css-tree';

/** At-rules that only arrange what stands in them. Everything else (imports, fonts, namespaces) goes. */
const AT_RULES = new Set(['media', 'supports', 'container', 'layer', 'scope', 'keyframes']);
/** What runs code in old browsers. */
const ACTIVE_PROPERTIES = new Set(['behavior', 'binding']);
const ACTIVE_FUNCTIONS = new Set(['expression']);
/** Functions that load what a plain string in them names. */
const LOADING_FUNCTIONS = new Set(['image', 'image-set', 'src']);
/** What gives the value of something else, which may be any text. */
const INDIRECT_FUNCTIONS = new Set(['var', 'attr', 'env', 'if', 'inherit']);
const EMBEDDED_IMAGE = /^data:image\/(png|jpeg|gif|webp|avif|svg\+xml)[;,]/i;
const CLOSING_TAG = /<\//g;

/**
 * A stylesheet that can do no harm (part 3, section 9): it loads nothing from anywhere, runs nothing, and
 * cannot close an element it may be put in. Comes back as it was written when there was nothing to take
 * out, else as what is left of it.
 */
export function sanitizeStylesheet(css: string): string {
  let isClean = !css.includes('</');
  const sheet = parse(css, {
    parseCustomProperty: true,
    onParseError: () => {
      isClean = false;
    },
  });
  walk(sheet, (node: CssNode, item, list: List<CssNode> | null) => {
    if (!list || !isUnwanted(node)) return;
    list.remove(item);
    isClean = false;
  });
  // Within strings and comments, the only places left where it may stand, `<\/` means the same.
  return isClean ? css : generate(sheet).replace(CLOSING_TAG, '<\\/');
}

function isUnwanted(node: CssNode): boolean {
  switch (node.type) {
    case 'Atrule':
      return !AT_RULES.has(keyword(ident.decode(node.name)).basename) || reachesOut(node.prelude);
    case 'Rule':
      return reachesOut(node.prelude);
    case 'Declaration':
      return (
        ACTIVE_PROPERTIES.has(property(ident.decode(node.property)).basename) ||
        reachesOut(node.value)
      );
    case 'Raw':
      return true;
    default:
      return false;
  }
}

/** Whether a value, selector or condition loads or runs something, or holds what the parser does not understand. */
function reachesOut(part: CssNode | null): boolean {
  let found = false;
  if (part === null) return found;
  walk(part, (node) => {
    found ||=
      node.type === 'Raw' ||
      (node.type === 'Url' && !EMBEDDED_IMAGE.test(node.value)) ||
      (node.type === 'Function' && isRisky(node));
  });
  return found;
}

type CssFunction = Extract<CssNode, { type: 'Function' }>;

function isRisky(called: CssFunction): boolean {
  const { basename } = keyword(ident.decode(called.name));
  // The parser has a node of its own for addresses: only a name written with escapes is left a function, whatever is in it.
  if (ACTIVE_FUNCTIONS.has(basename) || basename === 'url') return true;
  return LOADING_FUNCTIONS.has(basename) && namesAddress(called);
}

/** Whether what is in a function that loads names an address, or may: only the types of images are other texts. */
function namesAddress({ children }: CssFunction): boolean {
  return children.some((child) => {
    if (child.type === 'String') return !EMBEDDED_IMAGE.test(child.value);
    if (child.type !== 'Function') return false;
    const { basename, custom } = keyword(ident.decode(child.name));
    const isOpen = custom || INDIRECT_FUNCTIONS.has(basename);
    return isOpen || (basename !== 'type' && namesAddress(child));
  });
}
