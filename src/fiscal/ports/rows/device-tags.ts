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
  /** Replaces all tags of a device. */
  put(tenantId: string, deviceId: string, tags: readonly string[]): Promise<void>
}
