/** An address that callers are meant to reach the daemon at. */
export interface ListenPlace {
  /** As it is configured, e.g. `192.168.1.20:8443`. */
  address: string
  /** Why nobody reaches it there now, for people; null when all is well. */
  problem: string | null
}

/** How often one that cannot be had is tried again. */
export const LISTEN_AGAIN_S = 10
