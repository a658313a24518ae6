/** Facts by name that outlive a crash; none is a secret in clear. */
export interface KeptFacts {
  get(key: string): Promise<Buffer | undefined>
  /** @returns what is there then: the first one that was kept */
  keep(key: string, value: Buffer): Promise<Buffer>
  /** Stores the value in place of the one before. */
  put(key: string, value: Buffer): Promise<void>
  remove(key: string): Promise<void>
}
