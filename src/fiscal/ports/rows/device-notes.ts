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
