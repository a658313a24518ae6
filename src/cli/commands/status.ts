import { StatusSchema, type StatusView } from '../../contract/admin/status.ts'
import type { Command } from '../command.ts'
import { Failure } from '../failure.ts'
import { numberAs } from '../options.ts'
import type { Session } from '../session.ts'
import { paragraph } from '../text/columns.ts'
import { statusText } from '../text/status-text.ts'

interface Options {
  device?: string
  watch?: true | number
}

export function register(program: Command, session: Session): void {
  program
    .subcommand('status', 'Tell whether this gateway can sell right now and, if not, why. Exit code 1 when it cannot.')
    .option('--device <label-or-id>', 'whether this device can sell; another one that can does not count')
    .option(
      '--watch [seconds]',
      'look again every 2 seconds, or so many, until Ctrl-C; exits as the last look',
      seconds,
    )
    .examples('fisk status', 'fisk status --watch 5', 'fisk status --device "Lobby 1" --json')
    .action(async (options: Options) => {
      if (options.watch !== undefined) return watch(options, session)
      await session.show(await look(options.device, session), statusText, ({ can_sell }) => can_sell)
    })
}

const EVERY_S = 2
/** Above 0. */
const seconds = numberAs(/^(?=.*[1-9])\d{1,5}(\.\d+)?$/, 'It is a number of seconds.')

async function look(device: string | undefined, session: Session, signal?: AbortSignal): Promise<StatusView> {
  const client = await session.client()
  if (device === undefined) return client.get('/admin/status', StatusSchema, { ...PATIENCE, signal })
  const { deviceNamed } = await import('../daemon/references.ts')
  const { id } = await deviceNamed(client, device, { ...PATIENCE, signal })
  return client.get(`/admin/status?device_id=${id}`, StatusSchema, { ...PATIENCE, signal })
}

/** It answers at once, or something is wrong. */
const PATIENCE = { silenceMs: 10_000 }

/** One status after the other: in the place of the last on a terminal, below it elsewhere, each a line with `--json`. */
async function watch({ device, watch: every }: Options, session: Session): Promise<void> {
  const { io } = session
  const { CLEAR, repeat } = await import('../repeat-until-stopped.ts')
  const show = (answer: object, text: string) => {
    if (session.wantsJson()) session.print(`${JSON.stringify(answer)}\n`)
    else session.print(io.isTty ? `${CLEAR}${text}` : `${text}\n`)
  }
  await repeat(io, (typeof every === 'number' ? every : EVERY_S) * 1000, async (signal) => {
    try {
      const answer = await look(device, session, signal)
      show(answer, statusText(answer, session.screen))
      session.exitCode = answer.can_sell ? 0 : 1
    } catch (error) {
      // A daemon that is started anew is away for a moment; whatever else it says now, it may not say then.
      if (signal.aborted) return
      if (!(error instanceof Failure)) throw error
      show(error.body, paragraph('', `${error.body.error.message} Trying again.`, session.screen))
      session.exitCode = 1
    }
  })
}
