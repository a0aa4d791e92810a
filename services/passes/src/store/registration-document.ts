/** That a device has a pass, as it is kept. */
export interface RegistrationDocument {
  _id: string;
  workspace_id: string;
  device_id: string;
  pass_type: string;
  pass_id: string;
  push_token: string;
  /** Of the card that the device has; absent on registrations from before that was kept. */
  link_generation?: number;
  /** What the pass showed when the device was last to hear that it changed, null where it may show something else; and when that was. */
  digest: string | null;
  changed_at: Date;
  /** There while a push about it is owed. */
  owed?: true;
  /** The links were made anew since the device got its card: that one becomes the empty card, and hears of nothing else. */
  ended?: true;
  date_created: Date;
}
