import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Paper, startTcpPrinter } from '../../src/simulator/index.ts'
import { freePort } from '../chaos/ports.ts'
import type { Machine } from '../machine/console.ts'
import { debianImage } from '../machine/image.ts'
import { GUEST_ADDRESS, HOST_ADDRESS } from '../machine/inhabitant.ts'
import { type MachineOrder, startMachine } from '../machine/qemu.ts'
import { run } from '../package/run.ts'
import { type Root, shell } from './root.ts'
import { connect } from './ssh.ts'

/** How much slower than a computer an emulated processor is, with room for what runs beside it. */
const PATIENCE = 30
/** From the power switch to ssh: 40 s on an idle computer. */
const BOOT_MS = 15 * 60_000

/** Its console gets what systemd and all services say, fiskd as well. */
const APPEND = [
  ...['mitigations=off', 'panic=-1', 'quiet', 'systemd.show_status=yes'],
  ...['systemd.journald.forward_to_console=1', 'systemd.journald.max_level_console=info'],
].join(' ')

/** A machine, and what only a machine has. */
export interface EmulatedRoot extends Root {
  /** Takes the current away in the middle of whatever it does, gives it again, and waits until it is up. */
  cutPower(): Promise<void>
}

interface EmulatedOrder {
  arch: MachineOrder['arch']
  suite: string
  memoryMb: number
  say(text: string): void
}

/**
 * Boots a Debian in an emulated machine, with a receipt printer at its serial port.
 * @throws Error with the end of its console when it does not come up
 */
export async function bootMachine(order: EmulatedOrder): Promise<EmulatedRoot> {
  const { arch, memoryMb, say } = order
  const image = await debianImage(order, say)
  const folder = mkdtempSync(join(tmpdir(), `fiskd-${arch}-`))
  const disk = join(folder, 'disk.img')
  run('cp', ['--reflink=auto', '--sparse=always', image.disk, disk])
  const papers: Paper[] = []
  const printer = await startTcpPrinter({ onPaper: (paper) => papers.push(paper) })
  const [ssh, sales] = [await freePort(), await freePort()]
  let starts = 0
  const turnOn = (): Machine => {
    starts += 1
    return startMachine({
      arch,
      memoryMb,
      append: APPEND,
      kernel: image.kernel,
      initrd: image.initrd,
      disk,
      forwards: [
        { host: ssh, guest: 22 },
        { host: sales, guest: 8443 },
      ],
      consoleLog: join(folder, `console-${starts}.log`),
      extra: [
        ...['-chardev', `socket,id=printer,host=127.0.0.1,port=${printer.port},reconnect=1`],
        ...['-device', 'pci-serial,chardev=printer'],
      ],
    })
  }
  say(`a machine with ${memoryMb} MB; its console is in ${folder}`)
  let machine = turnOn()
  const line = connect({ ...image, port: ssh, socket: join(folder, 'ssh') })
  const sh = (command: string, input?: string | Buffer) => shell(line.enter, command, input)
  const comeUp = async () => {
    await within(BOOT_MS, machine, () => line.open())
    await within(BOOT_MS, machine, async () =>
      /^(running|degraded)$/m.test((await sh('systemctl is-system-running')).stdout),
    )
  }
  const close = async () => {
    line.close()
    await machine.powerOff()
    await printer.close()
    rmSync(disk)
  }
  try {
    await comeUp()
  } catch (error) {
    await close()
    throw error
  }
  return {
    async write(path, content) {
      const { code, stderr } = await sh(`mkdir -p "$(dirname /${path})" && cat > /${path}`, content)
      if (code !== 0) throw new Error(`/${path} cannot be written: ${stderr}`)
    },
    async read(path) {
      const { code, stdout, stderr } = await sh(`cat /${path}`)
      if (code !== 0) throw new Error(`/${path} cannot be read: ${stderr}`)
      return stdout
    },
    enter: line.enter,
    sh,
    lan: { listen: `${GUEST_ADDRESS}:8443`, port: sales, name: GUEST_ADDRESS },
    host: HOST_ADDRESS,
    authority: 'cis.test',
    printer: { line: 'serial:/dev/ttyS0', papers },
    patience: PATIENCE,
    async cutPower() {
      line.close()
      await machine.powerOff()
      machine = turnOn()
      await comeUp()
    },
    close,
  }
}

async function within(ms: number, machine: Machine, isDone: () => Promise<boolean>): Promise<void> {
  let isOver = false
  void machine.ended.then(() => {
    isOver = true
  })
  for (const until = performance.now() + ms; !(await isDone()); await pause(1000)) {
    if (isOver || performance.now() > until) throw new Error(`it did not come up:\n${machine.console.slice(-3000)}`)
  }
}
