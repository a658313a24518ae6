import { randomUUID } from 'node:crypto'
import { copyFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fastify from 'fastify'
import { handleErrors } from '../../../../src/api/errors.ts'
import { composeServerSync } from '../../../../src/daemon/compose/server-sync.ts'
import { readConfig } from '../../../../src/daemon/config.ts'
import { caPath } from '../../../../src/daemon/http/local-ca.ts'
import { tlsDir } from '../../../../src/daemon/http/server-tls.ts'
import { openDataDir } from '../../../../src/daemon/lifecycle/data-dir.ts'
import type { Heartbeat } from '../../../../src/fiscal/ports/gateways.ts'
import { createLiveSales } from '../../../../src/fiscal/sales/live-sales.ts'
import type { ConnectionDeps } from '../../../../src/sync/gateway/connection.ts'
import { SyncFailure } from '../../../../src/sync/gateway/failure.ts'
import type { Ask } from '../../../../src/sync/gateway/transport.ts'
import { syncRoutes } from '../../../../src/sync/server/routes.ts'
import { pki } from '../../../support/pki.ts'
import { EMPTY_DATABASE } from '../../../support/programs.ts'
import { clerkOf } from '../../../support/shop.ts'

export const SILENT = { info() {}, warn() {}, error() {} }
export const clock = {
  now: Date.now,
  proven: Date.now,
  present: () => ({ now: Date.now(), earliest: Date.now(), latest: Date.now() }),
}

/** The central server of one gateway, in this process: its routes are asked without a network. */
export interface Office {
  token(options?: { again: boolean }): Promise<string>
  /** What a gateway says of itself, as the server keeps it. */
  noteHeartbeat(heartbeat: Heartbeat): Promise<void>
  /** How gateways reach it. */
  transportTo: NonNullable<ConnectionDeps['transportTo']>
  close(): Promise<void>
}

const GATEWAY = 'kiosk'
const OPERATOR = { ...clerkOf(), scopes: ['fleet:read', 'fleet:write'] as const }

/** A folder with an empty database. */
export function emptyPlace(dir: string): string {
  mkdirSync(dir)
  copyFileSync(EMPTY_DATABASE, join(dir, 'fiskd.db'))
  return dir
}

export const copyPlace = (from: string, to: string) => cpSync(from, to, { recursive: true })

export async function openOffice(dir: string): Promise<Office> {
  const config = readConfig({ FISKD_DATA_DIR: dir, FISKD_ROLE: 'server', RATE_LIMIT_ENABLED: 'false' })
  mkdirSync(tlsDir(dir), { recursive: true })
  writeFileSync(caPath(tlsDir(dir)), pki.bundlePem)
  const { store, vault, close } = await openDataDir(config, Date.now())
  const opener = { open: () => Promise.reject(new Error('nothing is opened here')) }
  const server = composeServerSync({
    ...{ config, store, clock, vault, opener },
    liveSales: createLiveSales(),
    log: SILENT,
    newUuid: randomUUID,
    links: { tell: async () => null },
    changeCompany: () => Promise.reject(new Error('no company is changed')),
  })
  const app = fastify()
  handleErrors(app, () => 'https://localhost')
  await app.register(syncRoutes, { ...server.routes, prefix: '/sync/v1' })

  async function text({ method = 'POST', path, headers = {}, body }: Ask): Promise<string> {
    const payload = body && ('json' in body ? body.json : body.bytes)
    const { statusCode, body: said } = await app.inject({
      ...{ method, url: `/sync/v1${path}`, headers: { 'content-type': 'application/json', ...headers } },
      ...(payload !== undefined && { payload }),
    })
    if (statusCode < 300) return said
    const { code, message } = (JSON.parse(said) as { error: { code: string; message: string } }).error
    throw new SyncFailure(code, message, { status: statusCode })
  }

  return {
    async token({ again } = { again: false }) {
      return (await server.gateways.addGateway(OPERATOR, { name: GATEWAY, again })).token
    },
    async noteHeartbeat(heartbeat) {
      const [summary] = await server.gateways.listGateways(OPERATOR)
      if (summary) await store.gateways.noteHeartbeats(new Map([[summary.gateway.id, heartbeat]]), Date.now())
    },
    transportTo: () => ({
      text,
      async ask({ check, ...ask }) {
        const checked = check(JSON.parse(await text(ask)))
        if ('value' in checked) return checked.value
        throw new SyncFailure('not_understood', checked.fault.message, { status: 200 })
      },
      close: async () => {},
    }),
    async close() {
      server.stop()
      await app.close()
      await close()
    },
  }
}
