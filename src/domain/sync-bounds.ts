/**
 * What bounds the numbers that gateways and their server tell each other. All other bounds are in
 * `sync/wire/bounds.ts`.
 */

/**
 * The highest place of an outbox, version of a row, number of a command, and count of anything: with a thousand changes a
 * second it is reached after 8,900 years, and what is added to it is still exact in a number of JSON.
 */
export const HIGHEST_COUNT = 2 ** 48

/**
 * How far above its own latest place a gateway believes its server to have heard of one: after a restore the server knows
 * what was told since the backup, which is some millions of changes at most.
 */
export const FARTHEST_HEARD = 2 ** 32

/**
 * How far above everything that it has heard of a server takes a version. It is more than a gateway believes, so that one
 * which was led to go on far ahead is still understood.
 */
export const FARTHEST_PUSHED = 2 ** 40

/**
 * How far above all commands that the server has given a gateway may have seen one: a server that was restored has
 * forgotten what it gave since the backup.
 */
export const FARTHEST_COMMAND = 1_000_000

/** Sequences that one answer names: a hundred premises, each with ten registers, over fifty years in both modes. */
export const MOST_NUMBERS = 100_000

/** Code of a gateway's own: its places are used up, or the server tells of some that cannot be. Only a new enrolment helps. */
export const PLACES_DOUBTFUL = 'places_doubtful'
