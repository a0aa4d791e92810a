const DEFUSED = /^'(?=[=+\-@\t\r])/;

/** What a defused cell said before. */
export function undefuse(cell: string): string {
  return cell.replace(DEFUSED, '');
}
