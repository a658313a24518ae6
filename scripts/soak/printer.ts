import { startTcpPrinter, type TcpPrinter } from '../../src/simulator/index.ts'

/** The printer of a machine, whose rolls come to their ends. */
export interface KioskPrinter {
  /** Its line, as `fisk printer set` takes it. */
  line: string
  hasPaper(): boolean
  idle(): boolean
  /** Somebody changes the roll, and switches the printer off for it. */
  changeRoll(): Promise<void>
  /** How many rolls were used up. */
  rollsUsed: number
  /** What is on all the receipts that were cut so far. */
  texts(): string[]
  /** Those of them whose cut was the end of a roll: the printer stopped before it could confirm them. */
  lastTexts: string[]
  close(): Promise<void>
}

/** So many receipts before the end the printer tells that the paper is running low. */
const LOW = 20

/** A receipt has more bytes; this is before its number. */
const IN_THE_MIDDLE_BYTES = 200

/**
 * @param receiptsPerRoll after so many the paper is out; on every second roll in the middle of the next one
 * @param onEnd called when it is
 */
export async function startKioskPrinter(receiptsPerRoll: number, onEnd: () => void): Promise<KioskPrinter> {
  const texts: string[] = []
  let left = 0
  const load = (port?: number): Promise<TcpPrinter> => {
    left = receiptsPerRoll
    return startTcpPrinter({ ...(port !== undefined && { port }), onPaper: used })
  }
  let printer: TcpPrinter = await load()

  function used({ text }: { text: string }): void {
    left--
    if (left === LOW) printer.runLow()
    if (left !== 0) return
    const end = () => {
      printer.runOutOfPaper()
      kiosk.rollsUsed++
      onEnd()
    }
    if (kiosk.rollsUsed % 2 === 0) {
      kiosk.lastTexts.push(text)
      end()
    } else printer.at(printer.printedBytes + IN_THE_MIDDLE_BYTES, end)
  }

  const collect = () => printer.papers.filter(({ cut }) => cut).map(({ text }) => text)
  const kiosk: KioskPrinter = {
    line: `tcp:127.0.0.1:${printer.port}`,
    hasPaper: () => printer.condition.paper !== 'out',
    idle: () => printer.idle || printer.condition.paper === 'out',
    async changeRoll() {
      const { port } = printer
      // Pictures of whole rolls would be kept.
      texts.push(...collect())
      await printer.close()
      printer = await load(port)
    },
    rollsUsed: 0,
    lastTexts: [],
    texts: () => [...texts, ...collect()],
    close: async () => printer.close(),
  }
  return kiosk
}
