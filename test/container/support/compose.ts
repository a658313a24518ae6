import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { inProject } from '../../support/stand-in.ts'

export interface Service {
  profiles: string[]
  environment: Record<string, string>
  ports: { target: number; published: number | string }[]
  volumes: (string | { source: string; target: string })[]
  secrets?: { source: string }[]
  stop_grace_period: string
  ulimits: Record<string, number>
  read_only: boolean
}

const CONFIG = ['-f', 'compose.yaml', '--profile', 'sqlite', '--profile', 'postgres', 'config']

/** The services of container/compose.yaml, as Compose reads the file in a folder. */
export function composeServices(folder = inProject('container')): Record<string, Service> {
  const yaml = execFileSync('docker-compose', CONFIG, { cwd: folder })
  const json = execFileSync('python3', ['-c', 'import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin)))'], {
    input: yaml,
    encoding: 'utf8',
  })
  return JSON.parse(json).services
}

/** Where a service has its volumes. */
export const mountedAt = ({ volumes }: Service): string[] =>
  volumes.map((volume) => (typeof volume === 'string' ? (volume.split(':')[1] ?? '') : volume.target))

/** What container/Containerfile says once with an instruction. */
export function instruction(name: string): string {
  const text = readFileSync(inProject('container/Containerfile'), 'utf8').replaceAll('\\\n', ' ')
  const found = [...text.matchAll(new RegExp(`^${name} (.+)$`, 'gm'))].map(([, said]) => String(said))
  if (found.length !== 1) throw new Error(`${name} stands ${found.length} times in Containerfile`)
  return found[0] as string
}

/** The variables that the image sets. */
export const imageVariables = (): Record<string, string> =>
  Object.fromEntries(
    instruction('ENV')
      .trim()
      .split(/\s+/)
      .map((one) => one.split(/=(.*)/s) as [string, string]),
  )
