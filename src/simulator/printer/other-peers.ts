/** Something else at the address of a printer. It prints nothing. */
export type OtherPeer = 'says_ready_to_all' | 'says_ready_to_questions' | 'echo' | 'modem' | 'noise'

const NOISE_EVERY_MS = 20

/** What it sends when it gets these bytes; undefined for nothing. */
const REPLIES: Record<OtherPeer, (bytes: Uint8Array) => Uint8Array | undefined> = {
  says_ready_to_all: (bytes) => new Uint8Array(bytes.length).fill(0x12),
  says_ready_to_questions: (bytes) => {
    const questions = Buffer.from(bytes).toString('latin1').split('\x10\x04').length - 1
    return questions > 0 ? new Uint8Array(questions).fill(0x12) : undefined
  },
  echo: (bytes) => bytes,
  modem: () => Buffer.from('\r\nERROR\r\n'),
  noise: () => undefined,
}

export interface Peer {
  receive(bytes: Uint8Array): void
  stop(): void
}

export function startPeer(kind: OtherPeer, send: (bytes: Uint8Array) => void): Peer {
  const nextNoise = noise()
  const timer = kind === 'noise' ? setInterval(() => send(nextNoise()), NOISE_EVERY_MS) : undefined
  return {
    receive(bytes) {
      const reply = REPLIES[kind](bytes)
      if (reply) send(reply)
    },
    stop: () => clearInterval(timer),
  }
}

/** The same noise in each run, any byte in it. */
function noise(): () => Uint8Array {
  let seed = 1
  return () => {
    seed = (seed * 48_271) % 2_147_483_647
    return Uint8Array.of((seed >> 8) & 0xff)
  }
}
