import { isIP } from 'node:net'
import { attempt } from '../domain/attempt.ts'

export type SmtpServer = NonNullable<ReturnType<typeof parseSmtpUrl>>

/** @returns undefined unless it is `smtp://` or `smtps://` with a host and, optionally, a complete login */
export function parseSmtpUrl(text: string) {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text)
  // Whether the connection uses TLS from the first byte.
  const secure = protocol === 'smtps:'
  if ((!secure && protocol !== 'smtp:') || hostname === '') return undefined
  if (!/^\/?$/.test(pathname) || search !== '' || hash !== '' || (username === '') !== (password === ''))
    return undefined
  const decoded = () => ({ user: decodeURIComponent(username), pass: decodeURIComponent(password) })
  const login = username === '' ? null : attempt(decoded, undefined)
  if (login === undefined) return undefined
  const host = hostname.replace(/^\[|\]$/g, '')
  return { host, port: port === '' ? (secure ? 465 : login ? 587 : 25) : Number(port), secure, login }
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || (isIP(host) === 4 && host.startsWith('127.')) || host === '::1'
}
