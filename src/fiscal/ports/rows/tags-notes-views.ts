import type { EpochMs } from '../../../domain/instant.ts'

/** What the office has written of a device, and whom to call at its place; empty where nothing. No gateway gets it. */
export interface DeviceNote {
  note: string
  contact: string
}

export interface DeviceNoteRows {
  /** The next notes of a tenant, by device. @param after the device of the last one of the slice before */
  list(
    tenantId: string,
    slice: { limit: number; after?: string | undefined },
  ): Promise<(DeviceNote & { deviceId: string })[]>
  of(tenantId: string, deviceId: string): Promise<DeviceNote>
  put(tenantId: string, deviceId: string, note: DeviceNote): Promise<void>
}

/** A word that the office has given a device; a gateway knows nothing of it. */
export interface DeviceTag {
  deviceId: string
  tag: string
}

export interface DeviceTagRows {
  /** The next tags of a tenant, by device. @param after the last one of the slice before */
  list(tenantId: string, slice: { limit: number; after?: DeviceTag | undefined }): Promise<DeviceTag[]>
  /** Of one device, in order. */
  of(tenantId: string, deviceId: string): Promise<string[]>
  put(tenantId: string, deviceId: string, tags: readonly string[]): Promise<void>
}

/** A list with a filter and an order that a user has given a name. */
export interface SavedView {
  id: string
  userId: string
  /** The list that it narrows down. */
  list: string
  name: string
  /** Of the address, without the question mark. */
  query: string
  createdAt: EpochMs
}

export interface SavedViewRows {
  /** Of one user, by name. */
  list(userId: string, list: string): Promise<SavedView[]>
  /** Replaces a view of the same user, list and name. */
  put(view: SavedView): Promise<void>
  /** @returns the view that was removed; undefined when the user has no such view */
  remove(userId: string, id: string): Promise<SavedView | undefined>
}
