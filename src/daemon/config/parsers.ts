import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { readDatabaseUrl } from '../../domain/database-url.ts'
import { MOST_BASE_CHARACTERS } from '../../fiscal/receipt-links/link.ts'
import { MAX_SOCKET_PATH_BYTES } from '../http/socket-path.ts'

export interface ListenAddress {
  host: string
  port: number
}

export function httpsUrl(text: string): string | undefined {
  return URL.canParse(text) && new URL(text).protocol === 'https:' ? text : undefined
}

/** Without a slash at its end. */
export const httpsBase = (text: string) => httpsUrl(text)?.replace(/\/+$/, '')

/** An origin: receipts are shown below `/r/` of it. */
export function receiptsBase(text: string): string | undefined {
  const base = httpsBase(text)
  return base && base.length <= MOST_BASE_CHARACTERS && new URL(base).origin === base ? base : undefined
}

export const dashboardBase = (text: string) => httpsBase(text)?.replace(/\/dashboard$/, '')

/** @returns parses what looks like this and is a number within bounds */
export function numberLike(pattern: RegExp, least = 0, most = Number.POSITIVE_INFINITY) {
  return (text: string): number | undefined => {
    const number = Number(text)
    return pattern.test(text) && number >= least && number <= most ? number : undefined
  }
}

export function socketPath(text: string): string | undefined {
  const path = resolve(text)
  return Buffer.byteLength(path) > MAX_SOCKET_PATH_BYTES ? undefined : path
}

export function databaseUrl(text: string): string | undefined {
  return typeof readDatabaseUrl(text) === 'string' ? undefined : text
}

export function mailAddresses(text: string): string[] | undefined {
  const addresses = listOf(text)
  return addresses.every(isMailAddress) ? addresses : undefined
}

/** An address, with or without a name before it. */
export function mailSender(text: string): string | undefined {
  const address = /^[^<>\r\n"]{0,100}<([^<>]+)>$/.exec(text)?.[1] ?? text
  return isMailAddress(address) ? text : undefined
}

function isMailAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@<>(),:;"\\]+@[^\s@<>(),:;"\\]+$/.test(text)
}

const listOf = (text: string) => text.split(',').flatMap((one) => one.trim() || [])

export function ipAddresses(text: string): string[] | undefined {
  const addresses = listOf(text)
  return addresses.every((address) => isIP(address) !== 0) ? addresses : undefined
}

export function hostNames(text: string): string[] | undefined {
  const names = listOf(text)
  return names.every((name) => isIP(name) !== 0 || /^[^\s:/[\]]+$/.test(name)) ? names : undefined
}

/** `127.0.0.1:8443,[::1]:8443`; a host is an address or a name, port 0 any free one. */
export function listenAddresses(text: string): ListenAddress[] | undefined {
  const addresses = text.split(',').map((part) => {
    const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(part.trim())
    const host = match?.[1] ?? match?.[2]
    const port = Number(match?.[3])
    if (host === undefined || port > 65_535 || (match?.[1] !== undefined && isIP(match[1]) !== 6)) return undefined
    return { host, port }
  })
  return addresses.every((address) => address !== undefined) ? addresses : undefined
}
