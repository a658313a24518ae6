/** An address where clients should reach the daemon. */
export interface ListenState {
  /** As it is configured, e.g. `192.168.1.20:8443`. */
  address: string
  /** Why the daemon does not listen there now, for people; null when all is well. */
  problem: string | null
}

/** The interval of retries for an address that could not be opened. */
export const LISTEN_AGAIN_S = 10
