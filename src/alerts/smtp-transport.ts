import type { Delivery, MailTransport } from '../fiscal/ports/mail.ts'
import { isLoopback, type SmtpServer } from './smtp-url.ts'

export interface TransportOptions {
  server: SmtpServer
  from: string
  /** The timeout of the connection and of the greeting; a mail may take two and a half times as long. */
  timeoutMs?: number
}

const TIMEOUT_MS = 10_000

/** Sends mails through a mail server. The library is loaded with the first mail. */
export function createMailTransport({ server, from, timeoutMs = TIMEOUT_MS }: TransportOptions): MailTransport {
  const { host, port, secure, login } = server
  const open = async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      host,
      port,
      secure,
      auth: login ?? undefined,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      dnsTimeout: timeoutMs,
      socketTimeout: 2 * timeoutMs,
      // With a login, TLS is required, except on loopback. Without a login, TLS is used if offered, with any
      // certificate: this is better than no encryption, and an attacker in between could suppress the offer anyway.
      requireTLS: login !== null && !isLoopback(host),
      tls: { rejectUnauthorized: secure || (login !== null && !isLoopback(host)) },
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }
  const told = (text: string) => {
    const hidden = login ? text.replaceAll(login.pass, '***') : text
    return hidden.replace(/\s+/g, ' ').trim().slice(0, LONGEST_ANSWER)
  }
  const late = () => new Promise<'late'>((resolve) => setTimeout(resolve, 2.5 * timeoutMs, 'late').unref())

  return {
    async send({ id, recipient, subject, text, html, files = [], sender, replyTo }) {
      try {
        const transport = await open()
        const sent = transport.sendMail({
          from: sender === undefined ? from : { name: sender, address: /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from },
          replyTo,
          to: { name: '', address: recipient },
          subject,
          text,
          html,
          attachments: files.map(({ name, type, content }) => ({ filename: name, contentType: type, content })),
          messageId: `<${id}@fiskd>`,
          // Prevents automatic replies.
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        })
        const answer = await Promise.race([sent, late()])
        if (answer !== 'late') return { result: 'sent', answer: told(answer.response) }
        // The mail may still arrive. The next attempt has the same Message-ID.
        sent.catch(() => {})
        return { result: 'failed', unreachable: true, mayHaveArrived: true, answer: 'the mail server took too long' }
      } catch (error) {
        return deliveryOf(error as SmtpError, told)
      }
    },
    async check() {
      try {
        const transport = await open()
        const verified = transport.verify()
        const answer = await Promise.race([verified, late()])
        verified.catch(() => {})
        return answer === 'late'
          ? { ok: false, answer: 'the mail server took too long' }
          : { ok: true, answer: `${host} port ${port} is ready` }
      } catch (error) {
        return { ok: false, answer: told(String((error as Error).message)) }
      }
    },
  }
}

interface SmtpError {
  message: string
  command?: string
  responseCode?: number
}

const LONGEST_ANSWER = 300

/** SMTP commands that concern only the current mail. */
const OF_THIS_MAIL = /^(RCPT TO|DATA)$/

function deliveryOf({ message, command, responseCode }: SmtpError, told: (text: string) => string): Delivery {
  const unreachable = responseCode === undefined || !OF_THIS_MAIL.test(command ?? '')
  const refused = !unreachable && responseCode >= 500
  return { result: refused ? 'refused' : 'failed', unreachable, answer: told(message) }
}
