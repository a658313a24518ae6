/** The bounds of the numbers that gateways and their server exchange. All other bounds are in `sync/wire/bounds.ts`. */

/**
 * The highest outbox place, row version, command number and count. With a thousand changes per second it is reached
 * after 8,900 years, and sums with it are still exact as a JSON number.
 */
export const HIGHEST_COUNT = 2 ** 48

/** How far the server may have heard above the gateway's latest place: after a restore, what was sent since the backup. */
export const FARTHEST_HEARD = 2 ** 32

/** How far above the highest known place a server accepts a version: more than a gateway can be led to skip. */
export const FARTHEST_PUSHED = 2 ** 40

/** How far above the server's highest command a gateway may have seen one: a restored server forgets its latest. */
export const FARTHEST_COMMAND = 1_000_000

/** Sequences in one answer: a hundred premises, each with ten registers, over fifty years in both modes. */
export const MOST_NUMBERS = 100_000

/** A gateway's own code: its places are used up, or the server names impossible ones. Only a new enrolment helps. */
export const POSITIONS_DOUBTFUL = 'positions_doubtful'
