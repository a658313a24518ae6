import { readFileSync } from 'node:fs'

/** The architectures that a package is made for, as Debian calls them, and as Node and npm do. */
export const ARCHITECTURES = { amd64: 'x64', arm64: 'arm64' } as const

export type ArchitectureName = keyof typeof ARCHITECTURES
export type NodeArchitecture = (typeof ARCHITECTURES)[ArchitectureName]

export const isArchitecture = (name: string): name is ArchitectureName => Object.hasOwn(ARCHITECTURES, name)

/** The Node that runs fiskd, as the npm registry has it; the integrity is the registry's. */
export interface Runtime {
  package: string
  version: string
  integrity: string
}

/** The one that `npm ci` brings along, pinned by the lock file. */
export function runtimeOf(architecture: NodeArchitecture): Runtime {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const name = `node-linux-${architecture}`
  const { version, integrity } = packages[`node_modules/${name}`]
  return { package: name, version, integrity }
}
