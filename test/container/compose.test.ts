import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/daemon/config.ts'
import { inProject } from '../support/stand-in.ts'
import { skipWithout } from '../support/tools.ts'
import { composeServices, imageVariables, instruction, mountedAt, type Service } from './support/compose.ts'

const unit = readFileSync(inProject('systemd/fiskd.service'), 'utf8')
const ofUnit = (name: string) => new RegExp(`^${name}=(.+)$`, 'm').exec(unit)?.[1]

test('the image is configured as a server that fiskd understands, with the tunables of the unit', () => {
  const variables = imageVariables()
  const config = readConfig(variables)
  expect(config).toMatchObject({ role: 'server', unknownVariables: [], dataDir: instruction('VOLUME') })
  expect(config.listen).toEqual([{ host: '0.0.0.0', port: Number(instruction('EXPOSE')) }])
  expect(unit).toContain(`Environment=GLIBC_TUNABLES=${variables.GLIBC_TUNABLES}\n`)
  expect([instruction('WORKDIR'), instruction('STOPSIGNAL')]).toEqual([config.dataDir, 'SIGTERM'])
})

test.skipIf(skipWithout('shellcheck'))('what starts in a container is free of what shellcheck warns of', () => {
  expect(() => execFileSync('shellcheck', [inProject('container/start')])).not.toThrow()
})

describe.skipIf(skipWithout('docker-compose', 'python3'))('compose.yaml', () => {
  let services: Record<string, Service>
  beforeAll(() => {
    services = composeServices()
  })
  const servers = () => ['server-sqlite', 'server-postgres'].map((name) => services[name] as Service)

  test('publishes the port of the image, keeps its volume, and sets no variable that fiskd does not know', () => {
    for (const server of servers()) {
      const { environment, ports } = server
      const inPlace = { ...environment, ...(environment.FISKD_DATABASE_URL_FILE && { FISKD_DATABASE_URL_FILE: '' }) }
      expect(readConfig({ ...imageVariables(), ...inPlace }).unknownVariables).toEqual([])
      expect(ports.map(({ target }) => target)).toEqual([Number(instruction('EXPOSE'))])
      expect(mountedAt(server)).toEqual([instruction('VOLUME')])
    }
  })

  test('ends it and limits it as the unit of systemd does', () => {
    for (const { stop_grace_period, ulimits, read_only } of servers()) {
      expect(stop_grace_period).toBe(`${ofUnit('TimeoutStopSec')}s`)
      expect(ulimits).toEqual({ core: Number(ofUnit('LimitCORE')), nofile: Number(ofUnit('LimitNOFILE')) })
      expect(read_only).toBe(true)
    }
  })

  test('gives the address of the database as a file, and its password to PostgreSQL alone', () => {
    const { 'server-sqlite': alone, 'server-postgres': server, postgres } = services
    expect(server?.environment.FISKD_DATABASE_URL_FILE).toBe('/run/secrets/database-url')
    expect(server?.secrets).toMatchObject([{ source: 'database-url' }])
    expect(postgres?.secrets).toMatchObject([{ source: 'postgres-password' }])
    expect([alone, server, postgres].map((one) => one?.profiles)).toEqual([['sqlite'], ['postgres'], ['postgres']])
    expect([alone?.secrets, alone?.environment.FISKD_DATABASE_URL_FILE]).toEqual([undefined, undefined])
  })
})
