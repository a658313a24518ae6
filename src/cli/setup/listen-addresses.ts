import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { wrongUse } from '../failure.ts'
import type { Io } from '../io.ts'

/** An address of this machine that others on its network reach. */
export type LanAddress = NonNullable<Io['lanAddresses']>[number]

/** Without those that are valid on one link only: a certificate cannot name them. */
export function lanAddresses(): LanAddress[] {
  return Object.entries(networkInterfaces()).flatMap(([name, all = []]) =>
    all.filter(({ internal, scopeid = 0 }) => !internal && scopeid === 0).map(({ address }) => ({ address, name })),
  )
}

const DEFAULT_PORT = '8443'
export const LOOPBACK_ONLY = `127.0.0.1:${DEFAULT_PORT},[::1]:${DEFAULT_PORT}`
const LOOPBACK = /^(127\.0\.0\.1|\[::1\]|localhost):(\d+)$/

/**
 * `FISKD_LISTEN` for loopback and these addresses besides; empty, which is the daemon's default, for `loopback` alone.
 * @param wanted addresses or names, with or without a port
 * @param before the value until now: its loopback addresses stay, and their port goes for all without one
 * @throws Failure (wrong use) for an address that this machine does not have
 */
export function listenVariable(wanted: readonly string[], before: string, own: readonly LanAddress[]): string {
  const given = wanted.flatMap((one) => one.split(',')).map((one) => one.trim())
  const others = given.filter((one) => one !== 'loopback' && one !== '')
  const kept = before.split(',').filter((one) => LOOPBACK.test(one.trim()))
  if (others.length === 0) return kept.join(',')
  const loopback = kept.length > 0 ? kept : loopbackHere()
  const port = LOOPBACK.exec(loopback[0] ?? '')?.[2] ?? DEFAULT_PORT
  const added = others.map((one) => withPort(one, port))
  for (const one of added) requireOwn(one, own)
  // The daemon cannot listen on a wildcard address and on a single address of its family at the same port.
  const forAll = (one: string) => one.replace(/^.*(?=:\d+$)/, one.startsWith('[') ? EVERYWHERE[1] : EVERYWHERE[0])
  const all = [...new Set([...loopback, ...added])]
  return all.filter((one) => forAll(one) === one || !added.includes(forAll(one))).join(',')
}

/** The wildcard addresses, IPv4 and IPv6, as they are written before a port. */
export const EVERYWHERE = ['0.0.0.0', '[::]'] as const

function loopbackHere(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((one = []) => one)
  const hasV6 = all.some(({ address }) => address === '::1')
  return [`127.0.0.1:${DEFAULT_PORT}`, ...(hasV6 ? [`[::1]:${DEFAULT_PORT}`] : [])]
}

function withPort(address: string, port: string): string {
  if (isIP(address) === 6) return `[${address}]:${port}`
  return /:\d+$/.test(address) ? address : `${address}:${port}`
}

/** @throws Failure (wrong use) for an address that the machine lacks: it is probably mistyped */
function requireOwn(listen: string, own: readonly LanAddress[]): void {
  const host = listen.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')
  const isElsewhere = isIP(host) !== 0 && !/^(127\.|::1$|::$|0\.0\.0\.0$)/.test(host)
  if (!isElsewhere || own.some(({ address }) => address === host)) return
  const here = own.map(({ address, name }) => `${address} (${name})`).join(', ') || 'none but loopback'
  throw wrongUse('listen', `${host} is no address of this machine.`, `It has: ${here}.`)
}
