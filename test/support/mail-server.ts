import type { AddressInfo } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'

export interface MailServer {
  url: string
  port: number
  /** What was taken, in order. */
  mails: ParsedMail[]
  /** Nobody listens on its port any more. */
  goDown(): Promise<void>
  comeBack(): Promise<void>
}

/** A real mail server on loopback, which ends with the test. It takes everything unless the options say otherwise. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: ParsedMail[] = []
  let port = 0
  let server: SMTPServer | undefined
  const mailServer: MailServer = {
    mails,
    get url() {
      return `smtp://127.0.0.1:${port}`
    },
    get port() {
      return port
    },
    async goDown() {
      const closing = server
      server = undefined
      if (closing) await new Promise<void>((resolve) => closing.close(() => resolve()))
    },
    async comeBack() {
      const opening = new SMTPServer({
        ...{ authOptional: true, disabledCommands: ['STARTTLS'], closeTimeout: 50, disableReverseLookup: true },
        onData(stream, _session, done) {
          simpleParser(stream).then((mail) => {
            mails.push(mail)
            done()
          }, done)
        },
        ...options,
      })
      opening.on('error', () => {})
      await new Promise<void>((resolve) => opening.listen(port, '127.0.0.1', resolve))
      port = (opening.server.address() as AddressInfo).port
      server = opening
    },
  }
  await mailServer.comeBack()
  onTestFinished(() => mailServer.goDown())
  return mailServer
}

/** The ids of the alerts that a mail leads to. */
export function alertsIn({ text = '' }: ParsedMail): string[] {
  return [...text.matchAll(/\/dashboard\/alerts\/([0-9a-f-]{36})/g)].map(([, id]) => String(id))
}
