const DEFUSED = /^'(?=[\t\r])|(?<=^|[;\t\r\n])'(?=[=+\-@＝＋－＠])/g;

/** What a defused cell said before. */
export function undefuse(cell: string): string {
  return cell.replace(DEFUSED, '');
}
