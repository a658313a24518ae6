import { isIP } from 'node:net'
import { attempt } from '../domain/attempt.ts'

export interface SmtpServer {
  host: string
  port: number
  /** Whether the connection uses TLS from the first byte. */
  secure: boolean
  login: { user: string; pass: string } | null
}

/** @returns undefined unless it is `smtp://` or `smtps://` with a host and, optionally, a complete login */
export function parseSmtpUrl(text: string): SmtpServer | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text)
  const secure = protocol === 'smtps:'
  if ((!secure && protocol !== 'smtp:') || hostname === '') return undefined
  if (!/^\/?$/.test(pathname) || search !== '' || hash !== '' || (username === '') !== (password === ''))
    return undefined
  const login = username === '' ? null : decodeLogin(username, password)
  if (login === undefined) return undefined
  const host = hostname.replace(/^\[|\]$/g, '')
  return { host, port: port === '' ? (secure ? 465 : login ? 587 : 25) : Number(port), secure, login }
}

const decodeLogin = (user: string, pass: string): SmtpServer['login'] | undefined =>
  attempt(() => ({ user: decodeURIComponent(user), pass: decodeURIComponent(pass) }), undefined)

export function isLoopback(host: string): boolean {
  return host === 'localhost' || (isIP(host) === 4 && host.startsWith('127.')) || host === '::1'
}
