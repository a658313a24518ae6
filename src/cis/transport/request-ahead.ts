import { type ClientRequest, request } from 'node:http'
import type { Agent, RequestOptions } from 'node:https'
import { KEEP_ALIVE_MS } from './connections.ts'

/** A request whose connection is opened before its message is there. */
export function createRequestAhead(agent: Agent, options: RequestOptions) {
  let ahead: ClientRequest | undefined
  let timer: NodeJS.Timeout | undefined

  function take(): ClientRequest | undefined {
    clearTimeout(timer)
    const taken = ahead
    ahead = undefined
    return taken?.destroyed ? undefined : taken
  }

  return {
    /** Opens a connection, unless there is one already. Returns at once. */
    open(): void {
      // Where others sell as well, a connection is free in a moment, and a new one would cost more than it saves.
      if (ahead || !isEmpty(agent.sockets) || !isEmpty(agent.freeSockets)) return
      const opened = request({ ...options, setHost: false })
      const end = () => {
        if (ahead === opened) take()?.destroy()
      }
      ahead = opened
      // Nobody sends what was expected.
      timer = setTimeout(end, KEEP_ALIVE_MS).unref()
      // The message itself tells what is wrong, for it connects anew.
      opened.on('error', () => {})
      opened.once('close', end)
      // An answer that nobody asked for, such as 408.
      opened.once('response', end)
    },
    /** The request with that connection, once, without headers; its errors are the caller's from now on. */
    take,
  }
}

function isEmpty(sockets: object): boolean {
  for (const _name in sockets) return false
  return true
}
