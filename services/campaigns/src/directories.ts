import type { clients } from '@laurel/rpc';

/** A pass, as far as campaigns look at it. */
export interface Pass {
  id: string;
  client_id?: string | null;
  project_id: string;
  pass_template_id: string;
}

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

/** The passes of a workspace and their templates, as the service that keeps them answers. */
export interface PassesPeer {
  GetTemplates(request: {
    workspace_id: string;
    ids: string[];
  }): Promise<{ templates: { id: string }[] }>;
  ListPassesOfClients(request: {
    workspace_id: string;
    client_ids: string[];
  }): Promise<{ passes: Pass[] }>;
  UpdatePass(request: {
    workspace_id: string;
    id: string;
    notification?: string;
    pass_template_id?: string;
    duration_days?: number | null;
  }): Promise<unknown>;
}

/** The answers while no service keeps segments: there are none. */
export const noSegments: SegmentsPeer = {
  GetSegments: async () => ({ segments: [] }),
  CountSegment: async () => ({ total: 0 }),
  ListSegmentClients: async () => ({ clients: [], next_cursor: null }),
};

/** The answers while no service keeps passes: there are none. */
export const noPasses: PassesPeer = {
  GetTemplates: async () => ({ templates: [] }),
  ListPassesOfClients: async () => ({ passes: [] }),
  UpdatePass: async () => ({}),
};
