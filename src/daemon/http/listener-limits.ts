import type { Bound } from '../../domain/bound.ts'

const CUT = 'the connection is closed'

/** How long callers may take, and how many connections there may be: this bounds memory and time. */
export const LISTENER_BOUNDS = {
  firstByteMs: { most: 10_000, of: 'milliseconds until the first byte of a connection', beyond: CUT },
  handshakeMs: { most: 10_000, of: 'milliseconds of a TLS handshake', beyond: CUT },
  headersMs: { most: 10_000, of: 'milliseconds until the headers of a request are there', beyond: CUT },
  // The largest has 1 MB, on the admin socket 16 MB.
  requestMs: { most: 30_000, of: 'milliseconds until a request is there', beyond: CUT },
  // A push of 8 MB over a poor line takes minutes.
  serverRequestMs: { most: 180_000, of: 'milliseconds until a request to a central server is there', beyond: CUT },
  // A client that does not read is cut off.
  stallMs: { most: 120_000, of: 'milliseconds without a sign of life while a request is answered', beyond: CUT },
  // A machine that sells every minute keeps its connection, and with it the cost of a handshake.
  keepAliveMs: { most: 75_000, of: 'milliseconds between two requests', beyond: CUT },
  lingerMs: { most: 5000, of: 'milliseconds that a body goes on after its answer', beyond: CUT },
  lingerBytes: { most: 16 * 1024 * 1024, of: 'bytes of a body that come after its answer', beyond: CUT },
  // A thousand TLS connections take 30 MB when they are kept and 50 MB in the middle of a request; a flood of handshakes,
  // with what is not yet collected of those that were cut, some 130 MB. A controller with 1 GB can spare that, and neither
  // the firmware of a kiosk nor a reverse proxy needs as many.
  connections: { most: 1000, of: 'connections', beyond: 'a newcomer takes the place of another one' },
  // Each gateway of a central server keeps one connection on which it waits for commands, and pushes on another: 12,000
  // connections serve five thousand gateways and some thin devices. A connection takes 30 to 50 KB.
  serverConnections: {
    most: 12_000,
    of: 'connections of a central server',
    beyond: 'a newcomer takes the place of another one',
  },
} as const satisfies Record<string, Bound>

/** `checkEveryMs`: how often headers and requests are looked at; a caller may take that much longer. */
export type ListenerLimits = Record<keyof typeof LISTENER_BOUNDS | 'checkEveryMs', number>

const MOST = Object.fromEntries(Object.entries(LISTENER_BOUNDS).map(([name, { most }]) => [name, most]))
export const LISTENER_LIMITS = { ...MOST, checkEveryMs: 2000 } as ListenerLimits

export const SERVER_LIMITS: ListenerLimits = {
  ...LISTENER_LIMITS,
  requestMs: LISTENER_LIMITS.serverRequestMs,
  connections: LISTENER_LIMITS.serverConnections,
}
