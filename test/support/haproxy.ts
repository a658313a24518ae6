import { readFileSync } from 'node:fs'
import { inProject } from './stand-in.ts'

/** A file of the package, which a run changes only in its addresses. */
export const shipped = (name: string): string => readFileSync(inProject(`systemd/${name}`), 'utf8')

/** The file for HAProxy with the addresses and the CA of a run, without logs and what only root may ask for. */
export function haproxyFile({
  port,
  ca,
  processes,
}: {
  port: number
  ca: string
  processes: readonly number[]
}): string {
  return shipped('haproxy.cfg')
    .replace(/^ +(user|group|log|maxconn|option tcplog)\b.*$/gm, '')
    .replace('bind :::8443 v4v6', `bind 127.0.0.1:${port}`)
    .replaceAll('/var/lib/fiskd/tls/ca.pem', ca)
    .replace(/^ +server fiskd(\d) .*$/gm, (_, number) => {
      const to = processes[number - 1]
      return to === undefined ? '' : `    server fiskd${number} 127.0.0.1:${to}`
    })
}
