import { box, drawPng } from './drawing';

const SIDE = 192;

/** The picture of a pass that brings none: the first letter of its name on its colours, the other way round. */
export function letterIcon(
  name: string,
  { background, foreground }: { background: string; foreground: string },
): Promise<Buffer> {
  const [letter = 'L'] = [...name.trim()];
  const style = {
    width: '100%',
    height: '100%',
    alignItems: 'center',
    justifyContent: 'center',
    backgroundColor: foreground,
    color: background,
    fontSize: SIDE * 0.6,
    fontWeight: 600,
  };
  return drawPng(box(style, letter.toUpperCase()), { width: SIDE, height: SIDE });
}
