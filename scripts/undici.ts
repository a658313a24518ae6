import type { Dispatcher } from 'undici'
// @ts-expect-error: it has types for the whole only
import apiRequest from '../node_modules/undici/lib/api/api-request.js'
// @ts-expect-error: as above
import agent from '../node_modules/undici/lib/dispatcher/agent.js'

/**
 * What the bundle has of undici: HTTP/1.1 and 2, without its fetch, web sockets, caches and mocks, which every start would
 * read and keep. Asking for more than is here fails the build.
 */
export const Agent: typeof import('undici').Agent = agent

type Options = { dispatcher: Dispatcher } & Omit<Dispatcher.RequestOptions, 'origin' | 'path'>

export function request(url: string, { dispatcher, ...options }: Options): Promise<Dispatcher.ResponseData> {
  const { origin, pathname, search } = new URL(url)
  return apiRequest.call(dispatcher, { ...options, origin, path: `${pathname}${search}` })
}
