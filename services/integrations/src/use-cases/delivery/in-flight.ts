import type { Lane } from './lane';

/** What this process has in flight, and whether a lane may have one more. */
export class InFlight {
  /** But for one to each endpoint that is not in trouble. */
  private readonly max: number;
  private readonly ofWorkspace = new Map<string, number>();
  private troubled = 0;
  count = 0;

  constructor(max: number) {
    this.max = max;
  }

  /**
   * Endpoints in trouble never take more than half of the room; any other may always have one request out, and more of
   * them only while its workspace has less than half of the room.
   */
  hasRoom(lane: Lane): boolean {
    if (lane.isTroubled) return this.troubled < this.max / 2;
    if (lane.inFlight === 0) return true;
    const own = this.ofWorkspace.get(lane.workspaceId) ?? 0;
    return this.count < this.max && own < this.max / 2;
  }

  /** Counts a request that starts (1) or ends (-1). A lane's trouble is that at the start: it may change meanwhile. */
  change(workspaceId: string, troubled: boolean, by: 1 | -1): void {
    this.count += by;
    if (troubled) this.troubled += by;
    const own = (this.ofWorkspace.get(workspaceId) ?? 0) + by;
    if (own > 0) this.ofWorkspace.set(workspaceId, own);
    else this.ofWorkspace.delete(workspaceId);
  }
}
