import { memberOfRow } from '../../routing';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A member of the workspace that the campaign in the path belongs to. */
export const memberOfCampaign = memberOfRow(async (rpc, { id = '' }) =>
  UUID.test(id) ? (await rpc.campaigns.LocateCampaign({ id })).workspace_id : '',
);

/** A member of the workspace that the parent campaign of the action in the path belongs to. */
export const memberOfAction = memberOfRow(async (rpc, { id = '' }) =>
  UUID.test(id) ? (await rpc.campaigns.LocateAction({ id })).workspace_id : '',
);
