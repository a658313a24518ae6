import { DatabaseAway } from '../../fiscal/ports/store.ts'

/**
 * What an error says about the server; any other error is about what was asked of it.
 * - `lost`: the connection is of no use any more, and whether a statement that was under way is stored is unknown.
 * - `busy`: other work was in the way, or somebody has cancelled the statement. Nothing of the transaction is stored.
 * - `failing`: the server lacks something, or is broken. Nothing of the transaction is stored, and only another write
 *   shows whether it stores anything.
 */
type FaultKind = 'lost' | 'busy' | 'failing'

/** By the SQLSTATE or the code of the system; what pg says of a connection itself has none. The first row counts. */
const FAULTS: readonly (readonly [said: RegExp, kind: FaultKind, problem: string])[] = [
  [/^28/, 'lost', 'refuses the login of fiskd'],
  [/^3D000 /, 'lost', 'is not there'],
  [/^25006 /, 'lost', 'takes no writes: it is a standby, or set to read only'],
  [/^53300 /, 'lost', 'takes no more connections of fiskd'],
  [/^ timeout exceeded when trying to connect/, 'lost', 'is busy: all connections of fiskd are in use'],
  // 08 are failures of the connection itself, which PgBouncer reports, too.
  [/^(08|57P0[1-5] )/, 'lost', 'cannot be reached'],
  [/^E(CONN|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NETDOWN|NOTFOUND|AI_AGAIN|NOENT)/, 'lost', 'cannot be reached'],
  [/^ (Connection terminated|Client has encountered|timeout expired|Client was closed)/, 'lost', 'cannot be reached'],
  // A deadlock, a serialization failure, a lock that was not given in time, a transaction that paused for too long.
  [/^(40|55P03 |25P0[34] )/, 'busy', 'was busy with other work'],
  [/^57014 /, 'busy', 'has cancelled it, because of a time limit or by order'],
  [/^53100 /, 'failing', 'has no space left on its disk'],
  [/^53200 /, 'failing', 'has no memory left'],
  [/^58/, 'failing', 'cannot read or write its files'],
  [/^XX00[12] /, 'failing', 'has a damaged table or index'],
  [/^5[37]/, 'failing', 'lacks what it needs to work'],
]

function faultOf(error: unknown) {
  const said = `${codeOf(error)} ${messageOf(error)}`
  return FAULTS.find(([pattern]) => pattern.test(said))
}

/** Undefined for an error that is not about the server. */
export const kindOf = (error: unknown): FaultKind | undefined => faultOf(error)?.[1]

/** As the error that callers get of a server that fails. @param As what is known of it */
export function asAway(error: unknown, As: typeof DatabaseAway = DatabaseAway): DatabaseAway {
  return error instanceof DatabaseAway ? error : new As(error, faultOf(error)?.[2])
}

const messageOf = (error: unknown) => String((error as { message?: unknown } | undefined)?.message)
export const codeOf = (error: unknown) => String((error as { code?: unknown } | undefined)?.code ?? '')

/** What a proxy that gives each transaction another connection says about statements with a name. */
const UNNAMED = ['26000', '42P05']
/** A newer process has added a column to what the statement selects. */
const CHANGED = /^cached plan must not change/

export const namesAreUnknown = (error: unknown) => UNNAMED.includes(codeOf(error)) || CHANGED.test(messageOf(error))
