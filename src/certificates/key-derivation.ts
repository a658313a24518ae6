import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { hash, pbkdf2 as pbkdf2WithCallback } from 'node:crypto'
import { setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { attempt } from '../domain/attempt.ts'
import { CERTIFICATE_BOUNDS } from './bounds.ts'

/** The key derivation process has failed; this says nothing about the file. */
export class DerivationFailed extends Error {}

export interface Pbkdf2 {
  hashName: string
  /** Already encoded for this derivation. */
  password: Buffer
  salt: Buffer
  iterations: number
  length: number
}

const pbkdf2InThreadPool = promisify(pbkdf2WithCallback)

/** The expensive part of opening a file. Each call waits for the one before. */
export type KeyDerivation = ReturnType<typeof createKeyDerivation>

/** Expensive derivations run in a process: a thread of the pool would delay signatures and cannot be stopped. */
export function createKeyDerivation() {
  let running: ReturnType<typeof start> | undefined
  let isStopped = false
  let leftHere: number = CERTIFICATE_BOUNDS.roundsOfFileHere.most

  function isCheap(rounds: number): boolean {
    if (rounds > CERTIFICATE_BOUNDS.roundsHere.most || rounds > leftHere) return false
    leftHere -= rounds
    return true
  }

  async function ask(request: Record<string, string | number>): Promise<Buffer> {
    if (isStopped) throw new DerivationFailed('it was stopped')
    running ??= start()
    const { child, failed, answers } = running
    child.stdin.write(`${JSON.stringify(request)}\n`)
    const { value, done } = await Promise.race([answers.next(), failed])
    if (done || value === '') throw new DerivationFailed('the process that derives keys ended without an answer')
    return Buffer.from(value, 'base64')
  }

  return {
    /** Hashes the bytes repeatedly, `rounds` times. @throws DerivationFailed, also after `stop` */
    async hashRepeatedly(hashName: string, bytes: Buffer, rounds: number): Promise<Buffer> {
      if (!isCheap(rounds)) return ask({ hashName, bytes: bytes.toString('base64'), rounds })
      await setImmediate()
      let digest = bytes
      for (let round = 0; round < rounds; round++) digest = hash(hashName, digest, 'buffer')
      return digest
    },
    /** PBKDF2 with HMAC (RFC 8018). @throws DerivationFailed, also after `stop` */
    async pbkdf2({ hashName, password, salt, iterations, length }: Pbkdf2): Promise<Buffer> {
      if (isCheap(iterations)) return pbkdf2InThreadPool(password, salt, iterations, length, hashName)
      const secrets = { password: password.toString('base64'), salt: salt.toString('base64') }
      return ask({ ...secrets, hashName, iterations, length })
    },
    stop(): void {
      isStopped = true
      running?.child.kill('SIGKILL')
    },
  }
}

/** A lower priority than any work for a sale. */
const NICENESS = 10

function start() {
  const child = spawn(process.execPath, ['-e', SCRIPT], { env: {}, stdio: ['pipe', 'pipe', 'ignore'] })
  const { pid } = child
  // The sandbox of fiskd.service forbids this (`SystemCallFilter=~@resources`): it uses at most one core anyway.
  if (pid !== undefined) attempt(() => setPriority(pid, NICENESS), undefined)
  // The caller sees the failure as the end of the answers.
  child.stdin.on('error', () => {})
  const failed = new Promise<never>((_, reject) => {
    child.once('error', (cause) => reject(new DerivationFailed('no process can be started', { cause })))
  })
  failed.catch(() => {})
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return { child: child as unknown as ChildProcessWithoutNullStreams, failed, answers }
}

/** JavaScript as a string, because it must also run from the TypeScript sources. */
const SCRIPT = `
  const { hash, pbkdf2Sync } = require('node:crypto')
  const read = (text) => Buffer.from(text, 'base64')
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { hashName, bytes, rounds, password, salt, iterations, length } = JSON.parse(line)
    let key
    if (rounds === undefined) key = pbkdf2Sync(read(password), read(salt), iterations, length, hashName)
    else {
      key = read(bytes)
      for (let round = 0; round < rounds; round++) key = hash(hashName, key, 'buffer')
    }
    process.stdout.write(key.toString('base64') + '\\n')
  })
`
