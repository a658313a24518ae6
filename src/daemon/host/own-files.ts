import type { Stats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { OwnFile, OwnFiles } from '../../fiscal/ports/machine.ts'
import { nodeOwner } from '../../receipts/lines/device-node-owner.ts'
import type { Config } from '../config.ts'
import { tlsDir } from '../http/server-tls.ts'
import { databasePath } from '../lifecycle/open-database.ts'

const OPEN_FILES = '/proc/self/fd'
const SECRETS = new Set(['vault.key', 'ca.key', 'server.key'])

type OwnPath = Pick<OwnFile, 'path' | 'kind'>

export function ownFiles(config: Config): OwnFiles {
  return {
    processId: process.pid,
    async list() {
      const files: OwnFile[] = []
      for (const own of await ownPaths(config)) {
        const found = await stat(own.path).catch(() => undefined)
        if (found) files.push({ ...own, mode: found.mode & 0o777, foreign: await foreignOwner(found) })
      }
      return files
    },
    async replaced() {
      const { dataDir, databaseUrl } = config
      const database = databasePath(dataDir)
      const opened = await openFiles()
      return {
        database: await missingAmong(databaseUrl === null ? [database, `${database}-wal`] : [], opened),
        lock: await missingAmong([join(dataDir, 'fiskd.lock')], opened),
      }
    },
  }
}

async function ownPaths({ dataDir, sharedDir, tls, socketPath }: Config): Promise<OwnPath[]> {
  const roots = [...new Set([dataDir, sharedDir])]
  const found: OwnPath[] = roots.map((path) => ({ path, kind: 'data' }))
  for (const folder of roots.flatMap((root) => [root, tlsDir(root), join(root, 'trust')])) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name)
      // A disk of its own has it from the beginning.
      if (path === socketPath || roots.includes(path) || entry.name === 'lost+found') continue
      if (entry.isDirectory()) found.push({ path, kind: 'folder' })
      else if (SECRETS.has(entry.name)) found.push({ path, kind: 'secret' })
      else if (entry.isFile()) found.push({ path, kind: 'file' })
    }
  }
  if (tls) found.push({ path: tls.keyPath, kind: 'operatorKey' })
  return [...found, { path: socketPath, kind: 'socket' }]
}

async function foreignOwner(found: Stats): Promise<OwnFile['foreign']> {
  if (found.uid === process.geteuid?.()) return null
  const { owner, user } = await nodeOwner(found)
  return { owner, user }
}

async function openFiles(): Promise<Stats[]> {
  const looks = (await readdir(OPEN_FILES)).map((fd) => stat(join(OPEN_FILES, fd)).catch(() => undefined))
  return (await Promise.all(looks)).filter((found) => found !== undefined)
}

async function missingAmong(paths: readonly string[], opened: readonly Stats[]): Promise<string[]> {
  const missing: string[] = []
  for (const path of paths) {
    const named = await stat(path).catch(() => undefined)
    if (!opened.some(({ dev, ino }) => named?.dev === dev && named.ino === ino)) missing.push(path)
  }
  return missing
}
