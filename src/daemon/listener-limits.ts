/** How long a caller may take, and how many there may be: nobody gets memory or time without end. */
export interface ListenerLimits {
  /** From a connection to its first byte. */
  firstByteMs: number
  handshakeMs: number
  /** From the handshake, or the first byte of a request, to the end of its headers. */
  headersMs: number
  /** From its first byte to its last; the largest has 1 MB, on the admin socket 16 MB. */
  requestMs: number
  /** How often the two above are looked at: a caller may take that much longer. */
  checkEveryMs: number
  /** From one sign of life to the next while a request is answered: a client that does not read is cut off. */
  stallMs: number
  /** Between two requests: a machine that sells every minute keeps its connection, and with it the cost of a handshake. */
  keepAliveMs: number
  connections: number
}

/**
 * A thousand TLS connections take 30 MB when they are kept and 50 MB in the middle of a request; a flood of handshakes,
 * with what is not yet collected of those that were cut, some 130 MB. A controller with 1 GB can spare that, and neither
 * the firmware of a kiosk nor a reverse proxy needs as many.
 */
export const LISTENER_LIMITS: ListenerLimits = {
  firstByteMs: 10_000,
  handshakeMs: 10_000,
  headersMs: 10_000,
  requestMs: 30_000,
  checkEveryMs: 2000,
  stallMs: 120_000,
  keepAliveMs: 75_000,
  connections: 1000,
}

/**
 * Each gateway of a central server keeps a connection on which it waits for commands, and pushes on another: five thousand
 * of them have room, with some to spare for thin devices. Their connections take 30 to 50 KB each. A push of 8 MB over a
 * poor line takes minutes.
 */
export const SERVER_LIMITS: ListenerLimits = { ...LISTENER_LIMITS, requestMs: 180_000, connections: 12_000 }
