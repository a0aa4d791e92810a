import { memberOfRow, workspaceOfRow } from '../../routing';

/** A member of the workspace that the campaign in the path belongs to. */
export const memberOfCampaign = memberOfRow(
  workspaceOfRow((rpc, row) => rpc.campaigns.LocateCampaign(row)),
);

/** A member of the workspace that the parent campaign of the action in the path belongs to. */
export const memberOfAction = memberOfRow(
  workspaceOfRow((rpc, row) => rpc.campaigns.LocateAction(row)),
);
