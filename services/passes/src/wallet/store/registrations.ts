import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';

const COLLECTION = 'apple_registrations';

export const registrationIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [
    { key: { device_id: 1, pass_type: 1, changed_at: 1 }, name: 'of_device' },
    { key: { pass_id: 1 }, name: 'of_pass' },
    { key: { workspace_id: 1 }, name: 'of_workspace' },
  ],
};

interface RegistrationDocument {
  _id: string;
  workspace_id: string;
  device_id: string;
  pass_type: string;
  pass_id: string;
  push_token: string;
  /** When the device was last to be told that the pass changed. */
  changed_at: Date;
  date_created: Date;
}

/** That a device has a pass and wants to hear of its changes. */
export interface Registration {
  workspaceId: string;
  deviceId: string;
  passType: string;
  passId: string;
  pushToken: string;
}

export type RegistrationStore = ReturnType<typeof createRegistrationStore>;

/** Which iPhones and watches have which passes: a row per device and pass. */
export function createRegistrationStore(connection: Connection) {
  const rows = connection.collection<RegistrationDocument>(COLLECTION);

  return {
    /** Writes or renews a registration; true where it is a new one. */
    async put(registration: Registration, now: Date, session: Session): Promise<boolean> {
      const { workspaceId, deviceId, passType, passId, pushToken } = registration;
      const { upsertedCount } = await rows.updateOne(
        { _id: idOf(deviceId, passId) },
        {
          $set: { push_token: pushToken, pass_type: passType },
          $setOnInsert: {
            workspace_id: workspaceId,
            device_id: deviceId,
            pass_id: passId,
            changed_at: now,
            date_created: now,
          },
        },
        { upsert: true, session },
      );
      return upsertedCount === 1;
    },

    /** False where there was none. */
    async remove(deviceId: string, passId: string, session: Session): Promise<boolean> {
      const { deletedCount } = await rows.deleteOne({ _id: idOf(deviceId, passId) }, { session });
      return deletedCount === 1;
    },

    /** The passes of a device that changed after `since`, the least recent change first. */
    async listChanged(
      deviceId: string,
      passType: string,
      since: Date | null,
    ): Promise<{ passId: string; changedAt: Date }[]> {
      const found = await rows
        .find({
          device_id: deviceId,
          pass_type: passType,
          ...(since === null ? {} : { changed_at: { $gt: since } }),
        })
        .sort({ changed_at: 1 })
        .toArray();
      return found.map((row) => ({ passId: row.pass_id, changedAt: row.changed_at }));
    },

    async listOfPass(passId: string): Promise<Registration[]> {
      return (await rows.find({ pass_id: passId }).toArray()).map((row) => ({
        workspaceId: row.workspace_id,
        deviceId: row.device_id,
        passType: row.pass_type,
        passId: row.pass_id,
        pushToken: row.push_token,
      }));
    },

    /** What devices that ask which of their passes changed are told from now on. */
    async markChanged(passId: string, at: Date): Promise<void> {
      await rows.updateMany({ pass_id: passId }, { $set: { changed_at: at } });
    },

    async removeOfPass(passId: string): Promise<void> {
      await rows.deleteMany({ pass_id: passId });
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await rows.deleteMany({ workspace_id: workspaceId });
    },
  };
}

const idOf = (deviceId: string, passId: string): string => `${passId}:${deviceId}`;
