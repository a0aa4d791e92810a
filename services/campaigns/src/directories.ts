import type { clients } from '@laurel/rpc';

/** The segments of a workspace, as the service that keeps them answers. */
export interface SegmentsPeer {
  GetSegments(request: {
    workspace_id: string;
    ids: string[];
  }): Promise<{ segments: { id: string }[] }>;
  CountSegment(request: { workspace_id: string; id: string }): Promise<{ total: number }>;
  ListSegmentClients(request: {
    workspace_id: string;
    id: string;
    limit: number;
    cursor?: string;
  }): Promise<{ clients: clients.Client[]; next_cursor?: string | null }>;
}

/** The answers while no service keeps segments: there are none. */
export const noSegments: SegmentsPeer = {
  GetSegments: async () => ({ segments: [] }),
  CountSegment: async () => ({ total: 0 }),
  ListSegmentClients: async () => ({ clients: [], next_cursor: null }),
};
