import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { atTheEndOfFile } from './file-end.ts'

/** An address that an application answers, with the names of its parameters in it. */
export interface Route {
  method: string
  url: string
}

/** The routes of what a daemon serves, taken from its applications: a route that is new is among them by itself. */
export interface Routes {
  /** Over TLS. Those of the pages are known as soon as somebody has asked for a page. */
  outside(): Route[]
  /** On the admin socket. */
  admin(): Route[]
}

/** Listens to what every application registers from now on; call it in `beforeAll`, before the daemon is started. */
export function listenToRoutes(): Routes {
  const apps: Route[][] = []
  const onApp = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    const routes: Route[] = []
    apps.push(routes)
    fastify.addHook('onRoute', ({ method, url }: RouteOptions) => {
      for (const one of [method].flat()) routes.push({ method: one, url })
    })
  }
  subscribe(CREATED, onApp)
  atTheEndOfFile(() => unsubscribe(CREATED, onApp))
  const isAdmin = (routes: Route[]) => routes.some(({ url }) => url.startsWith('/admin/'))
  return {
    outside: () => distinct(apps.filter((routes) => !isAdmin(routes)).flat()),
    admin: () => distinct(apps.filter(isAdmin).flat()),
  }
}

const CREATED = 'fastify.initialization'

/** What stands before the pages has some of their routes, too. */
function distinct(routes: Route[]): Route[] {
  return [...new Map(routes.map((route) => [nameOf(route), route])).values()]
}

export const nameOf = ({ method, url }: Route) => `${method} ${url}`

/** The address with values for its parameters; `x` for one that has none. */
export function fill({ url }: Route, values: Record<string, string> = {}): string {
  return url.replace(/:(\w+)|\*/g, (_all, name = '*') => encodeURIComponent(values[name] ?? 'x'))
}
