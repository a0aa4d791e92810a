import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';
import type { LinkedPass } from '../domain/pass/links';

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
  /** Of the card that the device has; absent on registrations from before that was kept. */
  link_generation?: number;
  /** What the pass showed when the device was last to be told that it changed, and when that was. */
  digest: string | null;
  changed_at: Date;
  /** There while a push about it is owed. */
  owed?: true;
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

/** With the generation of the links of the pass, as the card on the device has them. */
type NewRegistration = Registration & { linkGeneration: number };

/** Which iPhones and watches have which passes: a row per device and pass. */
export function createRegistrationStore(connection: Connection) {
  const rows = connection.collection<RegistrationDocument>(COLLECTION);

  /** A device asks for what changed after the newest change it heard of, so that none may be older than that. */
  async function newestOf(deviceId: string): Promise<number> {
    const [row] = await rows
      .find({ device_id: deviceId }, { projection: { changed_at: 1 } })
      .sort({ changed_at: -1 })
      .limit(1)
      .toArray();
    return row?.changed_at.getTime() ?? 0;
  }

  return {
    /** Writes or renews a registration; true where it is a new one. */
    async put(registration: NewRegistration, now: Date, session: Session): Promise<boolean> {
      const { workspaceId, deviceId, passType, passId, pushToken, linkGeneration } = registration;
      const { upsertedCount } = await rows.updateOne(
        { _id: idOf(deviceId, passId) },
        {
          $set: { push_token: pushToken, pass_type: passType, link_generation: linkGeneration },
          $setOnInsert: {
            workspace_id: workspaceId,
            device_id: deviceId,
            pass_id: passId,
            digest: null,
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

    /** The passes of a device, whenever they changed. */
    async listOfDevice(
      deviceId: string,
      passType: string,
    ): Promise<{ workspaceId: string; passId: string; changedAt: Date }[]> {
      const found = await rows.find({ device_id: deviceId, pass_type: passType }).toArray();
      return found.map((row) => ({
        workspaceId: row.workspace_id,
        passId: row.pass_id,
        changedAt: row.changed_at,
      }));
    },

    /** Notes changes that a device is told of before the pass was drawn anew, so that none that is noted later is older. */
    async noteChanges(
      deviceId: string,
      changes: readonly { passId: string; changedAt: Date }[],
    ): Promise<void> {
      if (changes.length === 0) return;
      await rows.bulkWrite(
        changes.map(({ passId, changedAt }) => ({
          updateOne: {
            filter: { _id: idOf(deviceId, passId), changed_at: { $lt: changedAt } },
            update: { $set: { changed_at: changedAt } },
          },
        })),
        { ordered: false },
      );
    },

    /** The devices whose card is from before the links of the pass were made anew. */
    async listOfEarlier({ id, link_generation }: LinkedPass): Promise<Registration[]> {
      if (link_generation === 0) return [];
      const filter = { pass_id: id, link_generation: { $ne: link_generation } };
      return (await rows.find(filter).toArray()).map(toRegistration);
    },

    async isAnyOf(passId: string): Promise<boolean> {
      return (await rows.findOne({ pass_id: passId }, { projection: { _id: 1 } })) !== null;
    },

    async listOfPasses(workspaceId: string, passIds: readonly string[]): Promise<Registration[]> {
      const filter = { pass_id: { $in: [...passIds] }, workspace_id: workspaceId };
      return (await rows.find(filter).toArray()).map(toRegistration);
    },

    /** Marks the pass as changed for every device that was not told of what it shows now. */
    async markChanged(
      passId: string,
      { digest, now, owed }: { digest: string; now: Date; owed: boolean },
    ): Promise<void> {
      const behind = await rows.find({ pass_id: passId, digest: { $ne: digest } }).toArray();
      for (const { _id, device_id } of behind) {
        const changed_at = new Date(Math.max(now.getTime(), (await newestOf(device_id)) + 1));
        const changes = { digest, changed_at, ...(owed ? { owed: true as const } : {}) };
        await rows.updateOne({ _id }, { $set: changes });
      }
    },

    /** The devices that are still to be pushed to. */
    async listOwed(passId: string): Promise<(Registration & { digest: string | null })[]> {
      const found = await rows.find({ pass_id: passId, owed: true }).toArray();
      return found.map((row) => ({ ...toRegistration(row), digest: row.digest }));
    },

    /** The device was pushed to; not if the pass changed again meanwhile. */
    async settle({
      deviceId,
      passId,
      digest,
    }: Pick<Registration, 'deviceId' | 'passId'> & { digest: string | null }): Promise<void> {
      await rows.updateOne({ _id: idOf(deviceId, passId), digest }, { $unset: { owed: '' } });
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

function toRegistration(row: RegistrationDocument): Registration {
  return {
    workspaceId: row.workspace_id,
    deviceId: row.device_id,
    passType: row.pass_type,
    passId: row.pass_id,
    pushToken: row.push_token,
  };
}
