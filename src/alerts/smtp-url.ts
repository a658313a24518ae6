import { isIP } from 'node:net'

/** How to reach a mail server. */
export interface SmtpServer {
  host: string
  port: number
  /** TLS from the first byte on. */
  secure: boolean
  login: { user: string; pass: string } | null
}

/** @returns undefined for anything but `smtp://` or `smtps://` with a host and, if there is one, a whole login */
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

function decodeLogin(user: string, pass: string): SmtpServer['login'] | undefined {
  try {
    return { user: decodeURIComponent(user), pass: decodeURIComponent(pass) }
  } catch {
    return undefined
  }
}

/** Whether nobody is between us and the mail server. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || (isIP(host) === 4 && host.startsWith('127.')) || host === '::1'
}
