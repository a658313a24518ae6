import { spawn } from 'node:child_process'
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { ReadStream } from 'node:tty'

// Unlocks the other end and prints its number (pty(7)). Sets raw mode: the kernel would echo and translate bytes.
const UNLOCK = `
use POSIX ':termios_h';
open(my $pty, '+<&=', 3) or die;
my $number = pack('i', 0);
ioctl($pty, 0x40045431, $number) or die;
my $mode = POSIX::Termios->new;
$mode->getattr(3) or die;
$mode->setiflag($mode->getiflag & ~(BRKINT | ICRNL | INPCK | ISTRIP | IXON));
$mode->setoflag($mode->getoflag & ~OPOST);
$mode->setlflag($mode->getlflag & ~(ECHO | ICANON | IEXTEN | ISIG));
$mode->setattr(3, TCSANOW) or die;
ioctl($pty, 0x80045430, $number) or die;
print unpack('i', $number), "\\n";
`

/**
 * Node has no call for the two ioctls, so perl, which is on every Debian, makes them once on the open descriptor.
 * @throws Error without perl or without a free pseudo terminal
 */
export async function openPty(onBytes: (bytes: Uint8Array) => void) {
  const master = openSync('/dev/ptmx', constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK)
  let slave: number
  let path: string
  try {
    path = `/dev/pts/${await unlock(master)}`
    // Held open, never read: otherwise the master reads EIO while no program has the device open.
    slave = openSync(path, constants.O_RDWR | constants.O_NOCTTY)
  } catch (error) {
    closeSync(master)
    throw error
  }
  const stream = new ReadStream(master)
  let open = true
  stream.on('data', onBytes)
  stream.on('error', () => close())

  function close() {
    if (!open) return
    open = false
    stream.destroy()
    closeSync(slave)
  }

  return {
    /** The path that the tested program opens, e.g. `/dev/pts/4`. */
    path,
    /** Never waits: bytes that the other side does not take are lost, as on a serial line. */
    write(bytes: Uint8Array) {
      if (!open) return
      try {
        writeSync(master, bytes)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      }
    },
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    /** Programs that have the device open see a hangup. */
    close,
  }
}

async function unlock(master: number): Promise<number> {
  const perl = spawn('perl', ['-e', UNLOCK], { stdio: ['ignore', 'pipe', 'inherit', master] })
  const failed = new Promise<never>((_, reject) => perl.once('error', reject))
  const number = await Promise.race([text(perl.stdout as Readable), failed])
  if (!/^\d+\n$/.test(number)) throw new Error('perl made no pseudo terminal')
  return Number(number)
}
