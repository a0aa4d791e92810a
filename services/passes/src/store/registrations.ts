import { type Connection, collection, type Rows, type Session } from '@laurel/mongo';
import { newestOf, overtakeOthers } from './device-times';
import type { RegistrationDocument } from './registration-document';

export const registrations = collection<RegistrationDocument>('apple_registrations', {
  tenant: 'workspace_id',
  person: {
    column: 'none: its pass names the client',
    merged: 'stays: goes where its pass goes',
    anonymized: 'stays: by it phones learn that the card has ended; goes 30 days later',
    deleted: 'as anonymized',
    exported: 'by hand: use-cases/export-client.ts',
  },
  growth: {
    per: 'phone and pass',
    end: 'stays: goes with its pass',
    shardKey: ['device_id'],
  },
  indexes: [
    { key: { device_id: 1, pass_type: 1, changed_at: 1 }, name: 'of_device' },
    { key: { pass_id: 1 }, name: 'of_pass' },
    { key: { workspace_id: 1 }, name: 'of_workspace' },
  ],
});

/** What devices show whose card has ended. */
const EMPTY = 'ended';
const LIVING = { ended: { $exists: false } };

/** That a device has a pass and wants to hear of its changes. */
export interface Registration {
  workspaceId: string;
  deviceId: string;
  passType: string;
  passId: string;
  pushToken: string;
}

/**
 * With the generation of the links of the pass, as the card on the device has them, and with what that card shows; null
 * where it is not sure.
 */
type NewRegistration = Registration & { linkGeneration: number; digest: string | null };

/** Which registration. */
export type RegisteredDevice = Pick<Registration, 'deviceId' | 'passId'> &
  Partial<Pick<Registration, 'pushToken' | 'passType'>>;

/** A device that had no card of the pass, one whose card is of another pass type than the one it had, or neither. */
type Registered = 'new device' | 'new card' | 'known';

/** With what decides whether the card on the device is still good. */
type KnownRegistration = Registration & { linkGeneration: number | undefined; isEnded: boolean };

/** With what the pass showed when the device was last to hear of it. */
export type OwedRegistration = Registration & { digest: string | null };

/** Which iPhones and watches have which passes: a row per device and pass. */
export function createRegistrationStore(connection: Connection) {
  const rows = registrations.open(connection);
  return {
    ...createSingleRegistrations(rows),
    ...createPassesOfDevices(rows),
    ...createKnownRegistrations(rows),
    ...createDevicesOfPasses(rows),
  };
}

function createSingleRegistrations(rows: Rows<RegistrationDocument>) {
  return {
    /** Writes or renews a registration; one whose card had ended counts as none. */
    async put(registration: NewRegistration, now: Date, session: Session): Promise<Registered> {
      const { workspaceId, deviceId, passType, passId, pushToken } = registration;
      const { linkGeneration, digest } = registration;
      const _id = idOf(deviceId, passId);
      await rows.of(workspaceId).deleteOne({ _id, ended: true }, { session });
      const ofAnother = { _id, pass_type: { $ne: passType } };
      const asNew = { $set: { pass_type: passType, digest } };
      const changed = await rows.of(workspaceId).updateOne(ofAnother, asNew, { session });
      const { upsertedCount } = await rows.of(workspaceId).updateOne(
        { _id },
        {
          $set: { push_token: pushToken, pass_type: passType, link_generation: linkGeneration },
          $setOnInsert: {
            device_id: deviceId,
            pass_id: passId,
            digest,
            changed_at: now,
            date_created: now,
          },
        },
        { upsert: true, session },
      );
      if (upsertedCount === 1) return 'new device';
      return changed.matchedCount === 1 ? 'new card' : 'known';
    },

    /**
     * False where there was none, or one whose card had ended.
     *
     * @param device.pushToken the one that it is known by, where it stays if it has another one since
     * @param device.passType that of its card, where it stays if it has one of another since
     */
    async remove(
      workspaceId: string,
      { deviceId, passId, pushToken, passType }: RegisteredDevice,
      session: Session,
    ): Promise<boolean> {
      const known = {
        _id: idOf(deviceId, passId),
        ...(pushToken === undefined ? {} : { push_token: pushToken }),
        ...(passType === undefined ? {} : { pass_type: passType }),
      };
      const living = await rows.of(workspaceId).deleteOne({ ...known, ...LIVING }, { session });
      if (living.deletedCount === 0) await rows.of(workspaceId).deleteOne(known, { session });
      return living.deletedCount === 1;
    },

    isThere: (workspaceId: string, { deviceId, passId }: RegisteredDevice): Promise<boolean> =>
      rows.of(workspaceId).has({ _id: idOf(deviceId, passId) }),

    /** The card on the device is no good any more; false where it was ended before. */
    async end(
      workspaceId: string,
      { deviceId, passId }: Pick<Registration, 'deviceId' | 'passId'>,
      session: Session,
    ): Promise<boolean> {
      const living = { _id: idOf(deviceId, passId), ...LIVING };
      const change = { $set: { ended: true as const } };
      const { modifiedCount } = await rows.of(workspaceId).updateOne(living, change, { session });
      return modifiedCount === 1;
    },
  };
}

function createPassesOfDevices(rows: Rows<RegistrationDocument>) {
  return {
    /** The passes of a device, of whatever workspaces, whenever they changed. */
    async listOfDevice(
      deviceId: string,
      passType: string,
    ): Promise<{ workspaceId: string; passId: string; changedAt: Date }[]> {
      const found = rows.ofEverybody.find({ device_id: deviceId, pass_type: passType });
      return (await found.toArray()).map((row) => ({
        workspaceId: row.workspace_id,
        passId: row.pass_id,
        changedAt: row.changed_at,
      }));
    },

    /** Notes changes that a device hears of before the pass was drawn anew, so that none that is noted later is older. */
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
  };
}

/** Which devices have passes. */
const createKnownRegistrations = (rows: Rows<RegistrationDocument>) => ({
  async listOfPasses(
    workspaceId: string,
    passIds: readonly string[],
  ): Promise<KnownRegistration[]> {
    const found = rows.of(workspaceId).find({ pass_id: { $in: [...passIds] } });
    return (await found.toArray()).map((row) => ({
      ...toRegistration(row),
      linkGeneration: row.link_generation,
      isEnded: row.ended ?? false,
    }));
  },

  countOf: (workspaceId: string, passId: string, session: Session): Promise<number> =>
    rows.of(workspaceId).count({ pass_id: passId, ...LIVING }, { session }),
});

/** Which devices are to hear of changes. */
function createDevicesOfPasses(rows: Rows<RegistrationDocument>) {
  return {
    /**
     * Marks passes as changed for every device that has not heard of what they show now.
     *
     * @param digests what each pass shows now, by its id; a card that has ended shows nothing, whatever stands there
     * @returns the devices that are still to be pushed to, from before, too
     */
    async markChanged(
      workspaceId: string,
      digests: ReadonlyMap<string, string>,
      now: Date,
    ): Promise<OwedRegistration[]> {
      const own = rows.of(workspaceId).find({ pass_id: { $in: [...digests.keys()] } });
      const found = digests.size === 0 ? [] : await own.toArray();
      const shownBy = (row: RegistrationDocument) =>
        row.ended ? EMPTY : digests.get(row.pass_id)!;
      const behind = found.filter((row) => row.digest !== shownBy(row));
      const newest = await newestOf(
        rows,
        behind.map(({ device_id }) => device_id),
      );
      const noted = behind.map((row) => {
        const { _id: id, device_id: device } = row;
        const at = Math.max(now.getTime(), (newest.get(device) ?? 0) + 1);
        newest.set(device, at);
        return { id, device, digest: shownBy(row), at };
      });
      const changes = noted.map(({ id, digest, at }) => {
        const update = { $set: { digest, changed_at: new Date(at), owed: true as const } };
        return { updateOne: { filter: { _id: id }, update } };
      });
      // In this order: a device that asks meanwhile has heard of the older change of two, not of the newer alone.
      if (changes.length > 0) await rows.bulkWrite(changes);
      await overtakeOthers(rows, noted);
      const isBehind = new Set(behind);
      return found
        .filter((row) => row.owed || isBehind.has(row))
        .map((row) => ({ ...toRegistration(row), digest: shownBy(row) }));
    },

    /**
     * The pass was fetched as it was at that moment, of which no device had heard yet; which device it was is not said. What they
     * show is not known any more: the next push of the pass goes to all of them, also where it shows again what they had
     * heard of before.
     */
    async noteServed(workspaceId: string, passId: string, digest: string): Promise<void> {
      const other = { pass_id: passId, digest: { $nin: [digest, null] }, ...LIVING };
      await rows.of(workspaceId).updateMany(other, { $set: { digest: null } });
    },

    /** The devices were pushed to; not where the pass changed again meanwhile. */
    async settle(
      told: readonly Pick<OwedRegistration, 'deviceId' | 'passId' | 'digest'>[],
    ): Promise<void> {
      if (told.length === 0) return;
      await rows.bulkWrite(
        told.map(({ deviceId, passId, digest }) => ({
          updateOne: {
            filter: { _id: idOf(deviceId, passId), digest },
            update: { $unset: { owed: '' } },
          },
        })),
        { ordered: false },
      );
    },

    async removeOfPass(workspaceId: string, passId: string, session: Session): Promise<void> {
      await rows.of(workspaceId).deleteMany({ pass_id: passId }, { session });
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
